import CSoxr

/// Converts interleaved `Float32` frames from one rate to another. It uses libsoxr with linear phase and one thread.
///
/// The following values apply to a full-scale tone from 44.1 to 48 kHz or back. With the quality `high`, the level of
/// the tone is accurate to 0.01 dB up to 20 kHz, and it is 0.07 dB too low at 20.5 kHz. Everything that is added to the
/// tone, and the remainder of a tone that the new rate cannot represent, is below -130 dB, which is a fortieth of the
/// least significant bit of 16. `medium` adds distortion of up to -109 dB and does not save a significant amount of
/// time. `veryHigh` takes 1.2 times as long, and no digital-to-analogue converter can reproduce the difference. `make
/// bench` measures these values.
///
/// libsoxr compensates for its delay. Output frame n corresponds to the time n / `outputRate` of the input, and after
/// `flush` the output is as long as the input, to the nearest frame. If both rates are equal, a resampler is not
/// needed. Use it from one thread at a time.
public final class Resampler {
    public let inputRate: Int
    public let outputRate: Int
    private let handle: soxr_t

    /// The quality of the conversion. It determines the width of the band that libsoxr keeps, and how strongly it
    /// suppresses frequencies that the new rate cannot represent. `make bench` measures the spectrum and the time of
    /// each quality.
    public enum Quality: CaseIterable, Sendable {
        /// A precision of 16 bits.
        case medium
        /// A precision of 20 bits. The distortion is far below the least significant bit of 16, and below the
        /// resolution of a card's converter.
        case high
        /// A precision of 28 bits, for measurements.
        case veryHigh
    }

    /// - Parameters:
    ///   - inputRate: the rate of the input in Hz.
    ///   - outputRate: the rate of the output in Hz.
    ///   - channels: the number of channels of input and output.
    ///   - quality: the quality. The default, `high`, is also MPD's default. Only measurements use another one.
    /// - Throws: `ResamplerError` if libsoxr cannot convert between these rates, or there is not enough memory.
    public init(
        from inputRate: Int, to outputRate: Int, channels: Int, quality: Quality = .high
    ) throws(ResamplerError) {
        self.inputRate = inputRate
        self.outputRate = outputRate
        let recipe =
            switch quality {
            case .medium: SOXR_16_BITQ
            case .high: SOXR_20_BITQ
            case .veryHigh: SOXR_28_BITQ
            }
        var specification = soxr_quality_spec(UInt(recipe), 0)
        var samples = soxr_io_spec(SOXR_FLOAT32_I, SOXR_FLOAT32_I)
        var resources = soxr_runtime_spec(1)
        // Use Fourier transforms that fit into the cache. They are 1.4 times as fast as libsoxr's default size of 2¹⁷,
        // and the result is the same.
        resources.log2_large_dft_size = 12
        var error: soxr_error_t?
        let created = soxr_create(
            Double(inputRate), Double(outputRate), UInt32(channels), &error, &samples, &specification, &resources)
        guard let created, error == nil else {
            if let created { soxr_delete(created) }
            throw ResamplerError(
                operation: "convert \(inputRate) Hz to \(outputRate) Hz",
                message: error.map { String(cString: $0) } ?? "no resampler")
        }
        handle = created
    }

    deinit {
        soxr_delete(handle)
    }

    /// The number of frames taken from the input and the number of frames written to the output.
    public struct Progress: Sendable, Hashable {
        public let consumed: Int
        public let produced: Int
    }

    /// Reads up to `inputFrames` frames and writes up to `outputFrames` frames. Fewer frames may be read or written.
    public func process(
        _ input: UnsafePointer<Float>, frames inputFrames: Int,
        into output: UnsafeMutablePointer<Float>, frames outputFrames: Int
    ) throws(ResamplerError) -> Progress {
        var consumed = 0
        var produced = 0
        try check(soxr_process(handle, input, inputFrames, &consumed, output, outputFrames, &produced))
        return Progress(consumed: consumed, produced: produced)
    }

    /// Writes up to `frames` of the frames that are still in the resampler, and returns their number, or 0 if no frames
    /// are left. Afterwards, the resampler cannot process any more input.
    public func flush(
        into output: UnsafeMutablePointer<Float>, frames: Int
    ) throws(ResamplerError) -> Int {
        var produced = 0
        try check(soxr_process(handle, nil, 0, nil, output, frames, &produced))
        return produced
    }

    private func check(_ error: soxr_error_t?) throws(ResamplerError) {
        guard let error else { return }
        throw ResamplerError(
            operation: "convert \(inputRate) Hz to \(outputRate) Hz", message: String(cString: error))
    }
}

/// A failure of the sample rate converter.
public struct ResamplerError: Error, Sendable, Hashable, CustomStringConvertible {
    /// The operation, for example "convert 44100 Hz to 48000 Hz".
    public let operation: String
    /// libsoxr's own message.
    public let message: String

    public var description: String {
        "cannot \(operation): \(message)"
    }
}
