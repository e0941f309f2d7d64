/// Turns samples of ±1 into the device's 32-bit integers, clamped: 1 becomes `Int32.max`, −1 `Int32.min`, not-a-number 0.
///
/// Samples of up to 24 bits come out exact.
func convert(
    _ samples: UnsafePointer<Float>, to output: UnsafeMutablePointer<Int32>, count: Int
) {
    // Adding 1.5 × 2⁵² puts the integer, rounded to the nearest, into the low bits of the number. Unlike Int32(_:),
    // which has to trap on overflow, this is turned into vector instructions.
    let aligner = 0x1.8p52
    for index in 0..<count {
        let scaled = Double(samples[index]) * 0x1p31
        let number = scaled == scaled ? scaled : 0
        let clamped = number < -0x1p31 ? -0x1p31 : number > 0x1p31 - 1 ? 0x1p31 - 1 : number
        output[index] = Int32(truncatingIfNeeded: (clamped + aligner).bitPattern)
    }
}
