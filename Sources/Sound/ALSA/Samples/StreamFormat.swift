import CALSA

/// The rate and number of channels of a stream of interleaved frames.
public struct StreamFormat: Sendable, Hashable, CustomStringConvertible {
    /// Frames per second, in Hz. The rate must be above zero.
    public var rate: Int
    /// Samples per frame. The number must be above zero.
    public var channels: Int

    public init(rate: Int, channels: Int) {
        self.rate = rate
        self.channels = channels
    }

    public var description: String {
        "\(rate) Hz, \(channels) ch"
    }
}

/// The encoding of samples. All formats are little-endian, and all but `float` are signed integers.
public enum SampleFormat: Int, Sendable, Hashable, CaseIterable, CustomStringConvertible {
    // The formats are in order of preference. Conversion from float to one of the first three formats preserves 24
    // bits.
    /// 32-bit integers.
    case s32
    /// 24-bit integers in the lower bits of four bytes.
    case s24
    /// 24-bit integers in three bytes.
    case s24Packed
    /// 32-bit floating point, ±1.
    case float
    /// 16-bit integers.
    case s16

    public var bytesPerSample: Int {
        @_noLocks @_noAllocation get {
            switch self {
            case .s32, .s24, .float: 4
            case .s24Packed: 3
            case .s16: 2
            }
        }
    }

    /// ALSA's name for the format.
    public var description: String {
        switch self {
        case .s32: "S32_LE"
        case .s24: "S24_LE"
        case .s24Packed: "S24_3LE"
        case .float: "FLOAT_LE"
        case .s16: "S16_LE"
        }
    }

    var code: snd_pcm_format_t {
        switch self {
        case .s32: SND_PCM_FORMAT_S32_LE
        case .s24: SND_PCM_FORMAT_S24_LE
        case .s24Packed: SND_PCM_FORMAT_S24_3LE
        case .float: SND_PCM_FORMAT_FLOAT_LE
        case .s16: SND_PCM_FORMAT_S16_LE
        }
    }
}

extension Duration {
    /// The duration of `frames` frames at `rate` Hz, rounded to the nanosecond.
    public init(frames: Int, rate: Int) {
        let (seconds, rest) = frames.quotientAndRemainder(dividingBy: rate)
        self = .seconds(seconds) + .nanoseconds((rest * 1_000_000_000 + rate / 2) / rate)
    }

    /// The number of frames nearest to this duration at `rate` Hz. The result is 0 for a negative duration. A duration
    /// over 10⁹ s (about 30 years) is treated as 10⁹ s.
    public func frames(atRate rate: Int) -> Int {
        guard self > .zero else { return 0 }
        let clamped = min(self, .seconds(1_000_000_000))
        let (seconds, attoseconds) = clamped.components
        // Use whole nanoseconds because 10⁹ × any audio rate fits into 64 bits and cannot overflow.
        let nanoseconds = Int((attoseconds + 500_000_000) / 1_000_000_000)
        return Int(seconds) * rate + (nanoseconds * rate + 500_000_000) / 1_000_000_000
    }
}
