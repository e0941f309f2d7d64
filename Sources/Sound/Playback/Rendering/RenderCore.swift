import CRealTime

/// Renders the selected source multiplied by the gain, without a click when anything changes, and mixes a sound over it.
/// The source is the music of the library, which comes from the ring, or a live input.
///
/// The core is a pure state machine over the ring, for one thread. Its methods do not allocate, lock, wait or call the
/// system, which the compiler checks as far as possible.
public struct RenderCore: ~Copyable {
    private var progress: RenderProgress
    private var tail: CrossfadeTail
    public private(set) var ring: RingReader
    private let jumpFade: Int
    private let rate: Int
    private(set) var voice: SoundVoice
    private(set) var live: LiveVoices
    /// The page that is mixed over the source, which takes the place of a sound.
    private(set) var page: LiveVoices

    /// - Parameters:
    ///   - ring: the ring, which must exist until a jump to another ring.
    ///   - jumpFade: the number of frames over which a jump fades out the old music and fades in the new music. A sound
    ///     that is cut off fades out over the same number of frames.
    ///   - rate: the rate in Hz.
    public init(ring: RingReader, jumpFade: Int, rate: Int = 48_000) {
        self.ring = ring
        self.jumpFade = max(0, jumpFade)
        self.rate = rate
        tail = CrossfadeTail(capacity: self.jumpFade, channels: ring.channels)
        voice = SoundVoice(channels: ring.channels, fade: self.jumpFade, rate: rate)
        live = LiveVoices(channels: ring.channels, rate: rate, fade: min(self.jumpFade, rate / 200))
        page = LiveVoices(channels: ring.channels, rate: rate, fade: min(self.jumpFade, rate / 200))
        progress = RenderProgress(limiter: Limiter(rate: rate))
    }

    /// The state of the library's music.
    public var state: RenderState { @_noLocks @_noAllocation get { progress.state } }

    /// The requested gain of the library's music and its ramp.
    public var level: GainRamp { @_noLocks @_noAllocation get { progress.gains.level } }

    /// The state of the selected source.
    var sourceState: RenderState {
        @_noLocks @_noAllocation get { live.isSelected ? live.selected.state : progress.state }
    }

    /// The requested gain of the selected source and its ramp.
    var sourceLevel: GainRamp {
        @_noLocks @_noAllocation get { live.isSelected ? live.selected.level : progress.gains.level }
    }

    /// The number of silent frames before the music begins, while it waits for the amplifier. During this wait, the
    /// music and its ramp do not advance.
    public var hold: Int { @_noLocks @_noAllocation get { progress.hold } }

    /// True if the music has been or is being faded out because the ring is running dry.
    public var isStarving: Bool { @_noLocks @_noAllocation get { progress.isStarving } }

    /// The number of frames rendered as silence because the ring had run dry before the music's end.
    public var starvedFrames: Int { @_noLocks @_noAllocation get { progress.starvedFrames } }

    /// The ring index of the next frame to be played, now or after playback resumes.
    public var continueIndex: Int {
        @_noLocks @_noAllocation get {
            progress.state.isStopping ? progress.resumeIndex : ring.readIndex
        }
    }

    /// The number of frames until `render` changes the state or returns true, or nil if it will not do so on its own.
    public var framesUntilFaded: Int? {
        @_noLocks @_noAllocation get {
            let own: Int? =
                switch progress.state {
                case .stopping: progress.gains.level.remaining
                case .stopped: progress.fadedWhenTailEnds ? tail.remaining : nil
                case .playing: nil
                }
            guard let own else { return live.framesUntilFaded }
            return min(own, live.framesUntilFaded ?? own)
        }
    }

    /// True if a requested silence has not been reached yet, and will be reported.
    var isFadePending: Bool {
        @_noLocks @_noAllocation get {
            if live.selected.framesUntilFaded != nil { return true }
            return progress.fadedWhenTailEnds || (progress.state.isStopping && !progress.fadesQuietly)
        }
    }

