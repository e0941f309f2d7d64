import CALSA

/// Shape of a stream of interleaved frames.
public struct StreamFormat: Sendable, Hashable, CustomStringConvertible {
    /// Frames per second, Hz; above zero.
    public var rate: Int
    /// Samples per frame; above zero.
    public var channels: Int

    public init(rate: Int, channels: Int) {
        self.rate = rate
        self.channels = channels
    }

    public var description: String {
        "\(rate) Hz, \(channels) ch"
    }
}

/// How a PCM takes its samples; all of them little-endian.
public enum SampleFormat: Int, Sendable, Hashable, CaseIterable, CustomStringConvertible {
    // In order of preference: a float becomes any of the first three without loss of 24 bits.
    /// 32 bits.
    case s32
    /// 24 bits in the low part of 32.
    case s24
    /// 24 bits in three bytes.
    case s24Packed
    /// 32-bit floating point, ±1.
    case float
    /// 16 bits.
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

    /// ALSA's name.
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
    /// Time that `frames` frames last at `rate` Hz, rounded to the nanosecond.
    public init(frames: Int, rate: Int) {
        let (seconds, rest) = frames.quotientAndRemainder(dividingBy: rate)
        self = .seconds(seconds) + .nanoseconds((rest * 1_000_000_000 + rate / 2) / rate)
    }

    /// Frames nearest to this time at `rate` Hz; 0 for a negative time, and a time beyond 30 years counts as 30.
    public func frames(atRate rate: Int) -> Int {
        guard self > .zero else { return 0 }
        let clamped = min(self, .seconds(1_000_000_000))
        let (seconds, attoseconds) = clamped.components
        // From whole nanoseconds, so that nothing overflows: 10⁹ × any audio rate fits into 64 bits.
        let nanoseconds = Int((attoseconds + 500_000_000) / 1_000_000_000)
        return Int(seconds) * rate + (nanoseconds * rate + 500_000_000) / 1_000_000_000
    }
}
