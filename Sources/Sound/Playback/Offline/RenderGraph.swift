import ALSA

/// Connects a deck to one device: the render core, and buffers for one block.
final class RenderGraph {
    let device: any PCMOutput
    let format: StreamFormat
    private var buffer: PlaybackBuffer?
    var core: RenderCore
    /// The music that the core plays before there is a deck.
    private let empty: PlaybackRing
    private let jumpFade: Int
    private let mixed: UnsafeMutablePointer<Float>
    private let converted: UnsafeMutablePointer<Int32>

    /// The largest number of frames in one block.
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
            // The ring holds fade-outs of up to two seconds; after a longer one the storage is read again.
            history: max(2 * format.rate, blockFrames))
    }

    /// Plays a deck from its start.
    func begin(_ buffer: PlaybackBuffer) { _ = jump(to: buffer) }

    /// Jumps to another deck of the same format.
    /// - Returns: whether it is already silent, because the jump has cut a fade-out short.
    func jump(to buffer: PlaybackBuffer) -> Bool {
        // Keep the previous deck until after the jump, which reads from its ring.
        defer { self.buffer = buffer }
        return core.jump(to: buffer.ring.reader)
    }

    /// Fills the ring. At a jump it must hold the frames that fade out.
    func readAhead() { buffer?.prefetcher.fill() }

    deinit {
        mixed.deallocate()
        converted.deallocate()
    }

    /// Renders a block and writes it to the device: at most `limit` frames, and not beyond the music's next
    /// boundary while playing, or beyond the end of a fade-out.
    /// - Returns: the number of frames, and whether a requested silence was reached with the last one.
    /// - Throws: the device's error; the block then counts as not rendered.
    func renderBlock(limit: Int, until playback: PlaybackMachine<PlaybackBuffer>) throws(PCMError) -> (
        frames: Int, faded: Bool
    ) {
        if core.ring.readableFrames < Self.blockFrames + jumpFade { readAhead() }
        var frames = min(limit, Self.blockFrames)
        if core.hold > 0 {
            frames = min(frames, core.hold)
        } else if core.state == .playing, let boundary = playback.nextBoundary {
            frames = min(frames, boundary - core.ring.readIndex)
        }
        if let change = core.framesUntilFaded { frames = min(frames, change) }
        _ = core.prepareSound(frames: frames)
        let checkpoint = core.checkpoint
        let faded = core.render(into: mixed, frames: frames)
        SampleFormat.s32.encode(mixed, to: converted, count: frames * format.channels)
        do {
            try device.write(converted, frames: frames)
        } catch {
            core.restore(checkpoint)
            throw error
        }
        // Reading ahead can reveal a boundary at this very frame.
        if core.ring.readableFrames == 0 { readAhead() }
        buffer?.prefetcher.forgetMarks(before: core.continueIndex - (buffer?.ring.history ?? 0))
        return (frames, faded)
    }
}
