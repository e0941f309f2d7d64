/// FNV-1a, 64 bits: tells a damaged record from a whole one.
///
/// Each of its steps is a bijection, so that no change of a single byte goes unnoticed; any other does once in 2^64.
// Inlined where it is used: a call for each byte through an unspecialised sequence takes a hundred times as long.
@frozen public struct Checksum {
    public var value: UInt64 = 0xcbf2_9ce4_8422_2325

    @inlinable public init() {}

    @inlinable public mutating func add(_ bytes: some Sequence<UInt8>) {
        for byte in bytes { value = (value ^ UInt64(byte)) &* 0x100_0000_01b3 }
    }

    /// In hexadecimal, without leading zeros.
    @inlinable public static func text(of bytes: some Sequence<UInt8>) -> String {
        var sum = Checksum()
        sum.add(bytes)
        return String(sum.value, radix: 16)
    }
}
