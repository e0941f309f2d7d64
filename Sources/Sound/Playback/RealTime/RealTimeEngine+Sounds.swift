import ALSA
import CRealTime

/// Plays sounds over the programme.
extension RealTimeEngine {
    /// Plays a sound from its first frame over the programme, in place of the present one, which fades out meanwhile. Opens
    /// the device if it is closed. `soundHeard` reports the first frame, and `soundEnded` the last.
    /// - Parameters:
    ///   - sound: index into the sounds.
    ///   - number: repeated by the events; higher than all before.
    ///   - isCue: whether the built-in tone, which repeats, replaces a sound that cannot be read, or not within a second.
    ///   - repeats: whether it repeats, without a gap, until it is stopped.
    ///   - wait: how long to wait first; at most an hour.
    ///   - given: when the command was given, on CLOCK_MONOTONIC; nil for now.
    public func playSound(
        _ sound: Int, order number: Int, isCue: Bool, repeats: Bool, after wait: Duration, given: Duration? = nil
    ) {
        sounds.hold(
            SoundControl.Request(
                sound: sound, number: number, isCue: isCue, repeats: repeats, wait: min(wait, .seconds(3600)),
                given: given?.wholeNanoseconds ?? Int(realtime_now())))
        // The device opens while the sound is read. Until then, the previous sound is over.
        orders.openings += 1
        order(sound: sounds.takeReady(at: Int(realtime_now())))
    }

    /// Stops the sound, with a fade-out.
    public func stopSound() {
        guard sounds.isBusy else { return }
        sounds.hold(nil)
        order(sound: nil)
    }

    /// Orders a sound that has waited until its file was read.
    func orderHeldSound() {
        guard let ready = sounds.takeReady(at: Int(realtime_now())) else { return }
        order(sound: ready)
    }

    /// - Parameter ready: nil for silence.
    private func order(sound ready: (request: SoundControl.Request, sound: OrderedSound, framesInMemory: Int)?) {
        orders.sound = ready.map { Int(bitPattern: $0.sound.slot) } ?? 0
        orders.soundWait = ready?.request.wait.wholeNanoseconds ?? 0
        orders.soundNumber += 1
        soundThread?.read(
            rest: ready.flatMap { ready in
                ready.sound.stream.map {
                    SoundThread.Rest(sound: ready.request.sound, stream: $0, start: ready.framesInMemory)
                }
            })
        post()
    }

    /// Forgets the sound: its device is lost.
    func forgetSound() {
        sounds.hold(nil)
        orders.sound = 0
        orders.soundNumber += 1
    }

    func freeRetiredSounds() {
        guard sounds.hasRetired, exchange.readStatus().soundNumber == orders.soundNumber else { return }
        sounds.freeRetired()
    }

    func take(soundNote note: Note) {
        guard let sound = sounds.ordered, sound.number == note.number else { return }
        switch note.kind {
        case .soundHeard:
            let effect = CommandEffect(
                given: .nanoseconds(sound.given), heard: .nanoseconds(note.time), frame: note.frame)
            events.append(.soundHeard(order: note.number, effect))
        case .soundEnded:
            // It is not posted: the render thread has nothing more to do with it.
            orders.sound = 0
            sounds.hold(nil)
            events.append(.soundEnded(order: note.number))
        default: break
        }
    }
}
