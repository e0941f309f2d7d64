import CSoxr

/// Converts interleaved `Float32` frames from one rate to another, at a speed that can change at any time. It uses the
/// variable rate of libsoxr with linear phase.
///
/// For a tone of up to 20 kHz, everything that is added to it is more than 90 dB below it, also while the speed changes,
/// and its level is accurate to 0.1 dB. Tests measure this. `Resampler` is more accurate, but its rates are fixed.
///
/// libsoxr compensates for its delay, but it holds back a few milliseconds of the input until it can convert them.
/// `pending` is their number. Use it from one thread at a time.
public final class AdaptiveResampler {
    public let inputRate: Int
    public let outputRate: Int
    /// The number of output frames that the accepted input will become, beyond those that have been returned.
    public private(set) var pending = 0.0
    /// The speed at which the input is played, as a difference from 1.
    public private(set) var speed = 0.0
    private let handle: soxr_t
    /// The greatest difference of the speed from 1.
    public static let fastest = 0.01

    /// - Parameters:
    ///   - inputRate: the nominal rate of the input in Hz.
    ///   - outputRate: the rate of the output in Hz.
    ///   - channels: the number of channels of input and output.
    /// - Throws: `ResamplerError` if libsoxr cannot convert between these rates, or there is not enough memory.
    public init(from inputRate: Int, to outputRate: Int, channels: Int) throws(ResamplerError) {
        self.inputRate = inputRate
        self.outputRate = outputRate
        var specification = soxr_quality_spec(UInt(SOXR_20_BITQ), UInt(SOXR_VR))
        var samples = soxr_io_spec(SOXR_FLOAT32_I, SOXR_FLOAT32_I)
        var resources = soxr_runtime_spec(1)
        var error: soxr_error_t?
        // With a variable rate, the arguments are the greatest ratio of the rates.
        let greatest = Double(inputRate) / Double(outputRate) * (1 + Self.fastest)
        let created = soxr_create(greatest, 1, UInt32(channels), &error, &samples, &specification, &resources)
        guard let created, error == nil else {
            if let created { soxr_delete(created) }
            throw Self.error(inputRate, outputRate, error)
        }
        handle = created
        if let error = soxr_set_io_ratio(handle, ratio, 0) { throw Self.error(inputRate, outputRate, error) }
    }

    deinit {
        soxr_delete(handle)
    }

    /// The number of input frames for each output frame.
    private var ratio: Double { Double(inputRate) / Double(outputRate) * (1 + speed) }

    /// Changes the speed gradually within the next frames.
    /// - Parameters:
    ///   - speed: the difference of the speed from 1, which is at most `fastest`.
    ///   - frames: the number of output frames within which it changes.
    public func change(to speed: Double, over frames: Int) throws(ResamplerError) {
        let speed = min(max(speed, -Self.fastest), Self.fastest)
        guard speed != self.speed else { return }
        self.speed = speed
        if let error = soxr_set_io_ratio(handle, ratio, max(1, frames)) {
            throw Self.error(inputRate, outputRate, error)
        }
    }

    /// Reads up to `inputFrames` frames and writes up to `outputFrames` frames. Fewer frames may be read or written.
    public func process(
        _ input: UnsafePointer<Float>, frames inputFrames: Int,
        into output: UnsafeMutablePointer<Float>, frames outputFrames: Int
    ) throws(ResamplerError) -> Resampler.Progress {
        var consumed = 0
        var produced = 0
        if let error = soxr_process(handle, input, inputFrames, &consumed, output, outputFrames, &produced) {
            throw Self.error(inputRate, outputRate, error)
        }
        pending += Double(consumed) / ratio - Double(produced)
        return Resampler.Progress(consumed: consumed, produced: produced)
    }

    private static func error(_ inputRate: Int, _ outputRate: Int, _ error: soxr_error_t?) -> ResamplerError {
        ResamplerError(
            operation: "convert \(inputRate) Hz to \(outputRate) Hz at a variable speed",
            message: error.map { String(cString: $0) } ?? "no resampler")
    }
}
