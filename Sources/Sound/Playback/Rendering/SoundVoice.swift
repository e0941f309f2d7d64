/// The second voice of a `RenderCore`. It mixes one sound over the music, independently of the music's gain.
///
/// A sound begins with exactly its first frame, after the requested wait. A sound that is cut off fades out over the
/// first frames of whatever follows. Use this type from the render thread. Like `RenderCore`, it does not allocate,
/// lock or wait.
struct SoundVoice: ~Copyable {
    /// The reader, which does not contain frames while there is no sound. Neither this nor `brokenEnd` is an optional
    /// because Swift 6.0 cannot compile an optional in a noncopyable type.
    private var reader: SoundReader
    private let nothing: UnsafeMutablePointer<Float>
    /// The number of frames since the frame with which the sound started, or a negative number while the sound waits. It
    /// continues to increase after the end of the sound.
    private(set) var position = 0
    /// The position at which a sound ends early because its rest cannot be read in time, or -1 if this has not
    /// happened.
    private var brokenEnd = -1
    /// The gain that applies in addition to the sound's own, and its ramp.
    private(set) var level = GainRamp(gain: 1)
    private var tail: CrossfadeTail
    private let channels: Int
    private let rate: Int

    /// - Parameter fade: the number of frames over which a sound that is cut off fades out.
    init(channels: Int, fade: Int, rate: Int) {
        self.channels = channels
        self.rate = rate
        tail = CrossfadeTail(capacity: fade, channels: channels)
        nothing = .allocate(capacity: 1)
        nothing.initialize(to: 0)
        reader = SoundReader(samples: nothing, channels: channels, frames: 0, repeats: false, gain: 0)
    }

    deinit {
        nothing.deallocate()
    }

    private var hasSound: Bool {
        @_noLocks @_noAllocation get { reader.frames > 0 }
    }

    /// The position of the end of the sound, or nil if there is no sound, if the sound does not have an end, or if its
    /// end is not known yet.
    var end: Int? {
        @_noLocks @_noAllocation get {
            if !hasSound { return nil }
            return brokenEnd >= 0 ? brokenEnd : reader.end
        }
    }

    /// The frame of the sound that is mixed next, or with which it will start.
    var frame: Int { reader.start + max(0, position) }

    /// True if the sound ends early because its rest was not read in time.
    var isBroken: Bool {
        @_noLocks @_noAllocation get { brokenEnd >= 0 }
    }

    private var isAtEnd: Bool {
        @_noLocks @_noAllocation get {
            guard hasSound else { return true }
            guard let end else { return false }
            return position >= end
        }
    }

    /// True if a sound has been mixed to its end and no other sound has replaced it.
    var hasEnded: Bool {
        @_noLocks @_noAllocation get { hasSound && isAtEnd }
    }

    /// True if the output is silent and stays silent until the next sound.
    var isSilent: Bool {
        @_noLocks @_noAllocation get { isAtEnd && tail.remaining == 0 }
    }

    /// The number of frames until the sound's last frame has been mixed, or nil if this number is unknown or the sound
    /// has ended.
    var framesUntilEnd: Int? {
        @_noLocks @_noAllocation get {
            guard let end, position < end else { return nil }
            return end - position
        }
    }

    /// The number of frames that can be mixed now without breaking off a sound that is still being read.
    var framesAhead: Int {
        @_noLocks @_noAllocation get {
            guard hasSound, end == nil else { return Int.max }
            return max(0, reader.readable(at: max(0, position)) - tail.capacity)
        }
    }

    /// Plays a sound. It replaces the current sound, which fades out.
    /// - Parameters:
    ///   - position: the first position to play, or a negative number to wait first.
    ///   - level: the gain that applies in addition to the sound's own.
    @_noLocks @_noAllocation
    mutating func play(_ next: SoundReader, from position: Int, level: GainRamp) {
        cut()
        reader = next
        self.position = position
        self.level = level
    }

    /// Changes the gain that applies in addition to the sound's own with a ramp, or at once if nothing of the sound has
    /// been mixed yet. Does nothing if there is no sound.
    @_noLocks @_noAllocation
    mutating func setLevel(to gain: Float, over frames: Int) {
        if hasSound { level.retarget(to: gain, over: position > 0 ? frames : 0) }
    }

    /// Stops the sound with a fade-out.
    @_noLocks @_noAllocation
    mutating func stop() {
        cut()
    }

    @_noLocks @_noAllocation
    private mutating func cut() {
        notePlace(unheard: 0)
        moveToTail()
        release()
    }

    /// Notes the place at which the sound stops, so that a later order can continue it there.
    /// - Parameter unheard: the number of frames that have been mixed but will not be played.
    @_noLocks @_noAllocation
    func notePlace(unheard: Int) {
        if hasSound { reader.note(position - unheard, rate: rate) }
    }

