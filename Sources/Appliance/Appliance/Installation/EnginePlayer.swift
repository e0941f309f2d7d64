import ALSA
import Configuration
import Playback
import Supervisor

/// The supervisor's player on a real device. No call waits: an event reports what takes time, when `descriptor` becomes
/// readable.
public final class EnginePlayer: Player {
    private let engine: RealTimeEngine
    private let now: () -> Duration

    /// - Parameters:
    ///   - now: the time of the event that the supervisor is handling, on CLOCK_MONOTONIC; its commands carry it.
    public init(
        tracks: [Track], order: TrackOrder, sounds: [Sound] = [], settings: EngineSettings,
        now: @escaping () -> Duration
    ) {
        engine = RealTimeEngine(tracks: tracks, order: order, sounds: sounds, settings: settings)
        self.now = now
    }

    /// Readable when there are events to take.
    public var descriptor: Int32 { engine.descriptor }

    /// The progress of the engine's threads.
    public var progress: EngineProgress { engine.progress }

    /// Makes the engine's threads show that they are alive.
    public func poke() { engine.poke() }

    /// Ends the engine's threads and closes the device: at once, or when a fade-out in progress has been heard.
    /// - Returns: whether they have ended within the timeout; if not, call it again.
    public func stop(within timeout: Duration) -> Bool { engine.stop(within: timeout) }

    /// A hint: tries at once to open a device that is lost.
    public func retryDevice() { engine.retryDevice() }

    public func open() -> Bool {
        engine.open()
        return true
    }

    public func tearDown() { engine.tearDown() }
    public func rebuild() { engine.rebuild() }

    public func load(track: Int, at position: Duration, direction: SearchDirection) {
        engine.load(track: track, at: position, searching: direction)
    }

    public func seek(to position: Duration) { engine.seek(to: position) }

    public var tail: Duration { engine.tail }
    public var isFadingOut: Bool { engine.isFadingOut }

    public func play(gain: Float, over ramp: Duration, rewinding: Duration, after wait: Duration) {
        engine.play(gain: gain, over: ramp, rewinding: rewinding, after: wait, given: now())
    }

    public func silence(over ramp: Duration) { engine.silence(over: ramp, given: now()) }

    public func playSound(_ sound: Int, order: Int, isCue: Bool, repeats: Bool, after wait: Duration) {
        engine.playSound(sound, order: order, isCue: isCue, repeats: repeats, after: wait, given: now())
    }

    public func stopSound() { engine.stopSound() }
    public func readSounds() { engine.readSounds() }

    public var playhead: Playhead? { engine.playhead }
    public var heard: Playhead? { engine.heard }
    /// Whether the device is really taking frames of the programme. See `RealTimeEngine.isAdvancing`.
    public var isAdvancing: Bool { engine.isAdvancing }
    /// Whether the programme waits for its file.
    var isLoading: Bool { engine.isLoading }
    public var trackLength: Duration? { engine.trackLength }
    public func takeEvents() -> [PlaybackEvent] { engine.takeEvents() }
}

extension EngineSettings {
    /// As configured.
    public init(_ settings: PlaybackSettings) {
        self.init(PCMAddress(settings.device))
        library = settings.library
        longestFade = settings.fadeOut
        closeAfter = settings.closeAfter
        locksMemory = true
    }
}
