import ALSA

/// Everything between the tracks and one device: deck, render core and the buffers of a block.
final class RenderGraph {
    let device: any PCMOutput
    let format: StreamFormat
    private(set) var deck: Deck
    var core: RenderCore
    private let finder: TrackFinder
    private let jumpFade: Int
    private let mixed: UnsafeMutablePointer<Float>
    private let converted: UnsafeMutablePointer<Int32>

    /// Most frames of one block.
    static let blockFrames = 2048

    init(device: any PCMOutput, finder: TrackFinder, jumpFade: Duration) {
        self.device = device
        format = device.format
        self.finder = finder
        self.jumpFade = jumpFade.frames(atRate: format.rate)
        deck = Self.makeDeck(format, finder, jumpFade: self.jumpFade)
        core = RenderCore(ring: deck.ring.reader, jumpFade: self.jumpFade)
        mixed = .allocate(capacity: Self.blockFrames * format.channels)
        converted = .allocate(capacity: Self.blockFrames * format.channels)
    }

    private static func makeDeck(_ format: StreamFormat, _ finder: TrackFinder, jumpFade: Int) -> Deck {
        Deck(
            format: format, finder: finder, ahead: max(format.rate / 4, 2 * (jumpFade + blockFrames)),
            // Fade-outs of up to two seconds are given back from the ring; longer ones are read again.
            history: max(2 * format.rate, blockFrames))
    }

    /// Jumps to a programme that begins with a source.
    /// - Returns: whether it is silent already, after a fade-out it cut short.
    func jump(to source: TrackSource) -> Bool {
        // What fades out must be in the ring.
        deck.feeder.fill()
        let next = Self.makeDeck(format, finder, jumpFade: jumpFade)
        let isSilent = core.jump(to: next.ring.reader)
        deck = next
        deck.feeder.start(source)
        deck.feeder.fill()
        return isSilent
    }

    deinit {
        mixed.deallocate()
        converted.deallocate()
    }

    /// Renders a block and writes it to the device: `limit` frames at most, and not beyond the next boundary or the end
    /// while playing, or the end of a fade-out.
    /// - Returns: the frames, and whether silence that was asked for was reached with the last of them.
    /// - Throws: what the device throws; nothing has been rendered then.
    func renderBlock(limit: Int) throws(PCMError) -> (frames: Int, faded: Bool) {
        if deck.ring.reader.readableFrames < Self.blockFrames + jumpFade { deck.feeder.fill() }
        var frames = min(limit, Self.blockFrames)
        if core.state == .playing, let boundary = nextBoundary {
            frames = min(frames, boundary - core.ring.readIndex)
        }
        if let change = core.framesUntilChange { frames = min(frames, change) }
        let checkpoint = core.checkpoint
        let faded = core.render(into: mixed, frames: frames)
        SampleFormat.s32.encode(mixed, to: converted, count: frames * format.channels)
        do {
            try device.write(converted, frames: frames)
        } catch {
            core.restore(checkpoint)
            throw error
        }
        // A boundary right here may only be known after reading on.
        if deck.ring.reader.readableFrames == 0 { deck.feeder.fill() }
        return (frames, faded)
    }

    /// Whether what is being heard has come to its last frame.
    var isAtBoundary: Bool { core.state == .playing && nextBoundary == core.ring.readIndex }

    /// Ring index at which the track after the one being heard begins, or the programme ends.
    private var nextBoundary: Int? {
        deck.feeder.marks.count > 1 ? deck.feeder.marks[1].ringIndex : deck.ring.endIndex
    }
}
