import ALSA
import Configuration
import Playback
import Supervisor

/// The supervisor's player on a real device. No call waits. If an order takes time, an event reports its completion
/// when `descriptor` becomes readable.
public final class EnginePlayer {
    private let engine: RealTimeEngine
    private let clock: () -> (now: Duration, suspended: Duration)

    /// - Parameters:
    ///   - clock: Returns the time of the event that the supervisor is handling, and the part of that time for which
    ///     the system was suspended. The engine uses the difference between the two.
    public init(
        tracks: TrackList, order: TrackOrder, sounds: [Sound] = [], inputs: [LiveInput] = [],
        settings: EngineSettings, clock: @escaping () -> (now: Duration, suspended: Duration)
    ) {
        engine = RealTimeEngine(tracks: tracks, order: order, sounds: sounds, inputs: inputs, settings: settings)
        self.clock = clock
    }

    /// A descriptor that is readable when events are available.
    public var descriptor: Int32 { engine.descriptor }

    /// The progress of the engine's threads.
    public var progress: EngineProgress { engine.progress }

    /// Makes the engine's threads show that they are alive.
    public func poke(render: Bool, storage: Bool) { engine.poke(render: render, storage: storage) }

    /// Returns true if there may be events. Call this first when `descriptor` is readable.
    public func hasNews() -> Bool { engine.hasNews() }

    /// Ends the engine's threads and closes the device, either at once or after a fade-out in progress has been played.
    /// - Returns: True if the threads have ended within the timeout. If false, call it again.
    public func stop(within timeout: Duration) -> Bool { engine.stop(within: timeout) }

    /// Tries at once to open a device that is lost.
    public func retryDevice() { if !isAsleep { engine.retryDevice() } }

    // MARK: Sleep

    /// An order to play that is kept until the sleep ends.
    private struct PlayOrder {
        var gain: Float
        var rewinding = Duration.zero
        var wait = Duration.zero
    }

    /// True between `sleep` and `wake`.
    private var isAsleep = false
    /// The last order to play the music, or nil if it must be silent.
    private var ordered: PlayOrder?
    /// The sound that was ordered during sleep.
    private var orderedSound: PlayerOrder.SoundStart?
    /// The input of the page that was ordered during sleep.
    private var orderedPage: Int?
    /// The events that were read on waking.
    private var early: [PlaybackEvent] = []

    /// Fades out and closes the device. Until `wake`, orders are kept but nothing is played, and the position remains
    /// where the fade-out began.
    func sleep(fadeOut: Duration) {
        guard !isAsleep else { return }
        isAsleep = true
        orderedSound = nil
        orderedPage = nil
        engine.stopSound()
        engine.silence(over: fadeOut, given: now)
        engine.releaseDevice()
    }

    /// True if `sleep` has taken effect, which means that the fade-out has been played and the device is closed.
    var isReleased: Bool { engine.isDeviceClosed }

    /// Carries out the last orders. The music continues at the frame after the last one that was played completely,
    /// unless silence was ordered.
    func wake(fadeIn: Duration) {
        guard isAsleep else { return }
        isAsleep = false
        // The engine must first determine the state of its device.
        early += engine.takeEvents()
        engine.reacquireDevice()
        if let ordered {
            carryOut(
                .play(gain: ordered.gain, over: fadeIn, rewinding: ordered.rewinding, wait: ordered.wait))
        }
        if let orderedSound { carryOut(.playSound(orderedSound)) }
        if let orderedPage { carryOut(.playPage(input: orderedPage, wait: .zero)) }
        orderedSound = nil
        orderedPage = nil
    }

    /// Keeps devices closed because other programs use them. See `RealTimeEngine.withhold`.
    func withhold(_ devices: Set<Int>) { engine.withhold(devices) }

    /// Returns true if the device with this index in the order of preference is open or may be open.
    func isUsing(_ device: Int) -> Bool { engine.isUsing(device) }

    /// Restarts the watch after a period in which nothing was running, for which the device is not responsible.
    func restartWatch() { engine.restartWatch() }

