import ALSA
import Playback
import Supervisor

/// The real engine on a virtual device. Its output goes through libasound to the recorder, or is discarded.
final class VirtualPlayer {
    private let engine: OfflineEngine
    /// The world owns this player.
    private unowned let world: VirtualWorld
    private var clock: DeviceClock?
    private var rendered = 0
    /// The time at which music that waits for an amplifier begins.
    private var begins = Duration.zero
    /// The events of the engine that the supervisor has not received yet.
    private var events: [PlaybackEvent] = []

    init(engine: OfflineEngine, world: VirtualWorld) {
        self.engine = engine
        self.world = world
    }

    // MARK: The device

    /// Opens the device, if it is present.
    func open() {
        guard world.device.isThere else { return }
        start { engine.open($0) }
        world.beginGain(engine.gain)
    }

    func close() {
        engine.close()
        stopClock()
    }

    /// Stops the device and ends the sound, because the system is suspended.
    func sleep() {
        stopClock()
        engine.forgetSound()
    }

    /// Continues on the device at the frame that was played last. A fade-out that was in progress has ended.
    func wake() {
        guard engine.isOpen else { return }
        start { engine.reopen($0) }
        // The lead of an amplifier continued to run during sleep.
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

    // MARK: The music

    func carryOut(_ order: PlayerOrder) {
        switch order {
        case .tearDown: close()
        case .rebuild:
            stopClock()
            start { engine.isOpen ? engine.reopen($0) : engine.open($0) }
        case .load(let track, let position, let direction):
            engine.load(track: track, at: position, searching: direction)
        case .seek(let position): engine.seek(to: position)
        case .select(let input, let fadeOut):
            engine.select(input.map(PlaybackSource.input) ?? .library, over: fadeOut)
        case .play(let gain, let ramp, let rewinding, let wait):
            begins = world.now + wait
            engine.play(gain: gain, over: ramp, rewinding: rewinding, after: wait)
        case .silence(let ramp): engine.silence(over: ramp)
        case .playSound(let start):
            engine.playSound(
                start.sound, clip: start.clip, order: start.order, isCue: start.isCue, repeats: start.repeats,
                level: start.level, at: start.place, after: start.wait)
        case .setSoundLevel(let gain, let ramp): engine.setSoundLevel(gain, over: ramp)
        case .playPage(let input, let wait): engine.playPage(input, after: wait)
        case .stopSound: engine.stopSound()
        // The files do not change during a rehearsal.
        case .readSounds: break
        }
    }

    /// Lets audio arrive at the input with this index, or lets it cease.
    func setArrival(at input: Int, _ arrives: Bool) { engine.setArrival(at: input, arrives) }

    /// The state of the player. A search takes no virtual time, so the position of the playhead is also the position
    /// that is heard.
    var state: PlayerState {
        var state = PlayerState()
        state.playhead = engine.playhead
        state.heard = state.playhead
        state.certainTrackLength = engine.certainTrackLength
        state.isFadingOut = engine.isFadingOut
        return state
    }

    func takeEvents() -> [PlaybackEvent] {
        defer { events = [] }
        return events + engine.takeEvents()
    }
}
