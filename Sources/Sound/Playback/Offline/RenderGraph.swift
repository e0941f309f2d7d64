import ALSA

/// Connects a buffer of music to one device. The graph contains the render core and buffers for one block.
final class RenderGraph {
    let device: any PCMOutput
    let format: StreamFormat
    private var buffer: PlaybackBuffer?
    var core: RenderCore
    /// The empty ring that the core plays while there is no buffer.
    private let empty: PlaybackRing
    private let jumpFade: Int
    private let mixed: UnsafeMutablePointer<Float>
    private let converted: UnsafeMutablePointer<Int32>

    /// The maximum number of frames in a block.
    static let blockFrames = 2048

    init(device: any PCMOutput, jumpFade: Duration) {
        self.device = device
        format = device.format
        self.jumpFade = jumpFade.frames(atRate: format.rate)
        empty = PlaybackRing(capacity: 1, history: 0, channels: format.channels)
        core = RenderCore(ring: empty.reader, jumpFade: self.jumpFade, rate: format.rate)
        mixed = .allocate(capacity: Self.blockFrames * format.channels)
        converted = .allocate(capacity: Self.blockFrames * format.channels)
    }

    static func makeBuffer(_ format: StreamFormat, _ finder: TrackFinder, jumpFade: Int) -> PlaybackBuffer {
        PlaybackBuffer(
            format: format, finder: finder, ahead: max(format.rate / 4, 2 * (jumpFade + blockFrames)),
            // The ring holds fade-outs of up to two seconds. After a longer fade-out, the music is read from the
            // storage again.
            history: max(2 * format.rate, blockFrames))
    }

    /// Plays a buffer from its start.
    func begin(_ buffer: PlaybackBuffer) { _ = jump(to: buffer) }

    /// Jumps to another buffer of the same format.
    /// - Returns: true if the output is already silent because the jump has ended a fade-out.
    func jump(to buffer: PlaybackBuffer) -> Bool {
        // Keep the previous buffer until after the jump, which reads from its ring.
        defer { self.buffer = buffer }
        return core.jump(to: buffer.ring.reader)
    }

    /// Fills the ring. Call this before a jump, because the ring must hold the frames that fade out.
    func readAhead() { buffer?.prefetcher.fill() }

    deinit {
        mixed.deallocate()
        converted.deallocate()
    }

    /// Renders a block and writes it to the device. The block has at most `limit` frames. It does not extend beyond the
    /// music's next boundary while music is playing, or beyond the end of a fade-out.
    /// - Returns: the number of frames, and true if a requested silence was reached with the last of these frames.
    /// - Throws: the device's error. The block is then treated as not rendered.
    func renderBlock(
        limit: Int, until playback: PlaybackMachine<PlaybackBuffer>, inputs: OfflineInputs
    ) throws(PCMError) -> (frames: Int, faded: Bool) {
        if core.ring.readableFrames < Self.blockFrames + jumpFade { readAhead() }
        var frames = min(limit, Self.blockFrames)
        if core.hold > 0 {
            frames = min(frames, core.hold)
        } else if core.state == .playing, let boundary = playback.nextBoundary {
            frames = min(frames, boundary - core.ring.readIndex)
        }
        if let change = core.framesUntilFaded { frames = min(frames, change) }
        _ = core.prepareSound(frames: frames)
        _ = core.setLiveTime(delay: 0, at: inputs.nanoseconds)
        inputs.deliver(during: frames)
        let checkpoint = core.checkpoint
        let faded = core.render(into: mixed, frames: frames)
        SampleFormat.s32.encode(mixed, to: converted, count: frames * format.channels)
        do {
            try device.write(converted, frames: frames)
        } catch {
            core.restore(checkpoint)
            throw error
        }
        inputs.pass(frames)
        // Reading ahead may reveal that there is a boundary at exactly this frame.
        if core.ring.readableFrames == 0 { readAhead() }
        buffer?.prefetcher.forgetMarks(before: core.continueIndex - (buffer?.ring.history ?? 0))
        return (frames, faded)
    }
}
