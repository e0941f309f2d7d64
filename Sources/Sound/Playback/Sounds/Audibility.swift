import ALSA

/// Determines whether any part of a sound is audible. This type is pure.
struct Audibility {
    /// The difference between the lowest and the highest sample of a signal at -90 dBFS, which is the level of 16-bit
    /// dither. This measure is used because a constant is not audible either.
    private static let span: Float = 0.000063

    private var lowest: [Float]
    private var highest: [Float]

    init(channels: Int) {
        lowest = [Float](repeating: .infinity, count: channels)
        highest = [Float](repeating: -.infinity, count: channels)
    }

    mutating func add(_ samples: UnsafePointer<Float>, frames: Int) {
        for channel in lowest.indices {
            var (low, high) = (lowest[channel], highest[channel])
            for frame in 0..<frames {
                let sample = samples[frame * lowest.count + channel]
                if sample < low { low = sample }
                if sample > high { high = sample }
            }
            (lowest[channel], highest[channel]) = (low, high)
        }
    }

    /// True if no channel of the added samples is audible.
    var isSilent: Bool { zip(lowest, highest).allSatisfy { $1 - $0 < Self.span || $1 < $0 } }

    /// True if a channel is a constant that is not zero.
    private var isConstant: Bool { isSilent && zip(lowest, highest).contains { abs($0 + $1) > Self.span } }

    /// Returns true if no part of a converted sound is audible.
    static func isSilent(_ samples: UnsafePointer<Float>, frames: Int, _ format: StreamFormat) -> Bool {
        var all = Audibility(channels: format.channels)
        all.add(samples, frames: frames)
        // Ignore the edges, because a resampler causes ripples at the start and the end of a constant.
        let edge = format.rate / 100
        guard !all.isSilent, frames > 4 * edge else { return all.isSilent }
        var inside = Audibility(channels: format.channels)
        inside.add(samples + edge * format.channels, frames: frames - 2 * edge)
        return inside.isConstant
    }
}

extension DecoderError {
    /// Returns the reason why a sound that can be read is not audible, or nil if it is audible.
    static func inaudible(
        _ path: String, frames: Int, rate: Int, isSilent: @autoclosure () -> Bool
    ) -> DecoderError? {
        if frames < TrackSource.shortest.frames(atRate: rate) { return .tooShort(path, frames: frames, rate: rate) }
        return isSilent() ? DecoderError(.noAudio, "play", path, message: "it is silent (below -90 dBFS)") : nil
    }
}

extension Sound {
    /// Decodes the part of a sound's file that an engine would keep in memory, without keeping it. The call blocks on
    /// the storage.
    /// - Returns: true if the file contains more than this part, and the reason why the sound would not be audible, or
    ///   nil if it would be.
    /// - Throws: `DecoderError` if the file would be treated as unreadable when it is to be played.
    public static func check(_ file: Track) throws(DecoderError) -> (isLonger: Bool, defect: DecoderError?) {
        let decoder = try Decoder.open(file)
        let rate = decoder.format.rate
        let end = longestInMemory.frames(atRate: rate)
        let count = 4096
        let block = UnsafeMutablePointer<Float>.allocate(capacity: count * decoder.format.channels)
        defer { block.deallocate() }
        var audibility = Audibility(channels: decoder.format.channels)
        var isLonger = true
        while isLonger, decoder.position <= end {
            let frames = try decoder.read(into: block, frames: count)
            if let gap = decoder.takeGap() { throw gap }
            audibility.add(block, frames: frames)
            isLonger = frames > 0
        }
        let defect = DecoderError.inaudible(
            file.path, frames: decoder.position, rate: rate, isSilent: audibility.isSilent)
        // If there are no frames, nothing can be played at all.
        if decoder.position == 0, let defect { throw defect }
        return (isLonger, defect)
    }
}
