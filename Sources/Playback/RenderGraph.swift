/// Everything between the tracks and one device: ring, feeder, render core and the buffers of a block.
final class RenderGraph {
    let device: any PCMOutput
    let format: StreamFormat
    let ring: ProgrammeRing
    let feeder: Feeder
    var core: RenderCore
    private let mixed: UnsafeMutablePointer<Float>
    private let converted: UnsafeMutablePointer<Int32>

    /// Most frames of one block.
    static let blockFrames = 2048

    init(device: any PCMOutput, finder: TrackFinder, jumpFade: Duration) {
        self.device = device
        format = device.format
        let fade = jumpFade.frames(atRate: format.rate)
        // Fade-outs of up to two seconds are given back from the ring; longer ones are read again.
        let history = max(2 * format.rate, Self.blockFrames)
        let ahead = max(format.rate / 4, 2 * (fade + Self.blockFrames))
        ring = ProgrammeRing(capacity: history + ahead, history: history, channels: format.channels)
        feeder = Feeder(ring: ring, rate: format.rate, finder: finder)
        core = RenderCore(ring: ring, jumpFade: fade)
        mixed = .allocate(capacity: Self.blockFrames * format.channels)
        converted = .allocate(capacity: Self.blockFrames * format.channels)
    }

    deinit {
        mixed.deallocate()
        converted.deallocate()
    }

    /// Where a ring index lies in the track being heard; nil before the first track.
    func playhead(at index: Int) -> Playhead? {
        feeder.marks.first?.playhead(at: index, deviceRate: format.rate)
    }

    /// Renders a block and writes it to the device: `limit` frames at most, and not beyond the next boundary or the end
    /// while playing, or the end of a fade-out.
    /// - Returns: the frames, and whether silence that was asked for was reached with the last of them.
    /// - Throws: what the device throws; nothing has been rendered then.
    func renderBlock(limit: Int) throws(PCMError) -> (frames: Int, faded: Bool) {
        if ring.readableFrames < Self.blockFrames { feeder.fill() }
        var frames = min(limit, Self.blockFrames)
        if core.state == .playing, let boundary = nextBoundary {
            frames = min(frames, boundary - ring.readIndex)
        }
        if let change = core.framesUntilChange { frames = min(frames, change) }
        let checkpoint = core.checkpoint
        let faded = core.render(into: mixed, frames: frames)
        convert(mixed, to: converted, count: frames * format.channels)
        do {
            try device.write(converted, frames: frames)
        } catch {
            core.restore(checkpoint)
            throw error
        }
        // A boundary right here may only be known after reading on.
        if ring.readableFrames == 0 { feeder.fill() }
        return (frames, faded)
    }

    /// Whether what is being heard has come to its last frame.
    var isAtBoundary: Bool { core.state == .playing && nextBoundary == ring.readIndex }

    /// Ring index at which the track after the one being heard begins, or the programme ends.
    private var nextBoundary: Int? {
        feeder.marks.count > 1 ? feeder.marks[1].ringIndex : ring.endIndex
    }
}
