/// Converts frames to another number of channels.
///
/// * The same number: frames are unchanged, unless there are two channels that are not left and right.
/// * Mono: the channel is copied to every output channel.
/// * Stereo to mono: the output is (L + R) / 2.
/// * Anything else: frames are first mixed to stereo. From more than two channels, this is the ITU-R BS.775 downmix,
///   scaled so that it cannot clip. Stereo is copied to the front pair of the output, and the other channels are
///   silent.
public struct ChannelMap: Sendable {
    public let inputs: Int
    public let outputs: Int
    /// The weight of every input (column) in every output (row), or empty for the identity.
    private let shares: [Float]

    /// - Parameters:
    ///   - inputs: the number of input channels, above zero.
    ///   - order: the order of the input channels.
    ///   - outputs: the number of output channels, above zero.
    public init(from inputs: Int, order: ChannelOrder = .wave, to outputs: Int) {
        self.inputs = inputs
        self.outputs = outputs
        if inputs == outputs, inputs != 2 || order.isLeftAndRight {
            shares = []
        } else if inputs == 1 {
            shares = [Float](repeating: 1, count: outputs)
        } else {
            let stereo = Self.stereo(from: inputs, order: order)
            if outputs == 1 {
                shares = zip(stereo.left, stereo.right).map { ($0 + $1) / 2 }
            } else {
                let silence = [Float](repeating: 0, count: inputs * (outputs - 2))
                shares = stereo.left + stereo.right + silence
            }
        }
    }

    public var isIdentity: Bool {
        shares.isEmpty
    }

    /// Converts `frames` frames. `input` and `output` must not overlap.
    public func map(_ input: UnsafePointer<Float>, into output: UnsafeMutablePointer<Float>, frames: Int) {
        guard !isIdentity else {
            output.update(from: input, count: frames * inputs)
            return
        }
        shares.withUnsafeBufferPointer { shares in
            for frame in 0..<frames {
                let source = input + frame * inputs
                let destination = output + frame * outputs
                for row in 0..<outputs {
                    var sum: Float = 0
                    for column in 0..<inputs { sum += shares[row * inputs + column] * source[column] }
                    destination[row] = sum
                }
            }
        }
    }

    /// The weights of the two stereo channels, scaled so that the larger sum is one.
    private static func stereo(from inputs: Int, order: ChannelOrder) -> (left: [Float], right: [Float]) {
        guard let speakers = order.speakers(inputs) else {
            // The layout is unknown, but in all known layouts the first two channels are the front pair.
            let left = (0..<inputs).map { $0 == 0 ? Float(1) : 0 }
            let right = (0..<inputs).map { $0 == 1 ? Float(1) : 0 }
            return (left, right)
        }
        let left = speakers.map(\.stereoShares.left)
        let right = speakers.map(\.stereoShares.right)
        let most = max(left.reduce(0, +), right.reduce(0, +))
        // All channels are low-frequency channels, which are not mixed.
        guard most > 0 else { return (left, right) }
        return (left.map { $0 / most }, right.map { $0 / most })
    }
}

/// The order of the channels within a frame.
public enum ChannelOrder: Sendable, Hashable {
    /// The order of WAV, FLAC and AIFF, which is: front pair, centre, low frequencies, back pair, side pair.
    case wave
    /// The order of Vorbis and Opus, which is: left, centre, right, back pair, low frequencies.
    case vorbis
    /// The order that the file specifies, for example in the channel mask of a WAV file.
    case speakers([Speaker])

    /// True if a stream of two channels consists of the left and the right channel.
    fileprivate var isLeftAndRight: Bool { speakers(2).map { $0 == [.frontLeft, .frontRight] } ?? true }

    /// Returns the loudspeakers of `channels` channels in this order, or nil if the order does not define a layout for
    /// that number.
    func speakers(_ channels: Int) -> [Speaker]? {
        switch (self, channels) {
        case (.speakers(let named), _): named.count == channels ? named : nil
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

/// A loudspeaker's position, in the detail that a stereo downmix needs.
public enum Speaker: Sendable, Hashable {
    case frontLeft, frontRight, frontCentre, lowFrequency, surroundLeft, surroundRight, surroundCentre

    /// The loudspeaker's weights in the left and the right channel of a stereo downmix according to ITU-R BS.775.
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
