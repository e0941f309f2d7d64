import CRealTime

/// The render side: programme × gain, without a click at any change.
///
/// A pure machine over the ring, for one thread. No method allocates, locks, waits or calls the system, as far as the
/// compiler can see.
public struct RenderCore: ~Copyable {
    public private(set) var state = RenderState.stopped
    /// While stopping: ring index at which the fade-out began.
    private var resumeIndex = 0
    /// The gain asked for and its ramp.
    public private(set) var level = GainRamp()
    /// Frames rendered as silence because the ring had run empty before the programme's end.
    public private(set) var starvedFrames = 0
    /// The fade-in of a programme jumped to; multiplies `level`.
    private var entry = GainRamp(gain: 1)
    /// Closes before the ring runs dry, and opens when it has been filled again; multiplies both.
    private var gate = GainRamp(gain: 1)
    /// Whether the gate is closed or closing.
    public private(set) var isStarving = false
    private var tail: JumpTail
    /// Whether silence was asked for and waits for the tail to end.
    private var fadedWhenTailEnds = false
    public private(set) var ring: RingReader
    private let jumpFade: Int

    /// - Parameters:
    ///   - ring: must live until another one is jumped to.
    ///   - jumpFade: frames over which a programme jumped away from fades out and the new one in.
    public init(ring: RingReader, jumpFade: Int) {
        self.ring = ring
        self.jumpFade = max(0, jumpFade)
        tail = JumpTail(capacity: self.jumpFade, channels: ring.channels)
    }

    /// Ring index of the frame that is heard next, now or when it is played again.
    public var continueIndex: Int {
        @_noLocks @_noAllocation get {
            state.isStopping ? resumeIndex : ring.readIndex
        }
    }

    /// Frames until `render` changes the state or answers true; nil where it will not by itself.
    public var framesUntilChange: Int? {
        @_noLocks @_noAllocation get {
            switch state {
            case .stopping: level.remaining
            case .stopped: fadedWhenTailEnds ? tail.remaining : nil
            case .playing: nil
            }
        }
    }

    /// Whether nothing sounds, and nothing will before `play`.
    public var isSilent: Bool {
        @_noLocks @_noAllocation get {
            state.isStopped && tail.remaining == 0
        }
    }

    /// Plays with a ramp to `gain`: from silence at the ring's read index; out of a fade-out by turning it round where
    /// it is; while playing as a change of volume.
    @_noLocks @_noAllocation
    public mutating func play(gain: Float, over frames: Int) {
        if state.isStopped {
            level = GainRamp()
            entry = GainRamp(gain: 1)
            gate = GainRamp(gain: 1)
            isStarving = false
            fadedWhenTailEnds = false
        }
        state = .playing
        level.retarget(to: gain, over: frames)
    }

    /// Fades out over `frames` frames, then gives the programme back from where the fade-out began. Nothing changes
    /// unless it is playing.
    /// - Returns: whether it is silent already.
    @_noLocks @_noAllocation
    public mutating func silence(over frames: Int) -> Bool {
        guard state.isPlaying else { return false }
        resumeIndex = ring.readIndex
        level.retarget(to: 0, over: frames)
        if frames <= 0 { tail.clear() }
        guard level.isAtRest else {
            state = .stopping
            return false
        }
        return giveBack()
    }

    /// Leaves the ring for another one with another programme. What was sounding fades out over the first frames of the
    /// new programme, and that fades in beneath it. The old ring is not touched any more.
    /// - Parameter next: of the same channels and rate.
    /// - Returns: whether it is silent already, after a fade-out it cut short.
    @_noLocks @_noAllocation
    public mutating func jump(to next: RingReader) -> Bool {
        defer {
            ring = next
            gate = GainRamp(gain: 1)
            isStarving = false
        }
        switch state {
        case .stopped:
            return false
        case .playing:
            moveToTail(fadingFrom: level.gain * entry.gain * gate.gain, over: min(jumpFade, ring.readableFrames))
            entry = GainRamp()
            entry.retarget(to: 1, over: jumpFade)
            return false
        case .stopping:
            if level.remaining <= min(jumpFade, ring.readableFrames) {
                moveToTail(level.remaining, fade: level, times: entry, gate)
            } else {
                moveToTail(fadingFrom: level.gain * entry.gain * gate.gain, over: min(jumpFade, ring.readableFrames))
            }
            // The place to resume at goes with the old programme.
            return settle()
        }
    }

    /// Goes back to a frame that was handed over but not heard, where the ring still holds it. Nothing changes unless it
    /// is playing.
    @_noLocks @_noAllocation
    public mutating func goBack(to index: Int) {
        if state.isPlaying { ring.rewind(to: index) }
    }

    /// Stopped where the programme has ended; only the tail of one jumped away from may still sound.
    @_noLocks @_noAllocation
    public mutating func finish() {
        state = .stopped
        level = GainRamp()
    }

    /// Takes up a state from another core, whose ramp has been converted to this one's rate.
    @_noLocks @_noAllocation
    public mutating func resume(level: GainRamp) {
        state = .playing
        self.level = level
    }

