import ALSA
import CRealTime
import Time

/// The functions that play sounds over the music.
extension RealTimeEngine {
    /// Plays a sound over the music. It replaces the current sound, which fades out over its first frames. The engine
    /// opens the device if it is closed. `soundHeard` reports the first frame. `soundEnded` reports the last frame, or
    /// `soundCut` reports an earlier end.
    /// - Parameters:
    ///   - sound: the index of the sound in the sounds.
    ///   - clip: the clip to play instead of the sound's own file, with the same gain, or nil to play the file.
    ///   - call: the number of this call, which the events contain. It must be higher than the numbers of all previous
    ///     calls.
    ///   - isCue: true if the built-in repeating tone replaces a sound that cannot be read or is not read within a
    ///     second.
    ///   - repeats: true if the sound repeats without a gap until it is stopped.
    ///   - level: the linear gain, 0…1, that applies in addition to the sound's own. See `setSoundLevel`.
    ///   - place: the place at which the sound starts, and at which it notes where it stops, or nil to start at its first
    ///     frame.
    ///   - continues: true if another call has used that place before.
    ///   - wait: the time to wait before the first frame, which is at most an hour.
    ///   - given: the time at which the command was given, on CLOCK_MONOTONIC, or nil for the current time.
    public func playSound(
        _ sound: Int, clip: SoundClip? = nil, order call: Int, isCue: Bool, repeats: Bool, level: Float = 1,
        at place: SoundPlace? = nil, continues: Bool = false, after wait: Duration, given: Duration? = nil
    ) {
        stopPage()
        sounds.hold(
            SoundControl.Request(
                sound: sound, call: call, isCue: isCue, repeats: repeats, wait: min(wait, .seconds(3600)),
                given: given?.wholeNanoseconds ?? Int(realtime_now()), requested: Int(realtime_now()),
                clip: clip, place: place, continues: continues))
        readStaleClip()
        orders.sound.level = Int(level.bitPattern)
        orders.sound.isCue = isCue ? 1 : 0
        // The device opens while the sound is read. The previous sound ends at once.
        orders.device.openings += 1
        order(sound: device.isLeaving || sounds.awaitsPlace ? nil : sounds.takeReady())
        // Wake up when the time limit for reading a file ends.
        if sounds.timeoutEnd != nil { setAlarm(after: watch.timeout) }
    }

    /// Changes the gain that applies to the current sound in addition to its own, with a ramp. A sound that has not begun
    /// begins with the new gain. The call does nothing if there is no sound.
    /// - Parameter gain: the linear gain, 0…1.
    public func setSoundLevel(_ gain: Float, over ramp: Duration) {
        guard sounds.isBusy else { return }
        orders.sound.level = Int(gain.bitPattern)
        orders.sound.ramp = min(ramp, .seconds(3600)).wholeNanoseconds
        orders.sound.levels += 1
        post()
    }

    /// The format in which to load a clip, so that it does not have to be decoded again.
    public var soundFormat: StreamFormat { sounds.format }

    private func readStaleClip() {
        guard let clip = sounds.takeStaleClip(at: Int(realtime_now())) else { return }
        soundThread?.read(clip: clip)
        // Wake up when the time limit for decoding the clip ends.
        setAlarm(after: watch.timeout)
    }

    func take(clip call: Int, _ format: StreamFormat, _ result: Result<SoundMemory, DecoderError>) {
        guard let (sound, reason) = sounds.take(clip: call, format, result) else { return }
        events += [.soundBroken(sound: sound, reason: reason), .soundCut(order: call)]
    }

    /// Stops the sound or the page with a fade-out.
    public func stopSound() {
        stopPage()
        guard sounds.isBusy else { return }
        sounds.hold(nil)
        orders.sound.isCue = 0
        order(sound: nil)
    }

    /// Reads all sounds again, because their files may have changed.
    public func readSounds() { soundThread?.read(in: sounds.format) }

    /// Orders a sound that has waited until its file was read or until its time limit ended.
    func orderHeldSound() {
        let now = Int(realtime_now())
        if let late = sounds.giveUpWaiting(at: now) {
            events.append(.soundUnreadable(sound: late, reason: .noAnswer(from: sounds.sounds[late].file)))
        }
        readStaleClip()
        if let (sound, call) = sounds.giveUpClip(at: now) {
            let reason = DecoderError.noAnswer(from: sounds.sounds[sound].file)
            events += [.soundBroken(sound: sound, reason: reason), .soundCut(order: call)]
        }
        if let (sound, call) = sounds.giveUpOpening(at: now) {
            let reason = DecoderError.noAnswer(from: sounds.sounds[sound].file)
            events += [.soundBroken(sound: sound, reason: reason), .soundCut(order: call)]
        }
        // The render thread writes the place of a sound before it reports that it has executed the order to stop it.
        guard !sounds.awaitsPlace || exchange.readStatus().done.sound == orders.sound.number else { return }
        if let rest = sounds.takeOpening(at: now) {
            soundThread?.read(rest: rest)
            // Wake up when the time limit for opening the rest ends.
            setAlarm(after: watch.timeout)
        }
        // A device that is being closed in favour of another one must become silent first.
        guard !device.isLeaving, var ready = sounds.takeReady() else { return }
        // The music has been fading in the meantime, so subtract that time.
        ready.wait = max(0, ready.wait - (now - ready.sound.requested))
        order(sound: ready)
    }

    /// Withdraws a sound that is not in the device's current format. It is ordered again once it has been read in that
    /// format.
    func withdrawSound() { order(sound: nil) }

    /// - Parameter ready: the sound, or nil for silence.
    private func order(sound ready: SoundControl.Ready?) {
        orders.sound.slot = ready.map { Int(bitPattern: $0.sound.slot) } ?? 0
        orders.sound.wait = ready?.wait ?? 0
        orders.sound.number += 1
        soundThread?.read(rest: ready?.rest)
        post()
    }

    /// Removes the sound, because its device is lost or the engine stops. The caller must post the orders.
    func forgetSound() {
        forgetPage()
        sounds.hold(nil)
        orders.sound.isCue = 0
        orders.sound.slot = 0
        orders.sound.number += 1
        soundThread?.read(rest: nil)
    }

    func freeRetiredSounds() {
        guard sounds.hasRetired, exchange.readStatus().done.sound == orders.sound.number else { return }
        sounds.freeRetired()
    }

    func take(soundEvent event: RenderEvent) {
        guard let sound = sounds.ordered, sound.call == event.number else { return }
        switch event.kind {
        case .soundHeard:
            let effect = CommandEffect(
                given: .nanoseconds(sound.given), heard: .nanoseconds(event.time), frame: event.frame)
            events.append(.soundHeard(order: event.number, effect))
        case .soundEnded, .soundBroken:
            let isCut = sounds.isBroken || event.kind == .soundBroken
            // Either the disk does not answer, or the file has been removed. The removal has already been reported.
            if !sounds.isBroken, isCut, let index = sounds.orderedSound {
                events.append(.soundBroken(sound: index, reason: .noAnswer(from: sounds.sounds[index].file)))
            }
            // The render thread must release the sound before its memory is freed.
            forgetSound()
            post()
            events.append(isCut ? .soundCut(order: event.number) : .soundEnded(order: event.number))
        default: break
        }
    }
}
