import Foundation

// Interleaved samples that tests play and compare. Comparing minutes of them takes optimised code.

/// Returns frames whose left sample is their own number plus `base`, in 24 bits, and whose right sample is its
/// negation.
public func counter(frames: Int, from base: Int = 0) -> [Int32] {
    (0..<frames).flatMap { frame -> [Int32] in
        let value = Int32(base + frame) << 8
        return [value, -value]
    }
}

/// Returns the frame numbers of a recorded counter.
public func numbers(_ samples: some Collection<Int32>) -> [Int] {
    let samples = Array(samples)
    return stride(from: 0, to: samples.count, by: 2).map { Int(samples[$0] >> 8) }
}

/// Returns a sine on every channel, with 32 bits.
public func sine(
    frames: Int, frequency: Double, rate: Int = 48_000, channels: Int = 2, level: Double = 1
) -> [Int32] {
    (0..<frames).flatMap { frame -> [Int32] in
        let value = level * sin(2 * .pi * frequency * Double(frame) / Double(rate))
        return [Int32](repeating: Int32(max(-0x1p31, min(0x1p31 - 1, value * 0x1p31))), count: channels)
    }
}

/// Returns tones and coloured noise, which are demanding for codecs. The result is always the same.
public func music(frames: Int, seed: UInt32 = 1) -> [Int32] {
    var state = seed
    var low = 0.0
    return (0..<frames).flatMap { frame -> [Int32] in
        state = state &* 1_664_525 &+ 1_013_904_223
        low = low * 0.9 + 0.1 * (Double(state >> 8) / 8_388_608 - 1)
        let left = 0.4 * sin(Double(frame) * 0.05) + 0.5 * low
        let right = 0.4 * sin(Double(frame) * 0.031) - 0.4 * low
        return [Int32(left * 0x1p31), Int32(right * 0x1p31)]
    }
}

/// Returns the largest difference between neighbouring samples of a channel, as a fraction of full scale.
public func largestStep(_ samples: some RandomAccessCollection<Int32>, channels: Int = 2) -> Double {
    let samples = Array(samples)
    var largest = 0
    for index in samples.indices.dropFirst(channels) {
        largest = max(largest, abs(Int(samples[index]) - Int(samples[index - channels])))
    }
    return Double(largest) / 0x1p31
}

/// Returns the offsets at which two recordings differ by more than this. The longer one is compared with its beginning.
public func differences(_ one: ArraySlice<Float>, _ other: ArraySlice<Float>, above tolerance: Float) -> [Int] {
    (0..<min(one.count, other.count)).filter { offset in
        abs(one[one.startIndex + offset] - other[other.startIndex + offset]) > tolerance
    }
}

/// Returns the frames of the first silence that lasts for this many frames or longer, or nil.
public func firstSilence(in samples: [Float], lasting shortest: Int) -> Range<Int>? {
    var start = 0
    for frame in 0..<samples.count / 2 where samples[2 * frame] != 0 || samples[2 * frame + 1] != 0 {
        if frame - start >= shortest { return start..<frame }
        start = frame + 1
    }
    let end = samples.count / 2
    return end - start >= shortest ? start..<end : nil
}
