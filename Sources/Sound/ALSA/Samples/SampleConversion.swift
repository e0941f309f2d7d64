extension SampleFormat {
    /// Converts samples in the range ±1 to this format, rounding to the nearest value and clamping. NaN becomes 0. The
    /// function neither locks nor allocates.
    ///
    /// Samples that have no more bits than the format are converted exactly. The function does not add dither, because
    /// faded or ducked samples are rounded to 16 bits only if the device does not support more.
    ///
    /// - Parameter count: the number of samples. `output` must have room for `count * bytesPerSample` bytes.
    @_noLocks @_noAllocation
    public func encode(_ samples: UnsafePointer<Float>, to output: UnsafeMutableRawPointer, count: Int) {
        switch self {
        case .s32:
            let output = output.assumingMemoryBound(to: Int32.self)
            for index in 0..<count { output[index] = quantize(samples[index], 0x1p31) }
        case .s24:
            let output = output.assumingMemoryBound(to: Int32.self)
            for index in 0..<count { output[index] = quantize(samples[index], 0x1p23) }
        case .s24Packed:
            let output = output.assumingMemoryBound(to: UInt8.self)
            for index in 0..<count {
                let sample = UInt32(bitPattern: quantize(samples[index], 0x1p23))
                output[3 * index] = UInt8(truncatingIfNeeded: sample)
                output[3 * index + 1] = UInt8(truncatingIfNeeded: sample >> 8)
                output[3 * index + 2] = UInt8(truncatingIfNeeded: sample >> 16)
            }
        case .float:
            let output = output.assumingMemoryBound(to: Float.self)
            for index in 0..<count {
                let sample = samples[index]
                output[index] = sample > 1 ? 1 : sample < -1 ? -1 : sample == sample ? sample : 0
            }
        case .s16:
            let output = output.assumingMemoryBound(to: Int16.self)
            for index in 0..<count { output[index] = Int16(truncatingIfNeeded: quantize(samples[index], 0x1p15)) }
        }
    }
}

extension SampleFormat {
    /// The number of significant bits in a sample that `decode` returns for this format.
    public var bits: Int {
        @_noLocks @_noAllocation get {
            switch self {
            case .s16: 16
            case .s32, .s24, .s24Packed, .float: 24
            }
        }
    }

    /// Converts samples of this format to integers of `bits` bits, stored in the lower bits of an Int32. Samples of 32
    /// bits are truncated to 24 bits because no converter delivers more. The function neither locks nor allocates.
    /// - Parameter count: the number of samples.
    @_noLocks @_noAllocation
    public func decode(_ input: UnsafeRawPointer, to samples: UnsafeMutablePointer<Int32>, count: Int) {
        switch self {
        case .s32:
            let input = input.assumingMemoryBound(to: Int32.self)
            for index in 0..<count { samples[index] = input[index] >> 8 }
        case .s24:
            // The upper byte of each sample is undefined.
            let input = input.assumingMemoryBound(to: Int32.self)
            for index in 0..<count { samples[index] = (input[index] << 8) >> 8 }
        case .s24Packed:
            let input = input.assumingMemoryBound(to: UInt8.self)
            for index in 0..<count {
                let low = UInt32(input[3 * index]) << 8 | UInt32(input[3 * index + 1]) << 16
                samples[index] = Int32(bitPattern: low | UInt32(input[3 * index + 2]) << 24) >> 8
            }
        case .float:
            let input = input.assumingMemoryBound(to: Float.self)
            for index in 0..<count { samples[index] = quantize(input[index], 0x1p23) }
        case .s16:
            let input = input.assumingMemoryBound(to: Int16.self)
            for index in 0..<count { samples[index] = Int32(input[index]) }
        }
    }
}

/// Converts a sample to the nearest integer. Adding 1.5 × 2⁵² puts this integer into the low bits of the sum. The
/// compiler can vectorise this, unlike Int32(_:), which must trap on overflow.
@inline(__always) @_noLocks @_noAllocation
private func quantize(_ sample: Float, _ scale: Double) -> Int32 {
    let scaled = Double(sample) * scale
    let number = scaled == scaled ? scaled : 0
    let clamped = number < 0 - scale ? 0 - scale : number > scale - 1 ? scale - 1 : number
    return Int32(truncatingIfNeeded: (clamped + 0x1.8p52).bitPattern)
}

extension SampleFormat {
    /// Converts samples of this format to the range ±1. Integers become exact fractions of full scale, rounded to 24
    /// bits. Floating-point samples may exceed ±1 by up to 24 dB, and NaN becomes 0, so that no input can disturb a
    /// filter for longer than it lasts. The function neither locks nor allocates.
    /// - Parameters:
    ///   - input: the samples, which need not be aligned.
    ///   - count: the number of samples.
    @_noLocks @_noAllocation
    public func decode(_ input: UnsafeRawPointer, to samples: UnsafeMutablePointer<Float>, count: Int) {
        switch self {
        case .s32:
            for index in 0..<count {
                samples[index] = Float(input.loadUnaligned(fromByteOffset: 4 * index, as: Int32.self)) * 0x1p-31
            }
        case .s24:
            // The upper byte of each sample is undefined.
            for index in 0..<count {
                let sample = input.loadUnaligned(fromByteOffset: 4 * index, as: Int32.self)
                samples[index] = Float((sample << 8) >> 8) * 0x1p-23
            }
        case .s24Packed:
            for index in 0..<count {
                let low = input.loadUnaligned(fromByteOffset: 3 * index, as: UInt16.self)
                let high = input.loadUnaligned(fromByteOffset: 3 * index + 2, as: Int8.self)
                samples[index] = Float(Int32(high) << 16 | Int32(low)) * 0x1p-23
            }
        case .float:
            for index in 0..<count {
                let sample = input.loadUnaligned(fromByteOffset: 4 * index, as: Float.self)
                samples[index] = sample > 16 ? 16 : sample < -16 ? -16 : sample == sample ? sample : 0
            }
        case .s16:
            for index in 0..<count {
                samples[index] = Float(input.loadUnaligned(fromByteOffset: 2 * index, as: Int16.self)) * 0x1p-15
            }
        }
    }
}
