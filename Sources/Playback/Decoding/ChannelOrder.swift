/// Where the channels of a frame belong, by number of channels.
public enum ChannelOrder: Sendable, Hashable {
    /// WAV, FLAC and AIFF: front pair, centre, low frequencies, back pair, side pair.
    case wave
    /// Vorbis and Opus: left, centre, right, back pair, low frequencies.
    case vorbis

    /// Places of `channels` channels in this order; nil for a number nobody has laid down.
    func speakers(_ channels: Int) -> [Speaker]? {
        switch (self, channels) {
        case (_, 1): [.frontCentre]
        case (_, 2): [.frontLeft, .frontRight]
        case (.wave, 3): [.frontLeft, .frontRight, .frontCentre]
        case (.vorbis, 3): [.frontLeft, .frontCentre, .frontRight]
        case (_, 4): [.frontLeft, .frontRight, .surroundLeft, .surroundRight]
        case (.wave, 5): [.frontLeft, .frontRight, .frontCentre, .surroundLeft, .surroundRight]
        case (.vorbis, 5): [.frontLeft, .frontCentre, .frontRight, .surroundLeft, .surroundRight]
        case (.wave, 6): [.frontLeft, .frontRight, .frontCentre, .lowFrequency, .surroundLeft, .surroundRight]
        case (.vorbis, 6): [.frontLeft, .frontCentre, .frontRight, .surroundLeft, .surroundRight, .lowFrequency]
        case (.wave, 7):
            [
                .frontLeft, .frontRight, .frontCentre, .lowFrequency, .surroundCentre, .surroundLeft,
                .surroundRight,
            ]
        case (.vorbis, 7):
            [
                .frontLeft, .frontCentre, .frontRight, .surroundLeft, .surroundRight, .surroundCentre,
                .lowFrequency,
            ]
        case (.wave, 8):
            [
                .frontLeft, .frontRight, .frontCentre, .lowFrequency, .surroundLeft, .surroundRight,
                .surroundLeft, .surroundRight,
            ]
        case (.vorbis, 8):
            [
                .frontLeft, .frontCentre, .frontRight, .surroundLeft, .surroundRight, .surroundLeft,
                .surroundRight, .lowFrequency,
            ]
        default: nil
        }
    }
}

/// A loudspeaker's place, as far as a stereo downmix asks.
enum Speaker {
    case frontLeft, frontRight, frontCentre, lowFrequency, surroundLeft, surroundRight, surroundCentre

    /// Shares of the left and the right channel of a stereo downmix after ITU-R BS.775.
    var stereoShares: (left: Float, right: Float) {
        let minus3dB = Float(0.5).squareRoot()
        return switch self {
        case .frontLeft: (1, 0)
        case .frontRight: (0, 1)
        case .frontCentre: (minus3dB, minus3dB)
        case .lowFrequency: (0, 0)
        case .surroundLeft: (minus3dB, 0)
        case .surroundRight: (0, minus3dB)
        case .surroundCentre: (0.5, 0.5)
        }
    }
}
