/// The first frame of many MP3s, which does not contain sound. It specifies how much sound follows (Xing, Info, VBRI)
/// and how much silence the encoder has added (LAME). Any of these values may be wrong because editors cut and join
/// files without correcting them. This type is pure.
struct MPEGInfo: Equatable {
    /// The number of frames that follow.
    var frames: Int?
    /// The number of bytes, including this frame, or nil if it is unknown.
    var bytes: Int?
    /// The silence before and after the music in frames of sound, as the encoder has specified it.
    var delay = 0
    var padding = 0

    /// The delay of every Layer III decoder in frames, which the encoder's numbers do not include.
    private static let decoderDelay = 529

    /// The silence that a decoder delivers at the start.
    var silenceAtStart: Int { delay > 0 ? delay + Self.decoderDelay : 0 }
    /// The silence that a decoder delivers at the end.
    var silenceAtEnd: Int { max(0, padding - Self.decoderDelay) }

    /// - Parameter frame: a whole frame or its beginning.
    /// - Returns: nil if the frame contains sound.
    init?(_ frame: ArraySlice<UInt8>) {
        guard let header = MPEGHeader(frame), header.layer == 3 else { return nil }
        var vbri = ByteCursor(frame.dropFirst(MPEGHeader.size + 32))
        if vbri.take(4)?.elementsEqual("VBRI".utf8) == true {
            // Skip the version, the delay and the quality.
            guard vbri.take(6) != nil else { return }
            bytes = Self.count(&vbri)
            frames = Self.count(&vbri)
            return
        }
        let side = header.samples == 1152 ? (header.channels == 1 ? 17 : 32) : header.channels == 1 ? 9 : 17
        // Some writers leave room for the checksum before the tag, and some do not.
        for checksum in [0, 2] {
            var tag = ByteCursor(frame.dropFirst(MPEGHeader.size + side + checksum))
            guard let name = tag.take(4), name.elementsEqual("Xing".utf8) || name.elementsEqual("Info".utf8) else {
                continue
            }
            read(&tag)
            return
        }
        return nil
    }

    private mutating func read(_ tag: inout ByteCursor) {
        guard let flags = tag.bigEndian(4) else { return }
        if flags & 1 != 0 { frames = Self.count(&tag) }
        if flags & 2 != 0 { bytes = Self.count(&tag) }
        // Skip the seek table and the quality.
        for (flag, length) in [(4, 100), (8, 4)] where flags & flag != 0 {
            guard tag.take(length) != nil else { return }
        }
        // Skip the encoder's name and 12 bytes of other values.
        guard let encoder = tag.take(9), encoder.first != 0, tag.take(12) != nil, let silence = tag.bigEndian(3) else {
            return
        }
        (delay, padding) = (silence >> 12, silence & 0xfff)
    }

    /// Returns the next number, or nil if it is 0, which means that the number is unknown.
    private static func count(_ tag: inout ByteCursor) -> Int? { tag.bigEndian(4).flatMap { $0 > 0 ? $0 : nil } }
}

/// The positions of the frames of an MP3, and their probable number.
struct MPEGOutline: Equatable {
    /// The header of one of the file's own frames.
    let header: MPEGHeader
    /// The offset of the first frame with sound, which may belong to another file.
    let start: Int
    let info: MPEGInfo?
    /// The offset after the last frame according to the number of bytes that the first frame contains, or nil if it
    /// does not contain one.
    let announcedEnd: Int?
    /// The number of frames. It is the number in the first frame if that is plausible. Otherwise, it is an estimate
    /// from the lengths of some frames, or nil if there are none.
    let likelyFrames: Int?

    /// The maximum length of the search for the first frame, in bytes.
    private static let reach = 1 << 20
    private static let window = 16_384
    /// The number of positions in the file at which to look for frames.
    private static let places = 16

    /// - Parameters:
    ///   - size: the size of the file in bytes.
    ///   - mustBeginAtOnce: true if a file with other data before the first frame is not treated as an MP3.
    /// - Returns: nil if there are no frames.
    init?(_ source: some ByteSource, size: Int, mustBeginAtOnce: Bool) {
        let tags = MPEGTags.length(in: source, at: 0)
        let searchesOn = tags > 0 || !mustBeginAtOnce
        guard let row = Self.firstRow(source, at: tags, size: size, searchesOn: searchesOn) else { return nil }
        self.init(source, row, size: size)
    }

    private init(_ source: some ByteSource, _ row: MPEGRow, size: Int) {
        let first = source.bytes(at: row.start, count: max(MPEGHeader.size, min(row.header.length ?? 0, 4096)))
        let found = MPEGInfo(first[...])
        let sound = row.start + (found == nil ? 0 : row.header.length ?? 0)
        let end = Self.end(source, from: sound, to: size)
        let rows = Self.rows(source, from: sound, to: end)
        header = Self.header(of: rows, after: row, source, size: size)
        (info, start) = header == row.header ? (found, sound) : (nil, row.start)
        announcedEnd = info?.bytes.map { row.start + $0 }
        let estimate = Self.estimate(rows, length: end - start)
        let counted = Self.counted(info, of: announcedEnd, start..<max(start, end))
        if let counted, let estimate, (counted - estimate).magnitude * 4 < estimate {
            likelyFrames = counted
        } else {
            likelyFrames = estimate ?? info?.frames
        }
    }

    /// Creates an outline of the frames that begin at an offset.
    init?(_ source: some ByteSource, from start: Int, size: Int) {
        guard let row = Self.firstRow(source, at: start, size: size, searchesOn: true) else { return nil }
        self.init(source, row, size: size)
    }

