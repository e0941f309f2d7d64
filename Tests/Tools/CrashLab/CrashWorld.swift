import AudioSession
import Configuration
import DiskLab
import Playback
import ResumeStore
import Supervisor

/// A board whose power can fail at any time. It consists of a clock, lines, a player that follows the clock, and a disk
/// that loses unsynced data.
final class CrashWorld {
    /// The supervisor, or nil between two lives.
    private(set) var supervisor: Supervisor?
    var now = Duration.zero
    /// The time by which the wall clock is ahead of `now`. A board without a battery starts in 1970.
    var wallClockOffset = Duration.zero
    var levels: [SignalID: Bool] = [:]
    var isDeviceAvailable = true
    let disk: LabDisk
    let store: ResumeStore
    var writer: LabWriter
    private(set) var player: LabPlayer?
    /// The length of the music that has been played in all lives.
    var heard: Duration { heardBefore + (player?.played ?? .zero) }
    private var heardBefore = Duration.zero
    var history: [LabSnapshot] = []
    private(set) var loaded: SavedState?
    private(set) var complaints: [String] = []

    init(seed: UInt64) {
        disk = LabDisk(seed: seed)
        store = ResumeStore(directory: "/state", calls: disk)
        writer = LabWriter(store)
    }

    /// Ends the daemon's process.
    func endLife() {
        player?.advance()
        heardBefore = heard
        supervisor = nil
        player = nil
        writer = LabWriter(store)
        loaded = nil
    }

    // MARK: The supervisor

    var wallClock: Duration { now + wallClockOffset }

    func boot(_ configuration: Configuration, _ tracks: [Track]) {
        supervisor = Supervisor(configuration: configuration, tracks: tracks)
        let state = Result { () throws(StateError) in try store.load() }
        loaded = (try? state.get()) ?? nil
        var facts = StartingFacts(state: state, levels: LineLevels(levels), shuffleSeed: 1)
        facts.isDeviceAvailable = isDeviceAvailable
        handle(.boot(facts))
    }

    /// Passes an input to the supervisor and carries out its effects.
    func handle(_ input: Supervisor.Input) {
        take(input)
        while let effect = supervisor?.next(playerState) { carryOut(effect) }
    }

    var playerState: PlayerState { player?.state ?? PlayerState() }

    private func take(_ input: Supervisor.Input) {
        supervisor?.take(input, at: Moment(now, wallClock: wallClock))
    }

    private func carryOut(_ effect: Supervisor.Effect) {
        switch effect {
        case .openPlayer:
            player = supervisor.map { supervisor in
                LabPlayer(order: supervisor.trackOrder, isThere: isDeviceAvailable) { [unowned self] in now }
            }
        case .player(let order): player?.carryOut(order)
        case .takeEvents: take(.events(player?.takeEvents() ?? []))
        case .save(let state, let urgently): save(state, urgently: urgently)
        case .setStateAside(let reason):
            do throws(StateError) { try store.setAside() } catch { take(.stateNotSetAside(error, because: reason)) }
        case .report(let report): complain(of: report)
        case .muteMicrophone, .record, .drive, .renewList, .command, .findIdleTracks: break
        }
    }

    private func save(_ state: SavedState, urgently: Bool) {
        // The reader shortens ages that result from a wrong clock. They are also shortened here, so that the states
        // compare equal.
        var state = state
        for index in state.held.indices { state.held[index].age = min(state.held[index].age, SavedState.longest) }
        history.append(LabSnapshot(state: state, heard: heard))
        writer.write(history.count - 1, urgently: urgently)
    }

    private func complain(of report: Report) {
        switch report.note {
        case .stateUnreadable(let reason): complaints.append(reason)
        case .placeLost(let path): complaints.append("\(path) is lost")
        default: break
        }
    }
}
