/// FNV-1a, 64 bits: tells a damaged record from a whole one.
///
/// Each of its steps is a bijection, so that no change of a single byte goes unnoticed; any other does once in 2^64.
public struct Checksum {
    public private(set) var value: UInt64 = 0xcbf2_9ce4_8422_2325

    public init() {}

    public mutating func add(_ bytes: some Sequence<UInt8>) {
        for byte in bytes { value = (value ^ UInt64(byte)) &* 0x100_0000_01b3 }
    }

    /// In hexadecimal, without leading zeros.
    public static func text(of bytes: some Sequence<UInt8>) -> String {
        var sum = Checksum()
        sum.add(bytes)
        return String(sum.value, radix: 16)
    }
}