    private static func firstRow(_ source: some ByteSource, at start: Int, size: Int, searchesOn: Bool) -> MPEGRow? {
        if let row = MPEGRow(source, at: start, size: size) { return row }
        guard searchesOn else { return nil }
        let far = source.bytes(at: start, count: reach)
        let found = MPEGRow.first(in: far, isEnd: start + far.count >= size)?.moved(by: start)
        return found.flatMap { MPEGRow(source, at: start, before: $0) } ?? found
    }

    /// Returns the offset after the last frame if much other data follows it, otherwise the end of the file. For
    /// example, a file system that allocates blocks in advance leaves zeros there after a power failure.
    private static func end(_ source: some ByteSource, from start: Int, to end: Int) -> Int {
        let rowEnd = { (offset: Int) -> Int? in
            let bytes = source.bytes(at: offset, count: window)
            let row = MPEGRow.first(in: bytes, isEnd: false).flatMap { MPEGRow(in: bytes, at: $0.start, longest: .max) }
            return row.map { offset + $0.start + $0.length }
        }
        let step = (end - start) / places
        guard step > window, rowEnd(end - window) == nil,
            let last = (0..<places).last(where: { rowEnd(start + $0 * step) != nil })
        else { return end }
        var (low, high) = (start + last * step, last == places - 1 ? end : start + (last + 1) * step)
        while high - low > 1024 {
            let middle = low + (high - low) / 2
            if rowEnd(middle) != nil { low = middle } else { high = middle }
        }
        return min(end, rowEnd(low) ?? high)
    }

    /// Returns the number of frames according to the first frame. If the file is cut short, the number is reduced in
    /// proportion.
    /// - Parameter announcedEnd: the offset at which the whole file ends.
    private static func counted(_ info: MPEGInfo?, of announcedEnd: Int?, _ sound: Range<Int>) -> Int? {
        guard let frames = info?.frames, let announcedEnd, announcedEnd > sound.upperBound else { return info?.frames }
        return Int(Double(frames) * Double(sound.count) / Double(announcedEnd - sound.lowerBound))
    }

    /// Returns rows of frames at several positions, or at least the first row.
    private static func rows(_ source: some ByteSource, from start: Int, to end: Int) -> [MPEGRow] {
        guard end > start else { return [] }
        let rows = (0..<places).compactMap { place in
            let bytes = source.bytes(at: start + (end - start) / places * place, count: window / 2)
            return MPEGRow.first(in: bytes, isEnd: false).flatMap { MPEGRow(in: bytes, at: $0.start, longest: .max) }
        }
        let first = MPEGRow(in: source.bytes(at: start, count: window), at: 0, longest: .max)
        return rows.isEmpty ? first.map { [$0] } ?? [] : rows
    }

    /// Estimates the number of frames in `length` bytes from the average length of some frames.
    private static func estimate(_ rows: [MPEGRow], length: Int) -> Int? {
        let (frames, bytes) = rows.reduce((0, 0)) { ($0.0 + $1.frames, $0.1 + $1.length) }
        return length > 0 && bytes > 0 ? Int((Double(length) * Double(frames) / Double(bytes)).rounded()) : nil
    }

    /// Returns the header that most frames have, if such frames begin soon after the first row. After a power cut, the
    /// first blocks of the file may belong to another file.
    private static func header(
        of rows: [MPEGRow], after first: MPEGRow, _ source: some ByteSource, size: Int
    ) -> MPEGHeader {
        guard let last = rows.last?.header, !last.continues(in: first.header),
            rows.count(where: { last.continues(in: $0.header) }) > rows.count / 2,
            let length = MPEGRow.continuation(of: last, in: source.bytes(at: first.start, count: blocks)),
            length < (size - first.start) / 8
        else { return first.header }
        return last
    }

    /// The maximum length of the blocks of another file, in bytes.
    private static let blocks = 32_768
}

extension MPEGRow {
    private static let window = 16_384

    /// Creates the row that begins at an offset.
    /// - Parameter size: the size of the file in bytes.
    /// - Returns: nil if the row is so short that it may occur by chance.
    init?(_ source: some ByteSource, at start: Int, size: Int) {
        let bytes = source.bytes(at: start, count: Self.window)
        let isEnd = start + bytes.count >= size
        guard let row = MPEGRow(in: bytes, at: 0),
            row.frames >= Self.enough || isEnd && MPEGRow.first(in: bytes, isEnd: true)?.start == 0
        else { return nil }
        self = row.moved(by: start)
    }

    /// Creates the row at the offset at which a file should begin, if the data between this row and the rest of the
    /// stream is damaged.
    fileprivate init?(_ source: some ByteSource, at start: Int, before rest: MPEGRow) {
        guard let row = MPEGRow(in: source.bytes(at: start, count: Self.window), at: 0),
            row.header.continues(in: rest.header), start + row.length <= rest.start
        else { return nil }
        self = row.moved(by: start)
    }

    /// Returns true if the frame at an offset is followed by another frame, a tag or the end of the file.
    static func leads(in source: some ByteSource, from start: Int, size: Int) -> Bool {
        let bytes = source.bytes(at: start, count: window)
        guard let row = MPEGRow(in: bytes, at: 0) else { return false }
        let end = start + row.length
        return row.frames > 1 || end >= size || MPEGTags.begin(source.bytes(at: end, count: 32)[...])
    }

    fileprivate func moved(by distance: Int) -> MPEGRow {
        MPEGRow(start: start + distance, header: header, frames: frames, length: length)
    }

    private init(start: Int, header: MPEGHeader, frames: Int, length: Int) {
        (self.start, self.header, self.frames, self.length) = (start, header, frames, length)
    }
}
