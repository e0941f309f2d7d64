/// A 64-bit FNV-1a checksum, for detecting damaged records.
///
/// Each step is a bijection, so every change of a single byte is detected; any other change is missed once in 2^64.
// Inlinable: an unspecialised sequence, with a call for each byte, takes a hundred times as long.
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
