/// Finds the audio in a file beyond the point where libsndfile ends. It reads only the first of several streams in a row,
/// which can differ in rate and channels, and an MP3 only up to the length that its header or its first frame suggests.
enum FurtherAudio {
    private static let reach = 128 * 1024

    /// Whether an Ogg stream begins after another one.
    /// - Parameter offset: up to where the file has been read; libsndfile reads some bytes ahead.
    static func hasOggStream(_ file: some ByteSource, near offset: Int) -> Bool {
        let bytes = file.bytes(at: max(0, offset - reach), count: 2 * reach)
        var (index, isInStream) = (0, false)
        while index + 27 <= bytes.count {
            guard bytes[index..<index + 5].elementsEqual([0x4F, 0x67, 0x67, 0x53, 0]) else {  // OggS, version 0
                index += 1
                continue
            }
            // All streams that are heard at the same time begin before the first page of data.
            let isFirstPage = bytes[index + 5] & 2 != 0
            if isFirstPage, isInStream { return true }
            isInStream = !isFirstPage
            let table = bytes[(index + 27)...].prefix(Int(bytes[index + 26]))
            index += 27 + table.count + table.reduce(0) { $0 + Int($1) }
        }
        return false
    }

    /// Whether frames of MPEG Layer III follow, and not only a tag.
    /// - Parameter offset: the end of the last frame read.
    static func hasMPEGFrames(_ file: some ByteSource, after offset: Int) -> Bool {
        // A tag at the start of the next stream can hold a large picture.
        let tag = file.bytes(at: offset, count: 10)
        let isTag = tag.count == 10 && tag.starts(with: [0x49, 0x44, 0x33])  // ID3
        let length = isTag ? 10 + tag[6...].reduce(0) { $0 << 7 + Int($1 & 0x7F) } : 0
        let bytes = file.bytes(at: offset + length, count: reach)
        return bytes.indices.contains { isRow(of: 8, in: bytes, at: $0) }
    }

    /// Where the first frames of MPEG Layer III begin in a file that begins with something else; nil if there are none.
    static func firstMPEGFrame(in bytes: [UInt8]) -> Int? {
        bytes.indices.first { isRow(of: 8, in: bytes, at: $0) }
    }

    /// Whether frames with the same rate follow each other. A header alone can occur anywhere by chance.
    private static func isRow(of frames: Int, in bytes: [UInt8], at start: Int) -> Bool {
        var index = start
        for _ in 0..<frames {
            guard index + 4 <= bytes.count, bytes[index] == 0xFF, bytes[index + 1] | 1 == bytes[start + 1] | 1,
                bytes[index + 2] & 0x0C == bytes[start + 2] & 0x0C,
                let length = frameLength(bytes[index + 1], bytes[index + 2])
            else { return false }
            index += length
        }
        return true
    }

    /// - Parameters:
    ///   - version: the second byte of a frame's header: version and layer.
    ///   - rates: the third byte: bit rate, sample rate and padding.
    /// - Returns: nil if this is no header of Layer III, or the length is not in it.
    private static func frameLength(_ version: UInt8, _ rates: UInt8) -> Int? {
        guard version & 0xE6 == 0xE2, version & 0x18 != 0x08, rates & 0x0C != 0x0C else { return nil }
        let isMPEG1 = version & 0x18 == 0x18
        let kilobits =
            isMPEG1
            ? [0, 32, 40, 48, 56, 64, 80, 96, 112, 128, 160, 192, 224, 256, 320, 0]
            : [0, 8, 16, 24, 32, 40, 48, 56, 64, 80, 96, 112, 128, 144, 160, 0]
        let bits = kilobits[Int(rates >> 4)] * 1000
        guard bits > 0 else { return nil }
        // MPEG 2 has half of the rates of MPEG 1, and MPEG 2.5 a quarter.
        let rate = [44_100, 48_000, 32_000][Int(rates >> 2 & 3)] >> (isMPEG1 ? 0 : version & 0x18 == 0x10 ? 1 : 2)
        return (isMPEG1 ? 144 : 72) * bits / rate + Int(rates >> 1 & 1)
    }
}