    /// The number of frames that can be rendered long before they are played. It does not include the end of a
    /// fade-out, because the end cannot be undone. It also does not include frames of music or of a sound that have not
    /// been read yet, because they may still be read in time. Frames of a live input are rendered only shortly before they
    /// are played.
    var framesAhead: Int {
        @_noLocks @_noAllocation get {
            if !live.isSilent || !page.isSilent { return 0 }
            var frames = voice.framesAhead
            if let end = framesUntilFaded { frames = min(frames, max(0, end - 1)) }
            if !progress.state.isStopped, ring.endIndex == nil {
                frames = min(frames, progress.isStarving ? 0 : max(0, ring.readableFrames - jumpFade))
            }
            return frames
        }
    }

    /// True if the output is silent and stays silent until `play` or `playSound` is called.
    public var isSilent: Bool {
        @_noLocks @_noAllocation get {
            progress.state.isStopped && live.isSilent && page.isSilent && tail.remaining == 0 && voice.isSilent
        }
    }

    /// Plays the selected source with a ramp to `gain`. If playback is stopped, the music starts from silence at the
    /// ring's read index, and an input starts with the frame whose turn it is. During a fade-out, the call reverses the
    /// fade-out from the current gain. While the source is playing, it changes the volume.
    /// - Parameter wait: the number of frames before the source is heard, if playback is stopped. The music waits, but
    ///   the frames of an input pass.
    @_noLocks @_noAllocation
    public mutating func play(gain: Float, over frames: Int, after wait: Int = 0) {
        guard !live.isSelected else { return live.play(gain: gain, over: frames, after: wait) }
        progress.fadesQuietly = false
        if progress.state.isStopped {
            progress.hold = max(0, wait)
            progress.gains = PlaybackGain(level: GainRamp())
            progress.isStarving = false
            progress.fadedWhenTailEnds = false
        }
        progress.state = .playing
        progress.gains.level.retarget(to: gain, over: frames)
    }

    /// Fades the selected source out over `frames` frames. If it is the music, the ring is then rewound to the frame at
    /// which the fade-out began. Does nothing unless the source is playing.
    /// - Returns: true if the output is already silent.
    @_noLocks @_noAllocation
    public mutating func silence(over frames: Int) -> Bool {
        live.isSelected ? live.silence(over: frames) : silenceMusic(over: frames)
    }

    /// Selects a live input, which is silent until `play` is called. The previous source fades out, and the end of its
    /// fade-out is not reported.
    /// - Parameter reader: the input, which must exist until it has faded out after the next selection.
    @_noLocks @_noAllocation
    mutating func select(_ reader: LiveReader, over frames: Int) {
        leaveMusic(over: frames)
        live.select(reader, over: frames, tail: &tail)
    }

    /// Selects a live input that has no frames, so nothing is heard after the previous source has faded out.
    @_noLocks @_noAllocation
    mutating func selectNothing(over frames: Int) {
        leaveMusic(over: frames)
        live.deselect(over: frames, tail: &tail, isOther: true)
    }

    /// Selects the library. An input fades out.
    @_noLocks @_noAllocation
    mutating func selectLibrary(over frames: Int) {
        if live.isSelected {
            live.deselect(over: frames, tail: &tail, isOther: false)
        } else {
            leaveMusic(over: frames)
        }
    }

    @_noLocks @_noAllocation
    private mutating func leaveMusic(over frames: Int) {
        progress.fadesQuietly = true
        _ = silenceMusic(over: frames)
        progress.fadedWhenTailEnds = false
    }

    /// Determines which frames of the live inputs are heard next, if this is not known. Call this before making the
    /// checkpoint for these frames.
    /// - Parameters:
    ///   - delay: the number of frames that are heard before the next frame.
    ///   - now: the time in nanoseconds of CLOCK_MONOTONIC at which this is the delay.
    /// - Returns: true if frames that were rendered earlier can no longer be undone.
    @_noLocks @_noAllocation
    mutating func setLiveTime(delay: Int, at now: Int) -> Bool {
        guard live.needsTime || page.needsTime else { return false }
        live.setTime(delay: delay, at: now)
        page.setTime(delay: delay, at: now)
        return true
    }

    /// Causes the frames of the live inputs to be determined from the time again, because the device has lost frames.
    @_noLocks @_noAllocation
    mutating func loseLiveTime() {
        live.loseTime()
        page.loseTime()
    }

    /// True if the frames of a live input have run out.
    var isLiveStarving: Bool { @_noLocks @_noAllocation get { live.isStarving || page.isStarving } }

