import AudioSession
import Configuration
import Playback
import Supervisor
import Testing

/// The supervisor on its own. It receives inputs and returns effects, both as values.
@Suite struct EffectTests {
    private let player = PlayerState()

    /// Returns a supervisor that plays the first of two tracks.
    private func started() -> Supervisor {
        var supervisor = Supervisor(
            configuration: .builtIn, tracks: [Track(path: "/music/1"), Track(path: "/music/2")])
        let facts = StartingFacts(
            state: .success(nil), levels: LineLevels(["phone-call": false, "alarm": false, "cover-closed": false]),
            shuffleSeed: 7)
        _ = effects(of: .boot(facts), at: .zero, on: &supervisor, finding: 0)
        return supervisor
    }

    /// - Parameter found: the track that answers a search.
    private func effects(
        of input: Supervisor.Input, at time: Duration, on supervisor: inout Supervisor, finding found: Int? = nil
    ) -> [Supervisor.Effect] {
        let moment = Moment(time, wallClock: time)
        supervisor.take(input, at: moment)
        var effects: [Supervisor.Effect] = []
        while let effect = supervisor.next(player) {
            effects.append(effect)
            if effect == .takeEvents, let found { supervisor.take(.events([.loaded(track: found)]), at: moment) }
        }
        return effects
    }

    private func name(_ effect: Supervisor.Effect) -> String {
        switch effect {
        case .openPlayer: "open"
        case .player(let order): "\(order)"
        case .takeEvents: "take events"
        case .command(let player, let command): "\(player) \(command)"
        case .muteMicrophone: "mute"
        case .record: "record"
        case .drive: "drive"
        case .save: "save"
        case .setStateAside: "set aside"
        case .findIdleTracks: "find idle tracks"
        case .renewList: "renew"
        case .report: "report"
        }
    }

    private var call: Supervisor.Input { .edge(Edge("phone-call", asserted: true)) }

    @Test func callSilencesTheMusicThenSavesThenReports() {
        var supervisor = started()
        let effects = effects(of: call, at: .seconds(1), on: &supervisor)
        #expect(effects.first == .player(.silence(over: .milliseconds(60))))
        #expect(effects.dropFirst().map(name) == ["save", "report"])
        guard case .report(let report)? = effects.last else { return #expect(Bool(false), "no report") }
        #expect(report.notifications == [.began(.default)] && report.begun.blocking == ["phone-call"])
    }

    @Test func savedPositionIsThatAfterTheOrder() {
        var supervisor = started()
        supervisor.take(call, at: Moment(.seconds(1), wallClock: .zero))
        var player = PlayerState()
        player.playhead = Playhead(track: 0, frame: 100, rate: 1000)
        #expect(supervisor.next(player) == .player(.silence(over: .milliseconds(60))))
        // The order has been carried out.
        player.playhead = Playhead(track: 0, frame: 250, rate: 1000)
        guard case .save(let state, _)? = supervisor.next(player) else { return #expect(Bool(false), "no save") }
        #expect(state.track == "/music/1" && state.position == .milliseconds(250))
    }

    /// A search that the player answers at once is part of the command's report.
    @Test func answerToASearchIsHandledBeforeTheRest() {
        var supervisor = started()
        // The second track cannot be read.
        let effects = effects(of: .command(.next), at: .seconds(1), on: &supervisor, finding: 0)
        #expect(effects.prefix(2) == [.player(.load(track: 1, at: .zero, .forward)), .takeEvents])
        let reports = effects.compactMap { if case .report(let report) = $0 { report } else { nil } }
        #expect(reports.map(\.answer) == [.success])
        #expect(supervisor.session.track == 0 && !supervisor.isSearching)
    }

    @Test func copyOfASupervisorLeavesTheOriginalUnchanged() {
        var original = started()
        var copy = original
        let effects = effects(of: call, at: .seconds(1), on: &copy)
        #expect(copy.session.isInterrupted && !original.session.isInterrupted)
        #expect(self.effects(of: call, at: .seconds(1), on: &original) == effects)
    }

    @Test func timeInputWithoutPendingWorkOnlyReadsEvents() {
        var supervisor = started()
        _ = effects(of: .time, at: .seconds(1), on: &supervisor)
        #expect(effects(of: .time, at: .seconds(1), on: &supervisor) == [.takeEvents])
        #expect(supervisor.deadline == .seconds(5))
    }
}