    // MARK: Orders

    public func open() { engine.open() }

    /// Begins to play an input anew. See `RealTimeEngine.renewInput`.
    func renewInput(_ input: Int) { engine.renewInput(input) }

    public func carryOut(_ order: PlayerOrder) {
        switch order {
        case .tearDown:
            ordered = nil
            engine.tearDown()
        case .rebuild: engine.rebuild()
        case .load(let track, let position, let direction):
            engine.load(track: track, at: position, searching: direction)
        case .seek(let position): engine.seek(to: position)
        case .play(let gain, let ramp, let rewinding, let wait):
            guard isAsleep else {
                ordered = PlayOrder(gain: gain)
                return engine.play(gain: gain, over: ramp, rewinding: rewinding, after: wait, given: now)
            }
            // A change of volume must not undo a rewind.
            ordered = PlayOrder(gain: gain, rewinding: max(rewinding, ordered?.rewinding ?? .zero), wait: wait)
        case .silence(let ramp):
            ordered = nil
            if !isAsleep { engine.silence(over: ramp, given: now) }
        case .playSound(let start):
            guard !isAsleep else {
                orderedPage = nil
                return orderedSound = start
            }
            engine.playSound(
                start.sound, clip: start.clip, order: start.order, isCue: start.isCue, repeats: start.repeats,
                level: start.level, at: start.place, continues: start.continues, after: start.wait, given: now)
        case .setSoundLevel(let gain, let ramp):
            if isAsleep { orderedSound?.level = gain } else { engine.setSoundLevel(gain, over: ramp) }
        case .select(let input, let fadeOut):
            ordered = nil
            engine.select(input.map(PlaybackSource.input) ?? .library, over: fadeOut)
        case .playPage(let input, let wait):
            guard !isAsleep else {
                orderedSound = nil
                return orderedPage = input
            }
            engine.playPage(input, after: wait)
        case .stopSound:
            orderedSound = nil
            orderedPage = nil
            if !isAsleep { engine.stopSound() }
        case .readSounds: engine.readSounds()
        }
    }

    private var now: Duration {
        let (now, suspended) = clock()
        return now - suspended
    }

    /// The format in which to load a clip.
    public var soundFormat: StreamFormat { engine.soundFormat }

    // MARK: State

    public var state: PlayerState {
        var state = PlayerState()
        state.playhead = engine.playhead
        state.heard = engine.heard
        state.certainTrackLength = engine.certainTrackLength
        state.isFadingOut = engine.isFadingOut
        state.tail = engine.tail
        return state
    }

    /// The time until which the device actually plays frames of the music, as far as is known. See
    /// `RealTimeEngine.advancesUntil`.
    public var advancesUntil: Duration { engine.advancesUntil + clock().suspended }
    /// True if the music waits for its file.
    var isLoading: Bool { engine.isLoading }
    /// The current track's length if it is known. It may be an estimate.
    public var trackLength: Duration? { engine.trackLength }
    public func takeEvents() -> [PlaybackEvent] {
        defer { early = [] }
        let suspended = clock().suspended
        return (early + engine.takeEvents()).map { $0.shifted(by: suspended) }
    }
}

extension PlaybackEvent {
    /// Returns the same event with its times on a clock that is ahead of the engine's by this much.
    fileprivate func shifted(by offset: Duration) -> PlaybackEvent {
        switch self {
        case .effect(let effect): .effect(effect.shifted(by: offset))
        case .soundHeard(let order, let effect): .soundHeard(order: order, effect.shifted(by: offset))
        default: self
        }
    }
}

extension EngineSettings {
    /// Creates the settings from the configured ones.
    public init(_ settings: PlaybackSettings) {
        self.init(PCMAddress(settings.device))
        fallbacks.devices = settings.fallbackDevices.map { PCMAddress($0) }
        library = settings.library
        longestFade = settings.longestFade
        handling.closeAfter = settings.closeAfter
        program = "tacet"
        locksMemory = true
    }
}