    /// Reports when the frames of the live inputs are heard.
    @_noLocks @_noAllocation
    func postLiveTime(delay: Int, at now: Int) {
        live.post(delay: delay, at: now)
        page.post(delay: delay, at: now)
    }

    @_noLocks @_noAllocation
    private mutating func silenceMusic(over frames: Int) -> Bool {
        guard progress.state.isPlaying else { return false }
        progress.resumeIndex = ring.readIndex
        progress.gains.level.retarget(to: 0, over: frames)
        if frames <= 0 { tail.clear() }
        guard progress.gains.level.isAtRest else {
            progress.state = .stopping
            return false
        }
        return rewindAndStop()
    }

    /// Switches to another ring with other music. The old music fades out over the first frames of the new music, which
    /// fades in beneath it. The old ring is not accessed after this call.
    /// - Parameter next: a ring with the same channels and rate.
    /// - Returns: true if the output is already silent because the jump has ended a fade-out.
    @_noLocks @_noAllocation
    public mutating func jump(to next: RingReader) -> Bool {
        defer {
            ring = next
            progress.gains.gate = GainRamp(gain: 1)
            progress.isStarving = false
        }
        switch progress.state {
        case .stopped:
            return false
        case .playing:
            moveToTail(fadingFrom: progress.gains.gain, over: min(jumpFade, ring.readableFrames))
            progress.gains.entry = GainRamp()
            progress.gains.entry.retarget(to: 1, over: jumpFade)
            return false
        case .stopping:
            if progress.gains.level.remaining <= min(jumpFade, ring.readableFrames) {
                moveToTail(progress.gains.level.remaining, progress.gains)
            } else {
                moveToTail(fadingFrom: progress.gains.gain, over: min(jumpFade, ring.readableFrames))
            }
            // Discard the position from which to resume, because it belongs to the old music.
            return settle()
        }
    }

    /// Moves back to a frame that was rendered but not played, if the ring still holds it. Does nothing unless music is
    /// playing.
    @_noLocks @_noAllocation
    public mutating func rewind(to index: Int) {
        if progress.state.isPlaying { ring.rewind(to: index) }
    }

    /// Stops at the end of the music. After that, only the tail of the music before a jump may still be played.
    @_noLocks @_noAllocation
    public mutating func finish() {
        progress.state = .stopped
        progress.gains.level = GainRamp()
        progress.hold = 0
    }

    /// Continues the playback of another core, with its ramp and its wait converted to the rate of this core.
    @_noLocks @_noAllocation
    public mutating func resume(level: GainRamp, after wait: Int = 0) {
        progress.state = .playing
        progress.fadesQuietly = false
        progress.gains.level = level
        progress.hold = max(0, wait)
    }

    /// Shortens the wait to this many frames if it would last longer.
    @_noLocks @_noAllocation
    mutating func shortenHold(to frames: Int) {
        progress.hold = min(progress.hold, max(0, frames))
    }

    /// Plays a sound over the music. It replaces the current sound, which fades out.
    /// - Parameters:
    ///   - reader: the sound, which must exist until the next sound or `stopSound`.
    ///   - position: the first position to play, or a negative number to wait first.
    ///   - level: the gain that applies in addition to the sound's own.
    @_noLocks @_noAllocation
    public mutating func playSound(_ reader: SoundReader, from position: Int, level: GainRamp = GainRamp(gain: 1)) {
        voice.play(reader, from: position, level: level)
    }

    /// Changes the gain that applies to the sound in addition to its own, with a ramp. Does nothing if there is no sound.
    @_noLocks @_noAllocation
    mutating func setSoundLevel(to gain: Float, over frames: Int) {
        voice.setLevel(to: gain, over: frames)
    }

    /// Stops the sound with a fade-out.
    @_noLocks @_noAllocation
    public mutating func stopSound() {
        voice.stop()
    }

    /// Plays a live input over the source, in place of a sound. The input is heard live, so its frames that arrive during
    /// the wait pass unheard.
    /// - Parameters:
    ///   - reader: the input, which must exist until it has faded out after `stopPage`.
    ///   - wait: the number of frames before the input is heard.
    @_noLocks @_noAllocation
    mutating func playPage(_ reader: LiveReader, after wait: Int) {
        voice.stop()
        page.select(reader, over: jumpFade, tail: &tail)
        page.play(gain: 1, over: jumpFade, after: wait)
    }

