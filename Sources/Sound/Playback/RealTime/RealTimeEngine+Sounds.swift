import ALSA
import CRealTime
import Time

/// Plays sounds over the music.
extension RealTimeEngine {
    /// Plays a sound from its first frame over the music, in place of the present one, which fades out meanwhile. Opens
    /// the device if it is closed. `soundHeard` reports the first frame, and `soundEnded` the last, or
    /// `soundCut` one before it.
    /// - Parameters:
    ///   - sound: index into the sounds.
    ///   - clip: what is heard instead of the sound's own file, with the same gain; nil for that.
    ///   - number: repeated by the events; higher than all before.
    ///   - isCue: whether the built-in tone, which repeats, replaces a sound that cannot be read, or not within a second.
    ///   - repeats: whether it repeats, without a gap, until it is stopped.
    ///   - wait: how long to wait first; at most an hour.
    ///   - given: when the command was given, on CLOCK_MONOTONIC; nil for now.
    public func playSound(
        _ sound: Int, clip: SoundClip? = nil, order number: Int, isCue: Bool, repeats: Bool, after wait: Duration,
        given: Duration? = nil
    ) {
        sounds.hold(
            SoundControl.Request(
                sound: sound, number: number, isCue: isCue, repeats: repeats, wait: min(wait, .seconds(3600)),
                given: given?.wholeNanoseconds ?? Int(realtime_now()), requested: Int(realtime_now()),
                clip: clip))
        readStaleClip()
        // The device opens while the sound is read. Until then, the previous sound is over.
        orders.device.openings += 1
        order(sound: device.isLeaving ? nil : sounds.takeReady())
        // For the end of the timeout with a file.
        if sounds.timeoutEnd != nil { setAlarm(after: watch.timeout) }
    }

    /// The format in which to load a clip, so that it need not be decoded again.
    public var soundFormat: StreamFormat { sounds.format }

    private func readStaleClip() {
        guard let clip = sounds.takeStaleClip(at: Int(realtime_now())) else { return }
        soundThread?.read(clip: clip)
        // For the end of the timeout with it.
        setAlarm(after: watch.timeout)
    }

    func take(clip number: Int, _ format: StreamFormat, _ result: Result<SoundMemory, DecoderError>) {
        guard let (sound, reason) = sounds.take(clip: number, format, result) else { return }
        events += [.soundBroken(sound: sound, reason: reason), .soundCut(order: number)]
    }

    /// Stops the sound, with a fade-out.
    public func stopSound() {
        guard sounds.isBusy else { return }
        sounds.hold(nil)
        order(sound: nil)
    }

    /// Reads all sounds again: their files can have changed.
    public func readSounds() { soundThread?.read(in: sounds.format) }

    /// Orders a sound that has waited until its file was read, or for too long.
    func orderHeldSound() {
        let now = Int(realtime_now())
        if let late = sounds.giveUpWaiting(at: now) {
            events.append(.soundUnreadable(sound: late, reason: .noAnswer(from: sounds.sounds[late].file)))
        }
        readStaleClip()
        if let (sound, number) = sounds.giveUpClip(at: now) {
            let reason = DecoderError.noAnswer(from: sounds.sounds[sound].file)
            events += [.soundBroken(sound: sound, reason: reason), .soundCut(order: number)]
        }
        // A device that is being left must become silent first.
        guard !device.isLeaving, var ready = sounds.takeReady() else { return }
        // The music has been giving way meanwhile.
        ready.wait = max(0, ready.wait - (now - ready.sound.requested))
        order(sound: ready)
    }

    /// Withdraws a sound whose format the device no longer has. It is ordered again once it has been read.
    func withdrawSound() { order(sound: nil) }

    /// - Parameter ready: nil for silence.
    private func order(sound ready: SoundControl.Ready?) {
        orders.sound.slot = ready.map { Int(bitPattern: $0.sound.slot) } ?? 0
        orders.sound.wait = ready?.wait ?? 0
        orders.sound.number += 1
        soundThread?.read(rest: ready?.rest)
        post()
    }

    /// Forgets the sound, because its device is lost or the engine stops; the caller posts the orders.
    func forgetSound() {
        sounds.hold(nil)
        orders.sound.slot = 0
        orders.sound.number += 1
        soundThread?.read(rest: nil)
    }

    func freeRetiredSounds() {
        guard sounds.hasRetired, exchange.readStatus().done.sound == orders.sound.number else { return }
        sounds.freeRetired()
    }

    func take(soundNote note: Note) {
        guard let sound = sounds.ordered, sound.number == note.number else { return }
        switch note.kind {
        case .soundHeard:
            let effect = CommandEffect(
                given: .nanoseconds(sound.given), heard: .nanoseconds(note.time), frame: note.frame)
            events.append(.soundHeard(order: note.number, effect))
        case .soundEnded, .soundBroken:
            let isCut = sounds.isBroken || note.kind == .soundBroken
            // The disk does not answer, or its file has gone, which has been reported.
            if !sounds.isBroken, isCut, let index = sounds.orderedSound {
                events.append(.soundBroken(sound: index, reason: .noAnswer(from: sounds.sounds[index].file)))
            }
            // The render thread must let go of it before its memory is freed.
            forgetSound()
            post()
            events.append(isCut ? .soundCut(order: note.number) : .soundEnded(order: note.number))
        default: break
        }
    }
}
