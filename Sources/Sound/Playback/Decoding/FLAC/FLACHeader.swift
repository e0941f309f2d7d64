import ALSA
import Files

/// The header of a FLAC frame (RFC 9639, section 9.1). This type is pure.
struct FLACHeader {
    /// The longest header, in bytes.
    static let longest = 16

    /// The number of frames of sound in this frame.
    let block: Int
    /// The rate in Hz, or nil if STREAMINFO contains it.
    let rate: Int?
    let channels: Int
    /// The number of the frame's first sample if `isVariable` is true, otherwise the number of the frame.
    let number: Int
    /// True if the stream has blocks of different sizes.
    let isVariable: Bool

    /// - Returns: nil if no frame begins with these bytes, according to their checksum.
    init?(_ bytes: ArraySlice<UInt8>) {
        var cursor = ByteCursor(bytes.prefix(Self.longest))
        guard cursor.byte() == 0xff, let sync = cursor.byte(), sync & 0xfe == 0xf8, let sizes = cursor.byte(),
            let kinds = cursor.byte(), kinds & 1 == 0, kinds >> 4 < 11, let number = Self.number(&cursor),
            let block = Self.block(sizes >> 4, &cursor), case let (rate, isKnown) = Self.rate(sizes & 15, &cursor),
            isKnown
        else { return nil }
        let length = bytes.prefix(Self.longest).count - cursor.remaining.count
        guard cursor.byte() == Checksum.crc8(bytes.prefix(length)) else { return nil }
        (self.block, self.rate, self.number, isVariable) = (block, rate, number, sync & 1 != 0)
        channels = kinds >> 4 < 8 ? Int(kinds >> 4) + 1 : 2
    }

    /// Reads a number that is encoded in up to seven bytes, as in UTF-8.
    private static func number(_ cursor: inout ByteCursor) -> Int? {
        guard let first = cursor.byte() else { return nil }
        let count = (~first).leadingZeroBitCount
        if count == 0 { return Int(first) }
        guard count > 1, count < 8, let rest = cursor.take(count - 1), rest.allSatisfy({ $0 & 0xc0 == 0x80 }) else {
            return nil
        }
        return rest.reduce(Int(first) & (0x7f >> count)) { $0 << 6 | Int($1 & 0x3f) }
    }

    private static func block(_ code: UInt8, _ cursor: inout ByteCursor) -> Int? {
        switch code {
        case 0: nil
        case 1: 192
        case 2...5: 576 << Int(code - 2)
        case 6: cursor.bigEndian(1).map { $0 + 1 }
        case 7: cursor.bigEndian(2).map { $0 + 1 }
        default: 256 << Int(code - 8)
        }
    }

    private static let rates = [
        88_200, 176_400, 192_000, 8000, 16_000, 22_050, 24_000, 32_000, 44_100, 48_000, 96_000,
    ]

    private static func rate(_ code: UInt8, _ cursor: inout ByteCursor) -> (rate: Int?, isKnown: Bool) {
        switch code {
        case 0: return (nil, true)
        case 1...11: return (rates[Int(code) - 1], true)
        case 12...14:
            let number = cursor.bigEndian(code == 12 ? 1 : 2)
            return (number.map { $0 * (code == 12 ? 1000 : code == 13 ? 1 : 10) }, number != nil)
        default: return (nil, false)
        }
    }

    /// Returns the number of the frame's first sample.
    /// - Parameter numbered: the number of samples by which the number of a frame must be multiplied.
    func sample(_ numbered: Int) -> Int {
        let (sample, isTooLarge) = number.multipliedReportingOverflow(by: isVariable ? 1 : numbered)
        return isTooLarge ? .max : sample
    }

    /// Returns true if a file of this format can contain this frame.
    func fits(_ format: StreamFormat) -> Bool { channels == format.channels && rate ?? format.rate == format.rate }
}

/// Searches for headers of FLAC frames.
enum FLACSearch {
    /// The maximum length of a search, in bytes.
    static let reach = 1 << 20
    private static let window = 65_536

    /// Returns the first header within the range that meets a condition. The search ends where another stream begins.
    static func first(
        in source: some ByteSource, from start: Int, where isWanted: (FLACHeader) -> Bool
    ) -> FLACHeader? {
        for offset in stride(from: start, to: start + reach, by: window) {
            let bytes = source.bytes(at: offset, count: window + FLACHeader.longest)
            let (header, isEnd) = first(in: bytes, where: isWanted)
            if header != nil || isEnd || bytes.count <= window { return header }
        }
        return nil
    }

    private static func first(
        in bytes: [UInt8], where isWanted: (FLACHeader) -> Bool
    ) -> (header: FLACHeader?, isEnd: Bool) {
        for index in bytes.indices.dropLast(3) where bytes[index] == 0xff || bytes[index] == UInt8(ascii: "f") {
            if bytes[index...].starts(with: "fLaC".utf8) { return (nil, true) }
            guard bytes[index + 1] & 0xfe == 0xf8 else { continue }
            if let header = FLACHeader(bytes[index...]), isWanted(header) { return (header, false) }
        }
        return (nil, false)
    }
}