    /// Stops the page with a fade-out.
    @_noLocks @_noAllocation
    mutating func stopPage() {
        page.deselect(over: jumpFade, tail: &tail, isOther: false)
    }

    /// Notes the place at which the sound stops, because the device does not play any more frames.
    /// - Parameter unheard: the number of rendered frames that the device has not played.
    @_noLocks @_noAllocation
    func noteSoundPlace(unheard: Int) {
        voice.notePlace(unheard: unheard)
    }

    /// Releases the sound at once. Frames that would contain it must not be rendered after this.
    @_noLocks @_noAllocation
    mutating func clearSound() {
        voice.clear()
    }

    /// Prepares the sound for the next `frames` frames. Call this before making the checkpoint for these frames.
    /// - Returns: true if frames that were rendered earlier can no longer be undone.
    @_noLocks @_noAllocation
    mutating func prepareSound(frames: Int) -> Bool {
        voice.breakOff(before: frames)
    }

    /// Moves the sound back by frames that were rendered but not played.
    @_noLocks @_noAllocation
    mutating func rewindSound(by frames: Int) {
        voice.rewind(by: frames)
    }

    /// Renders `frames` frames with the ring's channels. They contain the music multiplied by the gain, or silence if
    /// there is no music, plus the sound. To stop at the exact frame of a change, call this with at most
    /// `framesUntilFaded` frames.
    /// - Returns: true if a requested silence has been reached within these frames.
    @_noLocks @_noAllocation
    public mutating func render(into output: UnsafeMutablePointer<Float>, frames: Int) -> Bool {
        var faded = false
        var done = 0
        while done < frames {
            let rest = output + done * ring.channels
            switch progress.state {
            case .stopped:
                rest.update(repeating: 0, count: (frames - done) * ring.channels)
                done = frames
            case .playing:
                let silent = min(frames - done, progress.hold)
                rest.update(repeating: 0, count: silent * ring.channels)
                progress.hold -= silent
                done += silent
                renderPlayback(into: output + done * ring.channels, frames: frames - done)
                done = frames
            case .stopping:
                let count = min(frames - done, progress.gains.level.remaining)
                renderPlayback(into: rest, frames: count)
                done += count
                if progress.gains.level.isAtRest { faded = rewindAndStop() }
            }
        }
        let isMusicHeard = !progress.state.isStopped || tail.remaining > 0
        tail.mix(into: output, frames: frames)
        if progress.fadedWhenTailEnds && tail.remaining == 0 {
            progress.fadedWhenTailEnds = false
            faded = true
        }
        let input = live.mix(into: output, frames: frames)
        if input.hasFaded { faded = true }
        let isPageHeard = page.mix(into: output, frames: frames).isHeard
        // The sum of two sources can exceed full scale.
        let isSounding = voice.mix(into: output, frames: frames) || isPageHeard || (input.isHeard && isMusicHeard)
        // If there is no sound, leave every sample unchanged.
        if isSounding || progress.limiter.isActive {
            progress.limiter.apply(to: output, frames: frames, channels: ring.channels, lowers: isSounding)
        }
        return faded
    }

    @_noLocks @_noAllocation
    private mutating func renderPlayback(into output: UnsafeMutablePointer<Float>, frames: Int) {
        guard frames > 0 else { return }
        moveGate(before: frames)
        var done = 0
        while done < frames, !(progress.isStarving && progress.gains.gate.isAtRest) {
            // Stop at the frame at which the gate closes, because nothing after it is played.
            let limit = progress.isStarving ? min(frames - done, progress.gains.gate.remaining) : frames - done
            let segment = ring.readSegment(limit: limit)
            if segment.frames == 0 { break }
            let destination = output + done * ring.channels
            if progress.gains.isAtRest {
                let count = segment.frames * ring.channels
                Self.apply(progress.gains.level.gain, from: segment.start, into: destination, count: count)
            } else {
                applyMovingGain(from: segment.start, into: destination, frames: segment.frames)
            }
            ring.consume(segment.frames)
            done += segment.frames
        }
        guard done < frames else { return }
        (output + done * ring.channels).update(repeating: 0, count: (frames - done) * ring.channels)
        progress.gains.level.skip(frames - done)
        progress.gains.entry.skip(frames - done)
        if ring.endIndex == nil { progress.starvedFrames += frames - done }
    }

