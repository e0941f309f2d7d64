import CALSA

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
