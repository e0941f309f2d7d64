import AudioSession
import DiskLab
import Playback
import ResumeStore
import Supervisor

/// A board whose power goes at any instant: a clock, wires, a player that goes by the clock, and a disk that loses what
/// was not synced.
final class CrashWorld: World {
    var now = Duration.zero
    /// What the wall clock says more than ours: boards without a battery start in 1970.
    var wallClockOffset = Duration.zero
    var levels: [SignalID: Bool] = [:]
    var deviceIsThere = true
    let disk: LabDisk
    let store: ResumeStore
    var writer: LabWriter
    private(set) var player: LabPlayer?
    /// Of all earlier lives, too.
    var heard: Duration { formerlyHeard + (player?.heard ?? .zero) }
    private var formerlyHeard = Duration.zero
    var history: [LabSnapshot] = []
    private(set) var loaded: SavedState?
    private(set) var complaints: [String] = []

    init(seed: UInt64) {
        disk = LabDisk(seed: seed)
        store = ResumeStore(directory: "/state", calls: disk)
        writer = LabWriter(store)
    }

    /// Whoever ran is gone.
    func endLife() {
        player?.advance()
        formerlyHeard = heard
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
        // More is a clock's fault, and is not read back.
        var state = state
        for index in state.held.indices { state.held[index].age = min(state.held[index].age, SavedState.longest) }
        history.append(LabSnapshot(state: state, heard: heard))
        writer.write(history.count - 1, urgently: urgently)
    }

    var shuffleSeed: UInt64 { 1 }

    func makePlayer(tracks: [Track], order: TrackOrder) -> Player {
        let player = LabPlayer(order: order, opens: { [unowned self] in deviceIsThere }) { [unowned self] in now }
        self.player = player
        return player
    }

    func muteMicrophone(_ isMuted: Bool) {}

    func report(_ report: Report) {
        switch report.happening {
        case .stateUnreadable(let reason): complaints.append(reason)
        case .placeLost(let path): complaints.append("\(path) is lost")
        default: break
        }
    }
}
