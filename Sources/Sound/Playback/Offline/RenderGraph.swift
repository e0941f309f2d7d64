import ALSA

/// Everything between a deck and one device: render core and the buffers of a block.
final class RenderGraph {
    let device: any PCMOutput
    let format: StreamFormat
    private var deck: Deck?
    var core: RenderCore
    /// What the core plays before there is a deck.
    private let empty: ProgrammeRing
    private let jumpFade: Int
    private let mixed: UnsafeMutablePointer<Float>
    private let converted: UnsafeMutablePointer<Int32>

    /// Most frames of one block.
    static let blockFrames = 2048

    init(device: any PCMOutput, jumpFade: Duration) {
        self.device = device
        format = device.format
        self.jumpFade = jumpFade.frames(atRate: format.rate)
        empty = ProgrammeRing(capacity: 1, history: 0, channels: format.channels)
        core = RenderCore(ring: empty.reader, jumpFade: self.jumpFade)
        mixed = .allocate(capacity: Self.blockFrames * format.channels)
        converted = .allocate(capacity: Self.blockFrames * format.channels)
    }

    static func makeDeck(_ format: StreamFormat, _ finder: TrackFinder, jumpFade: Int) -> Deck {
        Deck(
            format: format, finder: finder, ahead: max(format.rate / 4, 2 * (jumpFade + blockFrames)),
            // Fade-outs of up to two seconds are given back from the ring; longer ones are read again.
            history: max(2 * format.rate, blockFrames))
    }

    /// Plays a deck from its start.
    func begin(_ deck: Deck) { _ = jump(to: deck) }

    /// Jumps to another deck of the same format.
    /// - Returns: whether it is silent already, after a fade-out that the jump cut short.
    func jump(to deck: Deck) -> Bool {
        // The core reads from the previous deck's ring once more.
        defer { self.deck = deck }
        return core.jump(to: deck.ring.reader)
    }

    /// Reads as much as there is room for: what fades out at a jump must be in the ring.
    func readAhead() { deck?.feeder.fill() }

    deinit {
        mixed.deallocate()
        converted.deallocate()
    }

    /// Renders a block and writes it to the device: `limit` frames at most, and not beyond the programme's next boundary
    /// while playing, or the end of a fade-out.
    /// - Returns: the frames, and whether silence that was requested was reached with the last of them.
    /// - Throws: what the device throws; nothing has been rendered then.
    func renderBlock(limit: Int, until programme: ProgrammeMachine<Deck>) throws(PCMError) -> (frames: Int, faded: Bool) {
        if core.ring.readableFrames < Self.blockFrames + jumpFade { readAhead() }
        var frames = min(limit, Self.blockFrames)
        if core.state == .playing, let boundary = programme.nextBoundary {
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
        if core.ring.readableFrames == 0 { readAhead() }
        deck?.feeder.forgetMarks(before: core.continueIndex - (deck?.ring.history ?? 0))
        return (frames, faded)
    }
}