    /// Fills `frames` frames of the ring's channels: programme × gain, silence where there is none. Call it with no more
    /// than `framesUntilChange` frames to learn the very frame of a change.
    /// - Returns: whether silence that was asked for has been reached within these frames.
    @_noLocks @_noAllocation
    public mutating func render(into output: UnsafeMutablePointer<Float>, frames: Int) -> Bool {
        var faded = false
        var done = 0
        while done < frames {
            let rest = output + done * ring.channels
            switch state {
            case .stopped:
                rest.update(repeating: 0, count: (frames - done) * ring.channels)
                done = frames
            case .playing:
                renderProgramme(into: rest, frames: frames - done)
                done = frames
            case .stopping:
                let count = min(frames - done, level.remaining)
                renderProgramme(into: rest, frames: count)
                done += count
                if level.isAtRest { faded = giveBack() }
            }
        }
        tail.mix(into: output, frames: frames)
        if fadedWhenTailEnds && tail.remaining == 0 {
            fadedWhenTailEnds = false
            faded = true
        }
        return faded
    }

    @_noLocks @_noAllocation
    private mutating func renderProgramme(into output: UnsafeMutablePointer<Float>, frames: Int) {
        moveGate(before: frames)
        var done = 0
        while done < frames, !(isStarving && gate.isAtRest) {
            // No further than the gate is on its way: behind it there is nothing.
            let limit = isStarving ? min(frames - done, gate.remaining) : frames - done
            let segment = ring.readSegment(limit: limit)
            if segment.frames == 0 { break }
            let destination = output + done * ring.channels
            if level.isAtRest && entry.isAtRest && gate.isAtRest {
                Self.apply(level.gain, from: segment.start, into: destination, count: segment.frames * ring.channels)
            } else {
                applyMovingGain(from: segment.start, into: destination, frames: segment.frames)
            }
            ring.consume(segment.frames)
            done += segment.frames
        }
        guard done < frames else { return }
        (output + done * ring.channels).update(repeating: 0, count: (frames - done) * ring.channels)
        level.skip(frames - done)
        entry.skip(frames - done)
        if ring.endIndex == nil { starvedFrames += frames - done }
    }

    /// A ring that runs dry is no reason to click: its last frames are faded out, and the first that follow them in.
    @_noLocks @_noAllocation
    private mutating func moveGate(before frames: Int) {
        let isAtEnd = ring.endIndex != nil
        let readable = ring.readableFrames
        if !isStarving, !isAtEnd, readable < frames + jumpFade {
            isStarving = true
            gate.retarget(to: 0, over: min(jumpFade, readable))
        } else if isStarving, isAtEnd || readable >= max(frames, gateRefill) + jumpFade {
            isStarving = false
            gate.retarget(to: 1, over: jumpFade)
        }
    }

    /// Frames that are worth opening the gate for: it is not to flutter on a storage that only just keeps up.
    private var gateRefill: Int {
        @_noLocks @_noAllocation get { min(10 * jumpFade, (ring.capacity - ring.history) / 4) }
    }

    // Static, as Swift 6.0 cannot compile a borrowed `self` that cannot be copied here.
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
            let gain = level.next() * entry.next() * gate.next()
            for index in frame * channels..<(frame + 1) * channels { output[index] = source[index] * gain }
        }
    }

    @_noLocks @_noAllocation
    private mutating func moveToTail(fadingFrom gain: Float, over frames: Int) {
        var fade = GainRamp(gain: gain)
        fade.retarget(to: 0, over: frames)
        moveToTail(frames, fade: fade, times: GainRamp(gain: 1), GainRamp(gain: 1))
    }

    /// Adds the next frames of the ring, which holds as many, to the tail with the product of three ramps.
    @_noLocks @_noAllocation
    private mutating func moveToTail(_ frames: Int, fade: GainRamp, times second: GainRamp, _ third: GainRamp) {
        var fade = fade
        var second = second
        var third = third
        var output = tail.open(frames: frames)
        var left = frames
        while left > 0 {
            let segment = ring.readSegment(limit: left)
            var source = segment.start
            for _ in 0..<segment.frames {
                let gain = fade.next() * second.next() * third.next()
                for channel in 0..<ring.channels { output[channel] += source[channel] * gain }
                output += ring.channels
                source += ring.channels
            }
            ring.consume(segment.frames)
            left -= segment.frames
        }
    }

    /// Silent and stopped, to go on where the fade-out began.
    @_noLocks @_noAllocation
    private mutating func giveBack() -> Bool {
        ring.rewind(to: resumeIndex)
        return settle()
    }

    /// Silent and stopped.
    /// - Returns: whether nothing sounds any more; otherwise `render` tells when the tail has ended.
    @_noLocks @_noAllocation
    private mutating func settle() -> Bool {
        state = .stopped
        level = GainRamp()
        fadedWhenTailEnds = tail.remaining > 0
        return !fadedWhenTailEnds
    }
}

extension RenderCore {
    public var checkpoint: RenderCheckpoint {
        @_noLocks @_noAllocation get {
            RenderCheckpoint(
                state: state, resumeIndex: resumeIndex, level: level, entry: entry, gate: gate, isStarving: isStarving,
                starvedFrames: starvedFrames, tailPosition: tail.position, fadedWhenTailEnds: fadedWhenTailEnds,
                readIndex: ring.readIndex)
        }
    }

    /// Undoes everything rendered since `checkpoint`, with nothing but `render` called between, of no more frames than
    /// the ring's history.
    @_noLocks @_noAllocation
    public mutating func restore(_ checkpoint: RenderCheckpoint) {
        state = checkpoint.state
        resumeIndex = checkpoint.resumeIndex
        level = checkpoint.level
        entry = checkpoint.entry
        gate = checkpoint.gate
        isStarving = checkpoint.isStarving
        starvedFrames = checkpoint.starvedFrames
        tail.rewind(to: checkpoint.tailPosition)
        fadedWhenTailEnds = checkpoint.fadedWhenTailEnds
        ring.rewind(to: checkpoint.readIndex)
    }
}
