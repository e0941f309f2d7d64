import ALSA
import AudioSession
import Clocks
import Configuration
import Playback
import ResumeStore
import Supervisor
import Systemd

/// The real world, which consists of the system's clocks, levels, disk and sound device. It carries out a supervisor's
/// effects. Use it on the control thread only. None of its methods block.
final class ApplianceWorld {
    private let store: ResumeStore
    private let writer: StateWriter
    /// The live inputs of the player, in the order of the configuration.
    private let inputs: [LiveInput]
    private let levels: Levels
    private let outputs: OutputLines
    private let recording: RecordingControl
    /// The microphone, or nil if the configuration does not contain a signal that mutes it. In that case, Tacet does
    /// not touch the mixer.
    private(set) var microphone: Microphone?
    private var microphoneReports = MicrophoneReports()
    private(set) var player: EnginePlayer?
    /// The saved state from which Tacet started, or nil if there was none.
    private(set) var reading: StateReading?
    /// The time since the boot. Unlike CLOCK_MONOTONIC, it includes the time for which the system was suspended, so
    /// that deadlines pass and announcements expire during sleep.
    private(set) var now: Duration
    private let suspendedTime: () -> Duration
    /// The time for which the system had been suspended when `pass` was last called, which is the difference between
    /// the two clocks.
    private var suspended: Duration
    /// The largest difference between two readings of the clocks that is not a suspension.
    private static let jitter = Duration.milliseconds(10)

    /// - Parameter suspendedTime: Returns the time for which the system has been suspended since the boot.
    init(
        configuration: Configuration, store: ResumeStore, writer: StateWriter, levels: Levels, inputs: [LiveInput],
        outputs: OutputLines, recording: RecordingControl, suspendedTime: @escaping () -> Duration
    ) {
        self.suspendedTime = suspendedTime
        suspended = suspendedTime()
        now = SystemClock.monotonic.now + suspended
        self.store = store
        self.writer = writer
        self.levels = levels
        self.inputs = inputs
        self.outputs = outputs
        self.recording = recording
        _ = adopt(configuration)
    }

    /// Adopts another configuration for the same device.
    /// - Returns: True if the microphone can now be muted and could not be muted before.
    func adopt(_ configuration: Configuration) -> Bool {
        let mutes = configuration.session.signals.contains { $0.effect == .muteMicrophone }
        guard mutes, microphone == nil else { return false }
        microphone = Microphone(PCMAddress(configuration.recording?.device ?? configuration.playback.device))
        return true
    }

    /// Records that the sound device has been opened.
    /// - Parameter card: The card whose mixer mutes the microphone from now on, or nil for the same card as before.
    func deviceOpened(card: Int?) {
        microphoneReports.opened()
        microphone?.use(card: card)
    }

    /// Records that the sound device cannot be opened.
    /// - Returns: The outcome to report for the microphone.
    func deviceLost() -> Microphone.Outcome? { microphoneReports.lost() }

    /// - Returns: The outcome to report for the microphone.
    func takeMicrophoneOutcome() -> Microphone.Outcome? {
        microphone?.takeOutcome().flatMap { microphoneReports.take($0) }
    }

    /// Sets the time of the event that is about to be handled.
    /// - Parameter time: The time on CLOCK_MONOTONIC, or nil for now.
    func pass(to time: Duration? = nil) {
        let total = suspendedTime()
        if total - suspended > Self.jitter || suspended - total > Self.jitter { suspended = total }
        // A level change that was read late must not set the clock back.
        now = max(now, (time ?? SystemClock.monotonic.now) + suspended)
    }

    /// The current instant. It is correct even in the middle of an event, whose time does not change.
    var present: Duration { SystemClock.monotonic.now + suspended }

    /// Converts a time of CLOCK_MONOTONIC.
    func instant(_ time: Duration) -> Duration { time + suspended }

    /// Converts a time to CLOCK_MONOTONIC, which the event loop's timers and the engine use.
    func monotonic(_ time: Duration) -> Duration { time - suspended }

    var wallClock: Duration { SystemClock.wallClock }

    /// The time of the event that is being handled, for the supervisor.
    var moment: Moment { Moment(now, wallClock: wallClock) }

    /// The time at which a state was last written, by the wall clock, or nil if none has been written yet.
    var lastCheckpoint: Duration? { writer.writtenAt.map(SystemClock.wallClock(at:)) }

    // MARK: Facts

    /// Returns the facts from which a supervisor starts.
    func startingFacts() -> StartingFacts {
        let state = Result { () throws(StateError) in try loadState() }
        var facts = StartingFacts(
            state: state, levels: readLines(), shuffleSeed: .random(in: .min ... .max))
        facts.isCaptureAvailable = recording.isDeviceAvailable
        // Until a player reports something else, it is assumed to be as Tacet left it.
        if case .success(let saved?) = state {
            facts.players = Dictionary(
                saved.players.map { (PlayerID($0.name), .paused) }, uniquingKeysWith: { first, _ in first })
            facts.assumedPlayers = Set(facts.players.keys)
        }
        return facts
    }

    /// Returns the current levels. They are read again, because reading the state may have taken a long time since the
    /// lines were requested.
    func readLines() -> LineLevels {
        levels.refresh()
        return LineLevels(levels.signals, complement: levels.complements)
    }

    /// Loads the saved state. After a reload, the state in memory applies, because the disk may be slow, full or a
    /// different one.
    private func loadState() throws(StateError) -> SavedState? {
        if let last = writer.last { return last }
        reading = try store.read()
        levels.resume(reading?.state.held.map { SignalID($0.signal) } ?? [])
        return reading?.state
    }

    var playerState: PlayerState { player?.state ?? PlayerState() }

    // MARK: Effects

    /// - Parameter devices: The devices that other programs use.
    func openPlayer(for supervisor: Supervisor, withholding devices: Set<Int>) {
        let player = EnginePlayer(
            tracks: supervisor.tracks, order: supervisor.trackOrder, sounds: supervisor.soundFiles,
            inputs: inputs, settings: EngineSettings(supervisor.configuration.playback)
        ) {
            // The world owns its player.
            [unowned self] in (now, suspended)
        }
        self.player = player
        player.withhold(devices)
        player.open()
    }

    /// - Parameter quietTime: The time for which it has been quiet, or nil while something is playing.
    func save(_ state: SavedState, urgently: Bool, quietTime: Duration?) {
        var state = state
        if let quietTime { state.quiet = SavedState.Quiet(age: quietTime, pauseCause: state.quiet?.pauseCause) }
        writer.write(state, urgently: urgently)
    }

    func setStateAside() throws(StateError) { try store.setAside() }

    func muteMicrophone(_ isMuted: Bool) {
        recording.mute(isMuted)
        microphone?.set(isMuted: isMuted)
    }

    func record(_ directive: RecordingDirective) { recording.record(directive) }
    func drive(_ asserted: [OutputID]) { outputs.drive(asserted) }
}
