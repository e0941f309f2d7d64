/// The header of a frame of MPEG audio, of any version and layer (ISO 11172-3, ISO 13818-3, and MPEG 2.5). This type is
/// pure.
struct MPEGHeader: Equatable {
    static let size = 4

    /// The layer, from 1 to 3.
    let layer: Int
    /// The rate in Hz.
    let rate: Int
    let channels: Int
    /// The number of frames of sound in this frame.
    let samples: Int
    /// The number of bytes, including the header. It is nil in free format, in which it follows from the position of
    /// the next header.
    let length: Int?
    /// The length of the header's padding slot, which is 0 or 1, or 4 in Layer I.
    private let padding: Int
    private let isMPEG1: Bool

    /// - Returns: nil if no frame begins with these bytes.
    init?(_ bytes: ArraySlice<UInt8>) {
        guard bytes.count >= Self.size else { return nil }
        let (sync, version, rates, mode) = bytes.withUnsafeBufferPointer { ($0[0], $0[1], $0[2], $0[3]) }
        let layer = 4 - Int(version >> 1 & 3)
        guard sync == 0xff, version & 0xe0 == 0xe0, version & 0x18 != 0x08, layer < 4, rates & 0x0c != 0x0c,
            rates & 0xf0 != 0xf0
        else { return nil }
        isMPEG1 = version & 0x18 == 0x18
        self.layer = layer
        // The rates of MPEG 2 are half the rates of MPEG 1, and those of MPEG 2.5 are a quarter.
        rate = Self.rates[Int(rates >> 2 & 3)] >> (isMPEG1 ? 0 : version & 0x18 == 0x10 ? 1 : 2)
        channels = mode & 0xc0 == 0xc0 ? 1 : 2
        samples = layer == 1 ? 384 : layer == 3 && !isMPEG1 ? 576 : 1152
        padding = Int(rates >> 1 & 1) * (layer == 1 ? 4 : 1)
        let bits = Self.kilobits(layer, isMPEG1: isMPEG1)[Int(rates >> 4)] * 1000
        // Layer I counts in units of four bytes.
        length =
            bits == 0 ? nil : layer == 1 ? 12 * bits / rate * 4 + padding : samples / 8 * bits / rate + padding
    }

    // These tables are constants for speed, because searches for headers read megabytes.
    private static let rates = [44_100, 48_000, 32_000]

    private static func kilobits(_ layer: Int, isMPEG1: Bool) -> [Int] {
        kilobits[(isMPEG1 ? 0 : 3) + layer - 1]
    }

    private static let kilobits = [
        [0, 32, 64, 96, 128, 160, 192, 224, 256, 288, 320, 352, 384, 416, 448],
        [0, 32, 48, 56, 64, 80, 96, 112, 128, 160, 192, 224, 256, 320, 384],
        [0, 32, 40, 48, 56, 64, 80, 96, 112, 128, 160, 192, 224, 256, 320],
        [0, 32, 48, 56, 64, 80, 96, 112, 128, 144, 160, 176, 192, 224, 256],
        [0, 8, 16, 24, 32, 40, 48, 56, 64, 80, 96, 112, 128, 144, 160],
        [0, 8, 16, 24, 32, 40, 48, 56, 64, 80, 96, 112, 128, 144, 160],
    ]

    /// Returns true if a frame with another header can follow in the same stream.
    func continues(in other: MPEGHeader) -> Bool {
        layer == other.layer && rate == other.rate && isMPEG1 == other.isMPEG1
            && (length == nil) == (other.length == nil)
    }

    /// In free format, returns the number of bytes between the headers of a row, without padding.
    fileprivate func freeFormatLength(in bytes: [UInt8], at start: Int) -> Int? {
        let longest = 8192
        guard length == nil, start + Self.size < bytes.count - 3 else { return nil }
        for index in (start + Self.size)..<min(bytes.count - 3, start + longest) where bytes[index] == 0xff {
            if let next = MPEGHeader(bytes[index...].prefix(Self.size)), continues(in: next) {
                return index - start - padding
            }
        }
        return nil
    }
}

/// Frames of MPEG audio that follow each other. A single header may occur anywhere by chance.
struct MPEGRow: Equatable {
    /// The offset of the first frame.
    let start: Int
    let header: MPEGHeader
    /// The number of frames that were found, and the number of their bytes.
    let frames: Int
    let length: Int

    /// The number of frames that is enough to rule out chance.
    static let enough = 8

