extension SampleFormat {
    /// Turns samples of ±1 into this format, rounded to the nearest and clamped; not-a-number becomes 0.
    ///
    /// Samples of up to as many bits as the format has come out exact. There is no dither: what has been faded or
    /// ducked is rounded to 16 bits only where the device has no more.
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

/// Adding 1.5 × 2⁵² puts the integer, rounded to the nearest, into the low bits of the number. Unlike Int32(_:), which
/// has to trap on overflow, this is turned into vector instructions.
@inline(__always) @_noLocks @_noAllocation
private func quantize(_ sample: Float, _ scale: Double) -> Int32 {
    let scaled = Double(sample) * scale
    let number = scaled == scaled ? scaled : 0
    let clamped = number < 0 - scale ? 0 - scale : number > scale - 1 ? scale - 1 : number
    return Int32(truncatingIfNeeded: (clamped + 0x1.8p52).bitPattern)
}
