import AudioSession
import ResumeStore
import Supervisor

/// The supervisor's shell. It passes inputs to the supervisor and carries out the effects.
extension Installation {
    /// - Returns: The last report that followed, which contains the answer to a command.
    @discardableResult
    func handle(_ input: Supervisor.Input) -> Report? {
        take(input)
        var last: Report?
        while let effect = supervisor.next(world.playerState) {
            if case .report(let report) = effect { last = report }
            carryOut(effect)
        }
        return last
    }

    /// Passes an input while an effect is carried out. The effects of the input follow that effect.
    func take(_ input: Supervisor.Input) { supervisor.take(input, at: world.moment) }

    private func carryOut(_ effect: Supervisor.Effect) {
        switch effect {
        case .openPlayer: world.openPlayer(for: supervisor, withholding: withheldDevices)
        case .player(let order): world.player?.carryOut(order)
        case .command(let player, let command): onNews(.playerOrdered(player, command))
        case .takeEvents: take(.events((world.player?.takeEvents() ?? []).map(explained)))
        case .muteMicrophone(let isMuted): world.muteMicrophone(isMuted)
        case .record(let directive): world.record(directive)
        case .drive(let asserted): world.drive(asserted)
        case .save(let state, let urgently):
            world.save(state, urgently: urgently, quietTime: quietTime)
            onNews(.saving)
        case .setStateAside(let reason):
            do throws(StateError) { try world.setStateAside() } catch {
                take(.stateNotSetAside(error, because: reason))
            }
        case .findIdleTracks(let request): findIdleTracks(request)
        case .renewList: onNews(.listChosen)
        case .report(let report): self.report(report)
        }
    }
}