    @_noLocks @_noAllocation
    private mutating func release() {
        reader = SoundReader(samples: nothing, channels: channels, frames: 0, repeats: false, gain: 0)
        brokenEnd = -1
        position = 0
        level = GainRamp(gain: 1)
    }

    /// Discards everything without a fade-out.
    @_noLocks @_noAllocation
    mutating func clear() {
        release()
        tail.clear()
    }

    /// Adds the next frames to `output`.
    /// - Returns: true if anything was added.
    @_noLocks @_noAllocation
    mutating func mix(into output: UnsafeMutablePointer<Float>, frames: Int) -> Bool {
        var isHeard = tail.remaining > 0
        tail.mix(into: output, frames: frames)
        guard hasSound else { return isHeard }
        var done = 0
        if position < 0 {
            done = min(frames, -position)
            position += done
        }
        if done < frames, !isAtEnd {
            isHeard = true
            while done < frames, !isAtEnd {
                let segment = reader.segment(at: position, limit: min(frames - done, framesUntilEnd ?? Int.max))
                if segment.frames == 0 { break }
                add(segment.start, to: output + done * channels, frames: segment.frames)
                reader.consume(segment.frames, at: position)
                position += segment.frames
                done += segment.frames
            }
        }
        position += frames - done
        return isHeard
    }

    /// Prevents a click when the rest of a sound is not read in time, by fading out the frames that have been read. A
    /// sound that repeats starts again with the part in memory, so that a slow disk never silences an alarm. Any other
    /// sound ends. Call this before the checkpoint of the frames that follow, because it cannot be undone.
    /// - Parameter frames: the maximum number of frames that are mixed next.
    /// - Returns: true if the sound has broken off.
    @_noLocks @_noAllocation
    mutating func breakOff(before frames: Int) -> Bool {
        guard hasSound, position + frames > 0, end == nil,
            reader.readable(at: max(0, position)) < frames + tail.capacity
        else { return false }
        moveToTail()
        if reader.repeats {
            reader = reader.inMemory
            position = 0
        } else {
            brokenEnd = position
        }
        return true
    }

    @_noLocks @_noAllocation
    private mutating func add(_ source: UnsafePointer<Float>, to output: UnsafeMutablePointer<Float>, frames: Int) {
        guard !level.isAtRest else {
            let gain = reader.gain * level.gain
            for index in 0..<frames * channels { output[index] += source[index] * gain }
            return
        }
        for frame in 0..<frames {
            let gain = reader.gain * level.next()
            for index in frame * channels..<(frame + 1) * channels { output[index] += source[index] * gain }
        }
    }

    /// Moves the sound's next frames to the tail with a fade-out.
    @_noLocks @_noAllocation
    private mutating func moveToTail() {
        // Before the sound's first frame, nothing has been played that could fade out.
        guard hasSound, position > 0, !isAtEnd else { return }
        let readable = min(reader.readable(at: position), framesUntilEnd ?? Int.max)
        var left = min(tail.capacity, readable)
        guard left > 0 else { return }
        var fade = GainRamp(gain: reader.gain * level.gain)
        fade.retarget(to: 0, over: left)
        var output = tail.open(frames: left)
        while left > 0 {
            let segment = reader.segment(at: position, limit: left)
            if segment.frames == 0 { break }
            var source = segment.start
            for _ in 0..<segment.frames {
                let gain = fade.next()
                for channel in 0..<channels { output[channel] += source[channel] * gain }
                output += channels
                source += channels
            }
            reader.consume(segment.frames, at: position)
            position += segment.frames
            left -= segment.frames
        }
    }

    /// Moves back by frames that were mixed but not played.
    @_noLocks @_noAllocation
    mutating func rewind(by frames: Int) {
        guard hasSound else { return }
        position -= frames
        reader.rewind(to: position)
    }
}

/// Everything that `SoundVoice.mix` changes.
struct SoundVoiceCheckpoint: Sendable {
    let reader: SoundReader
    let position: Int
    let brokenEnd: Int
    let level: GainRamp
    let tailPosition: Int

    @_noLocks @_noAllocation
    init(reader: SoundReader, position: Int, brokenEnd: Int, level: GainRamp, tailPosition: Int) {
        self.reader = reader
        self.position = position
        self.brokenEnd = brokenEnd
        self.level = level
        self.tailPosition = tailPosition
    }
}

extension SoundVoice {
    var checkpoint: SoundVoiceCheckpoint {
        @_noLocks @_noAllocation get {
            SoundVoiceCheckpoint(
                reader: reader, position: position, brokenEnd: brokenEnd, level: level,
                tailPosition: tail.position)
        }
    }

    @_noLocks @_noAllocation
    mutating func restore(_ checkpoint: SoundVoiceCheckpoint) {
        reader = checkpoint.reader
        position = checkpoint.position
        brokenEnd = checkpoint.brokenEnd
        level = checkpoint.level
        tail.rewind(to: checkpoint.tailPosition)
        reader.rewind(to: position)
    }
}
