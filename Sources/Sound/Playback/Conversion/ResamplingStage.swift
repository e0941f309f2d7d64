/// One run of a resampler over consecutive tracks with the same rate, and the positions of its output in the ring.
final class ResamplingStage {
    let inputRate: Int
    private let outputRate: Int
    private let resampler: Resampler
    private let channels: Int

    /// The accepted input that the resampler has not processed yet.
    private let input: SampleBlock
    private var inputFrames = 0
    private var inputPosition = 0
    /// The total number of input frames.
    private var acceptedFrames = 0
    /// The ring index of the resampler's first output frame. With a pre-roll, it is before the music's start.
    private let origin: Int
    /// The number of output frames of the pre-roll that are still to be discarded.
    private var discard: Int
    private let discarded: SampleBlock

    static let blockFrames = 2048

    /// - Parameters:
    ///   - preroll: the number of input frames before the music's start. It must correspond to a whole number of output
    ///     frames.
    ///   - start: the ring index of the music's start.
    init(
        from inputRate: Int, to outputRate: Int, channels: Int, preroll: Int, start: Int
    ) throws(ResamplerError) {
        resampler = try Resampler(from: inputRate, to: outputRate, channels: channels)
        self.inputRate = inputRate
        self.outputRate = outputRate
        self.channels = channels
        input = SampleBlock(capacity: Self.blockFrames * channels)
        discarded = SampleBlock(capacity: Self.blockFrames * channels)
        discard = preroll * outputRate / inputRate
        origin = start - discard
    }

    /// Returns the number of input frames by which to start before a given track frame, so that the resampler has
    /// settled at that frame. This is 50 ms, rounded up to a whole number of output frames, so that an output frame
    /// coincides with that track frame.
    static func preroll(from inputRate: Int, to outputRate: Int) -> Int {
        let unit = inputRate / greatestCommonDivisor(inputRate, outputRate)
        let settling = inputRate / 20
        return (settling + unit - 1) / unit * unit
    }

    /// True if the caller can write more input to `inputSpace`.
    var wantsInput: Bool { inputPosition == inputFrames }
    /// The room for `blockFrames` frames of input.
    var inputSpace: UnsafeMutablePointer<Float> { input.samples }

    func accept(_ frames: Int) {
        inputPosition = 0
        inputFrames = frames
        acceptedFrames += frames
    }

    /// The ring index of the first output frame at or after the end of the input, and its distance from that end, in
    /// input frames × output rate.
    var inputEnd: (ringIndex: Int, lateness: Int) {
        let time = acceptedFrames * outputRate
        let frames = (time + inputRate - 1) / inputRate
        return (origin + frames, frames * inputRate - time)
    }

    /// Converts as much input into the ring as there is room for.
    func process(into ring: PlaybackRing) throws(ResamplerError) {
        let source = UnsafePointer(input.samples + inputPosition * channels)
        let (output, room) = destination(in: ring)
        let progress = try resampler.process(
            source, frames: inputFrames - inputPosition, into: output, frames: room)
        inputPosition += progress.consumed
        deliver(progress.produced, to: ring)
    }

    /// Moves the remaining frames from the resampler into the ring. Returns true if no frames are left.
    func flush(into ring: PlaybackRing) throws(ResamplerError) -> Bool {
        let (output, room) = destination(in: ring)
        let produced = try resampler.flush(into: output, frames: room)
        deliver(produced, to: ring)
        return produced == 0
    }

    private func destination(in ring: PlaybackRing) -> (UnsafeMutablePointer<Float>, Int) {
        if discard > 0 { return (discarded.samples, min(discard, Self.blockFrames)) }
        let segment = ring.writeSegment()
        return (segment.start, segment.frames)
    }

    private func deliver(_ frames: Int, to ring: PlaybackRing) {
        if discard > 0 {
            discard -= frames
        } else {
            ring.produce(frames)
        }
    }
}

private func greatestCommonDivisor(_ one: Int, _ other: Int) -> Int {
    var (a, b) = (one, other)
    while b != 0 { (a, b) = (b, a % b) }
    return a
}

/// A fixed block of memory for samples.
final class SampleBlock {
    let samples: UnsafeMutablePointer<Float>
    /// The number of samples for which there is room.
    let capacity: Int

    init(capacity: Int) {
        self.capacity = capacity
        samples = .allocate(capacity: capacity)
        samples.initialize(repeating: 0, count: capacity)
    }

    deinit {
        samples.deallocate()
    }
}
