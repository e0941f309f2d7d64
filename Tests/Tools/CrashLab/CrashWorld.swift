import AudioSession
import DiskLab
import Playback
import ResumeStore
import Supervisor

/// A board whose power can fail at any time: a clock, lines, a player that follows the clock, and a disk that loses
/// unsynced data.
final class CrashWorld: World {
    var now = Duration.zero
    /// How far the wall clock is ahead of `now`. A board without a battery starts in 1970.
    var wallClockOffset = Duration.zero
    var levels: [SignalID: Bool] = [:]
    var isDeviceAvailable = true
    let disk: LabDisk
    let store: ResumeStore
    var writer: LabWriter
    private(set) var player: LabPlayer?
    /// How much of the programme has been heard in all lives.
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

    /// Ends the process.
    func endLife() {
        player?.advance()
        heardBefore = heard
        player = nil
        writer = LabWriter(store)
        loaded = nil
    }

    // MARK: The supervisor's world

    var wallClock: Duration { now + wallClockOffset }
    func readLines() -> [SignalID: Bool] { levels }

    func loadState() throws(StateError) -> SavedState? {
        loaded = try store.load()
        return loaded
    }

    func setStateAside() throws(StateError) { try store.setAside() }

    func save(_ state: SavedState, urgently: Bool) {
        // Reading shortens ages that are due to a wrong clock; do the same, so that the states compare equal.
        var state = state
        for index in state.held.indices { state.held[index].age = min(state.held[index].age, SavedState.longest) }
        history.append(LabSnapshot(state: state, heard: heard))
        writer.write(history.count - 1, urgently: urgently)
    }

    var shuffleSeed: UInt64 { 1 }

    func makePlayer(tracks: TrackList, order: TrackOrder, sounds: [Sound]) -> Player {
        let player = LabPlayer(order: order, opens: { [unowned self] in isDeviceAvailable }) { [unowned self] in now }
        self.player = player
        return player
    }

    func drive(_ outputs: [OutputID]) {}
    func muteMicrophone(_ isMuted: Bool) {}
    func openCapture() -> Bool { true }
    func record(_ directive: RecordingDirective) {}
    var recorded: Duration { .zero }

    func report(_ report: Report) {
        switch report.note {
        case .stateUnreadable(let reason): complaints.append(reason)
        case .placeLost(let path): complaints.append("\(path) is lost")
        default: break
        }
    }
}