    /// - Parameters:
    ///   - bytes: bytes from anywhere in a file.
    ///   - start: the position at which the first frame begins.
    ///   - longest: the maximum number of frames to count.
    init?(in bytes: [UInt8], at start: Int, longest: Int = enough) {
        guard start + MPEGHeader.size <= bytes.count, let header = MPEGHeader(bytes[start...].prefix(MPEGHeader.size))
        else { return nil }
        let free = header.length == nil ? header.freeFormatLength(in: bytes, at: start) : nil
        if header.length == nil, free == nil { return nil }
        var (index, frames) = (start, 0)
        while frames < longest, index + MPEGHeader.size <= bytes.count,
            let next = MPEGHeader(bytes[index...].prefix(MPEGHeader.size)), header.continues(in: next),
            let length = next.length(free: free), length >= MPEGHeader.size
        {
            index += length
            frames += 1
        }
        self.start = start
        self.header = header
        self.frames = frames
        length = index - start
    }

    /// Returns the first row in `bytes`.
    /// - Parameters:
    ///   - bytes: bytes from anywhere in a file.
    ///   - isEnd: true if the file ends with these bytes. A short row is then enough if it leads to the end or to a
    ///     tag.
    static func first(in bytes: [UInt8], isEnd: Bool) -> MPEGRow? {
        var budget = 65_536
        // In free format, searching for the next header takes longer than stepping from frame to frame.
        let stepOfFreeFormat = 1024
        for index in bytes.indices where bytes[index] == 0xff {
            let isFree = MPEGHeader(bytes[index...].prefix(MPEGHeader.size)).map { $0.length == nil } ?? false
            if isFree { budget -= stepOfFreeFormat }
            guard budget >= 0 else { return nil }
            guard let row = MPEGRow(in: bytes, at: index) else { continue }
            if row.frames >= enough || isEnd && row.frames > 0 && row.leadsToTheEnd(of: bytes) { return row }
            // Limit the search because a hostile file may contain any number of bytes that look like headers.
            budget -= row.frames
        }
        return nil
    }

    /// Returns the offset of the first row that continues a stream.
    /// - Parameter header: the header of a frame of the stream.
    static func continuation(of header: MPEGHeader, in bytes: [UInt8]) -> Int? {
        var budget = 65_536
        for index in bytes.indices where bytes[index] == 0xff && budget > 0 {
            guard let next = MPEGHeader(bytes[index...].prefix(MPEGHeader.size)), header.continues(in: next),
                let row = MPEGRow(in: bytes, at: index)
            else { continue }
            if row.frames >= enough { return index }
            budget -= row.frames
        }
        return nil
    }

    /// Returns true if the last frame is followed by nothing or only by a tag. The last frame may be incomplete.
    private func leadsToTheEnd(of bytes: [UInt8]) -> Bool {
        let end = start + length
        // A single header in the middle of other bytes is not significant.
        guard end < bytes.count else { return frames > 1 || start == 0 && end == bytes.count }
        return frames > 1 && MPEGTags.begin(bytes[end...])
    }
}

extension MPEGHeader {
    fileprivate func length(free: Int?) -> Int? { length ?? free.map { $0 + padding } }
}

/// Data between or after the frames of an MP3 that is not a sign of damage.
enum MPEGTags {
    /// Returns true if a tag or padding begins with these bytes.
    static func begin(_ bytes: ArraySlice<UInt8>) -> Bool {
        let names = ["TAG", "ID3", "APETAGEX", "LYRICSBEGIN", "3DI"]
        return names.contains { bytes.starts(with: $0.utf8) } || bytes.prefix(32).allSatisfy { $0 == 0 }
    }

    /// Returns true if the bytes between two frames are not a sign of damage. They may be tags, or padding before
    /// another file that has been joined.
    static func fill(_ range: Range<Int>, of source: some ByteSource) -> Bool {
        let bytes = source.bytes(at: range.lowerBound, count: min(range.count, longestPadding))
        let padding = bytes.prefix { $0 == 0 }.count
        guard padding < bytes.count else {
            return MPEGInfo(source.bytes(at: range.upperBound, count: 512)[...]) != nil
        }
        return begin(bytes.dropFirst(padding).prefix(32))
    }

    private static let longestPadding = 1 << 20

    /// Returns the length of the ID3v2 tags at an offset.
    static func length(in source: some ByteSource, at start: Int) -> Int {
        var length = 0
        // Some programs mistakenly write more than one tag, but hundreds of tags are an attack.
        for _ in 0..<16 {
            var header = ByteCursor(source.bytes(at: start + length, count: 10)[...])
            guard header.take(3)?.elementsEqual("ID3".utf8) == true, let version = header.byte(), version < 0xff,
                header.byte() != nil, let flags = header.byte(), let size = header.synchsafe()
            else { break }
            // A footer repeats the header.
            let end = length + 10 + size + (flags & 0x10 != 0 ? 10 : 0)
            // A size beyond the end of the file is wrong, because there is music somewhere before the end.
            guard !source.bytes(at: start + end - 1, count: 1).isEmpty else { break }
            length = end
        }
        return length
    }
}