    /// Prevents a click when the ring runs dry. The last frames in the ring fade out, and the first frames after the
    /// gap fade in.
    @_noLocks @_noAllocation
    private mutating func moveGate(before frames: Int) {
        let isAtEnd = ring.endIndex != nil
        let readable = ring.readableFrames
        if !progress.isStarving, !isAtEnd, readable < frames + jumpFade {
            progress.isStarving = true
            progress.gains.gate.retarget(to: 0, over: min(jumpFade, readable))
        } else if progress.isStarving, isAtEnd || readable >= max(frames, gateRefill) + jumpFade {
            progress.isStarving = false
            progress.gains.gate.retarget(to: 1, over: jumpFade)
        }
    }

    /// The number of frames needed to open the gate. This is one second, so that a storage that does not keep up causes
    /// a few long gaps instead of many short ones.
    private var gateRefill: Int {
        @_noLocks @_noAllocation get { min(rate, (ring.capacity - ring.history) / 2) }
    }

    // This function is static because Swift 6.0 cannot compile it with a borrowed noncopyable `self`.
    @_noLocks @_noAllocation
    private static func apply(
        _ gain: Float, from source: UnsafePointer<Float>, into output: UnsafeMutablePointer<Float>, count: Int
    ) {
        if gain == 1 {
            realtime_copy(output, source, count)
        } else {
            for index in 0..<count { output[index] = source[index] * gain }
        }
    }

    @_noLocks @_noAllocation
    private mutating func applyMovingGain(
        from source: UnsafePointer<Float>, into output: UnsafeMutablePointer<Float>, frames: Int
    ) {
        let channels = ring.channels
        for frame in 0..<frames {
            let gain = progress.gains.next()
            for index in frame * channels..<(frame + 1) * channels { output[index] = source[index] * gain }
        }
    }

    @_noLocks @_noAllocation
    private mutating func moveToTail(fadingFrom gain: Float, over frames: Int) {
        var fade = GainRamp(gain: gain)
        fade.retarget(to: 0, over: frames)
        moveToTail(frames, PlaybackGain(level: fade))
    }

    /// Adds the next `frames` frames of the ring, which must hold them, to the tail.
    @_noLocks @_noAllocation
    private mutating func moveToTail(_ frames: Int, _ fade: PlaybackGain) {
        var fade = fade
        var output = tail.open(frames: frames)
        var left = frames
        while left > 0 {
            let segment = ring.readSegment(limit: left)
            var source = segment.start
            for _ in 0..<segment.frames {
                let gain = fade.next()
                for channel in 0..<ring.channels { output[channel] += source[channel] * gain }
                output += ring.channels
                source += ring.channels
            }
            ring.consume(segment.frames)
            left -= segment.frames
        }
    }

    /// Stops silently and rewinds the ring to the frame at which the fade-out began.
    @_noLocks @_noAllocation
    private mutating func rewindAndStop() -> Bool {
        ring.rewind(to: progress.resumeIndex)
        return settle()
    }

    /// Stops silently.
    /// - Returns: true if the output is already silent. Otherwise, `render` reports the end of the tail, unless the
    ///   fade-out is not reported.
    @_noLocks @_noAllocation
    private mutating func settle() -> Bool {
        progress.state = .stopped
        progress.hold = 0
        progress.gains.level = GainRamp()
        guard !progress.fadesQuietly else { return false }
        progress.fadedWhenTailEnds = tail.remaining > 0
        return !progress.fadedWhenTailEnds
    }
}

extension RenderCore {
    public var checkpoint: RenderCheckpoint {
        @_noLocks @_noAllocation get {
            RenderCheckpoint(
                progress: progress, tailPosition: tail.position, readIndex: ring.readIndex, voice: voice.checkpoint,
                live: live.checkpoint, page: page.checkpoint)
        }
    }

    /// Undoes everything rendered since `checkpoint`. Since then, only `render` may have been called, with no more
    /// frames than the ring's history.
    @_noLocks @_noAllocation
    public mutating func restore(_ checkpoint: RenderCheckpoint) {
        progress = checkpoint.progress
        tail.rewind(to: checkpoint.tailPosition)
        ring.rewind(to: checkpoint.readIndex)
        voice.restore(checkpoint.voice)
        live.restore(checkpoint.live)
        page.restore(checkpoint.page)
    }
}
