import ALSA
import AudioSession
import Configuration
import Playback
import ResumeStore
import Supervisor
import Systemd

/// The real world: the system's clocks, wires, disk and sound device. For control's thread; nothing here blocks.
final class ApplianceWorld: World {
    private var configuration: Configuration
    private let store: ResumeStore
    private let writer: StateWriter
    private let wires: Wires
    /// Nil as long as no signal mutes it: then it is none of our business.
    private(set) var microphone: Microphone?
    private(set) var player: EnginePlayer?
    /// What to do with each report.
    var onReport: (Report) -> Void = { _ in }
    /// Which of the states on the disk it started from; nil where it started from none.
    private(set) var reading: StateReading?
    /// How long it has been quiet, to be saved; nil while something is heard.
    var quietTime: () -> Duration? = { nil }
    /// A state is on its way to the disk.
    var onSave: () -> Void = {}
    private(set) var now = EventClock.monotonic.now

    init(configuration: Configuration, store: ResumeStore, writer: StateWriter, wires: Wires) {
        self.configuration = configuration
        self.store = store
        self.writer = writer
        self.wires = wires
        adopt(configuration)
    }

    deinit {
        microphone?.quit()
    }

    /// Another configuration is in force, of the same device.
    func adopt(_ configuration: Configuration) {
        self.configuration = configuration
        let mutes = configuration.session.signals.contains { $0.effect == .muteMicrophone }
        if mutes, microphone == nil { microphone = Microphone(PCMAddress(configuration.playback.device)) }
    }

    /// Something is about to be handled that happened at that time; nil: now.
    func pass(to time: Duration? = nil) {
        // Edges that were read late do not turn the clock back.
        now = max(now, time ?? EventClock.monotonic.now)
    }

    var wallClock: Duration { EventClock.wallClock }

    /// When a state was last written, by the wall clock; nil where none has been yet.
    var lastCheckpoint: Duration? { writer.writtenAt.map(EventClock.wallClock(at:)) }

    /// As they are now: the state may have taken its time since they were requested.
    func readLines() -> [SignalID: Bool] {
        wires.forgetEdges()
        return wires.levels
    }

    /// After a reload what is in memory counts: the disk may be slow, full or another.
    func loadState() throws(StateError) -> SavedState? {
        if let last = writer.last { return last }
        reading = try store.read()
        return reading?.state
    }
    func setStateAside() throws(StateError) { try store.setAside() }
    func save(_ state: SavedState, urgently: Bool) {
        var state = state
        if let age = quietTime() { state.quiet = SavedState.Quiet(age: age, pauseCause: state.quiet?.pauseCause) }
        writer.write(state, urgently: urgently)
        onSave()
    }

    var shuffleSeed: UInt64 { .random(in: .min ... .max) }

    func makePlayer(tracks: [Track], order: TrackOrder) -> Player {
        let player = EnginePlayer(tracks: tracks, order: order, settings: EngineSettings(configuration.playback)) {
            [unowned self] in now
        }
        self.player = player
        return player
    }

    func muteMicrophone(_ isMuted: Bool) { microphone?.set(isMuted: isMuted) }
    func report(_ report: Report) { onReport(report) }
}
