/// A 64-bit FNV-1a checksum, for detecting damaged records.
///
/// Each step is a bijection, so every change to a single byte is detected. Any other change is missed with a
/// probability of 1 in 2^64.
// It is inlinable because an unspecialised sequence, with a call for each byte, takes a hundred times as long.
@frozen public struct Checksum {
    public var value: UInt64 = 0xcbf2_9ce4_8422_2325

    @inlinable public init() {}

    @inlinable public mutating func add(_ bytes: some Sequence<UInt8>) {
        for byte in bytes { value = (value ^ UInt64(byte)) &* 0x100_0000_01b3 }
    }

    /// Returns the checksum in hexadecimal without leading zeros.
    @inlinable public static func text(of bytes: some Sequence<UInt8>) -> String {
        var sum = Checksum()
        sum.add(bytes)
        return String(sum.value, radix: 16)
    }
}

extension Checksum {
    private static let crc8Table: [UInt8] = (0..<256).map { byte in
        (0..<8).reduce(UInt8(byte)) { sum, _ in sum & 0x80 != 0 ? sum << 1 ^ 0x07 : sum << 1 }
    }

    /// Returns the checksum in the header of a FLAC frame, which is a CRC of 8 bits.
    public static func crc8(_ bytes: ArraySlice<UInt8>) -> UInt8 { bytes.reduce(0) { crc8Table[Int($0 ^ $1)] } }
}
