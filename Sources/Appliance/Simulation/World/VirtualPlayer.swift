import ALSA
import Playback
import Supervisor

/// The real engine on a virtual device: its output goes through libasound to the recorder, or is discarded.
final class VirtualPlayer: Player {
    private let engine: OfflineEngine
    /// The world owns this player.
    private unowned let world: VirtualWorld
    private var clock: DeviceClock?
    private var rendered = 0
    /// When a programme that waits for an amplifier begins.
    private var begins = Duration.zero
    /// The engine's events that the supervisor has not taken yet.
    private var events: [PlaybackEvent] = []

    init(engine: OfflineEngine, world: VirtualWorld) {
        self.engine = engine
        self.world = world
    }

    // MARK: The device

    func open() -> Bool {
        guard world.device.isThere else { return false }
        start { engine.open($0) }
        world.beginGain(engine.gain)
        return true
    }

    func tearDown() {
        engine.close()
        stopClock()
    }

    func rebuild() {
        stopClock()
        start { engine.isOpen ? engine.reopen($0) : engine.open($0) }
    }

    /// The system is suspended: the device stops, and the sound is over.
    func sleep() {
        stopClock()
        engine.forgetSound()
    }

    /// Continues on the device at the frame heard last. A fade-out that was in progress is over.
    func wake() {
        guard engine.isOpen else { return }
        start { engine.reopen($0) }
        // An amplifier's lead has run meanwhile.
        engine.shortenWait(to: max(.zero, begins - world.now))
        world.beginGain(engine.gain)
    }

    private func start(_ open: (any PCMOutput) -> Void) {
        do throws(PCMError) {
            open(try world.openOutput())
            clock = DeviceClock(opened: world.now, rate: world.device.format.rate)
            rendered = 0
        } catch {
            world.fail(error)
        }
    }

    private func stopClock() {
        guard clock != nil else { return }
        clock = nil
        world.closeOutput()
    }

    /// Plays until an instant, or until an event that the supervisor must handle.
    /// - Returns: the instant that was reached.
    func render(until end: Duration) throws(PCMError) -> Duration {
        guard let clock else { return end }
        let target = clock.frames(at: end)
        while rendered < target {
            let frames = min(target - rendered, world.chunk(rate: clock.rate))
            rendered += try engine.render(frames: frames)
            world.observe(gain: engine.gain, at: clock.time(of: rendered))
            events += engine.takeEvents()
            if !events.isEmpty { return min(max(clock.time(of: rendered), world.now), end) }
        }
        return end
    }

    // MARK: The programme

    func load(track: Int, at position: Duration, direction: SearchDirection) {
        engine.load(track: track, at: position, searching: direction)
    }

    func seek(to position: Duration) { engine.seek(to: position) }
    func play(gain: Float, over ramp: Duration, rewinding: Duration, after wait: Duration) {
        begins = world.now + wait
        engine.play(gain: gain, over: ramp, rewinding: rewinding, after: wait)
    }
    func silence(over ramp: Duration) { engine.silence(over: ramp) }
    /// No announcement of a rehearsal has a file of its own.
    func playSound(_ sound: Int, clip: SoundClip?, order: Int, isCue: Bool, repeats: Bool, after wait: Duration) {
        engine.playSound(sound, order: order, isCue: isCue, repeats: repeats, after: wait)
    }
    func stopSound() { engine.stopSound() }
    /// Nothing changes the files of a rehearsal.
    func readSounds() {}

    var isFadingOut: Bool { engine.isFadingOut }
    var playhead: Playhead? { engine.playhead }
    /// A search takes no virtual time.
    var heard: Playhead? { playhead }
    var trackLength: Duration? { engine.trackLength }
    var certainTrackLength: Duration? { engine.certainTrackLength }

    func takeEvents() -> [PlaybackEvent] {
        defer { events = [] }
        return events + engine.takeEvents()
    }
}
