/// The texts in a file's ID3 tags (id3.org). Version 2 at the start of the file is preferred, and version 1 at its end
/// supplies missing texts. This type is pure.
///
/// Because files are not trusted, only the headers of frames and the beginnings of texts are read.
enum ID3Texts {
    /// The maximum length that is read from a frame, in bytes. The rest of a longer text is omitted.
    private static let longest = 1024
    /// The maximum length that is read from an unsynchronised tag, in bytes. Before version 2.4, such a tag must be
    /// converted as a whole.
    private static let longestConverted = 1 << 18
    /// The maximum number of frames that are read, which is more than any real tag contains.
    private static let mostFrames = 512

    static func read(_ source: some ByteSource, size: Int) -> TrackTags {
        var tags = TrackTags()
        readVersion2(source, into: &tags)
        readVersion1(source.bytes(at: size - 128, count: 128), into: &tags)
        return tags
    }

    // MARK: Version 2

    private static func readVersion2(_ source: some ByteSource, into tags: inout TrackTags) {
        var header = ByteCursor(source.bytes(at: 0, count: 10)[...])
        guard header.take(3)?.elementsEqual("ID3".utf8) == true, let version = header.byte(), header.byte() != nil,
            let flags = header.byte(), let size = header.synchsafe(), (2...4).contains(version)
        else { return }
        if flags & 0x80 != 0, version < 4 {
            let content = source.bytes(at: 10, count: min(size, longestConverted))
            let whole = [UInt8](repeating: 0, count: 10) + content[...].synchronised
            readFrames(whole, version, flags, size, into: &tags)
        } else {
            readFrames(source, version, flags, size, into: &tags)
        }
    }

    private static func readFrames(
        _ source: some ByteSource, _ version: UInt8, _ flags: UInt8, _ size: Int, into tags: inout TrackTags
    ) {
        var offset = 10
        if flags & 0x40 != 0, version > 2 {
            var header = ByteCursor(source.bytes(at: offset, count: 4)[...])
            // In version 2.4, the length of the extended header includes the length field itself.
            guard let length = version == 4 ? header.synchsafe() : header.bigEndian(4).map({ $0 + 4 }) else { return }
            offset += length
        }
        for _ in 0..<mostFrames where offset < 10 + size {
            guard let frame = Frame(source, at: offset, version) else { return }
            offset = frame.end
            guard frame.end <= 10 + size else { return }
            frame.read(into: &tags)
        }
    }

    private struct Frame {
        let name: String
        let content: ArraySlice<UInt8>
        let end: Int

        /// - Returns: nil at the end, or if the frame is malformed.
        init?(_ source: some ByteSource, at offset: Int, _ version: UInt8) {
            let width = version == 2 ? 3 : 4
            let length = version == 2 ? 6 : 10
            var header = ByteCursor(source.bytes(at: offset, count: length)[...])
            guard let name = header.take(width), name.allSatisfy({ $0 > 0x20 && $0 < 0x7f }),
                let size = version == 4 ? header.synchsafe() : header.bigEndian(width)
            else { return nil }
            let flags = version == 2 ? 0 : header.bigEndian(2) ?? 0
            self.name = String(decoding: name, as: UTF8.self)
            end = offset + length + size
            // Compressed and encrypted frames, and frames in groups, are omitted because no program writes them for
            // texts.
            let isPlain = flags & (version == 3 ? 0xe0 : 0x4c) == 0
            let isText = self.name.hasPrefix("T") || self.name.hasPrefix("COM")
            guard isPlain, isText else {
                content = []
                return
            }
            var bytes = source.bytes(at: offset + length, count: min(size, longest))[...]
            // Skip the field that contains the length that the content had before unsynchronisation.
            if version == 4, flags & 1 != 0 { bytes = bytes.dropFirst(4) }
            content = version == 4 && flags & 2 != 0 ? bytes.synchronised[...] : bytes
        }

        func read(into tags: inout TrackTags) {
            guard let encoding = content.first, encoding < 4 else { return }
            let text = { ID3Texts.text(content.dropFirst(), encoding) }
            switch name {
            case "TIT2", "TT2": tags.title = tags.title ?? text()
            case "TPE1", "TP1":
                // Only the first frame with artists is used.
                let artists = tags.artists.isEmpty ? ID3Texts.values(content.dropFirst(), encoding) : []
                for artist in artists { tags.add(artist: artist) }
            case "TALB", "TAL": tags.album = tags.album ?? text()
            case "TCON", "TCO": tags.genre = tags.genre ?? text().map(ID3Genre.name)
            case "TRCK", "TRK": tags.trackNumber = tags.trackNumber ?? text().flatMap(TrackTags.number)
            case "COMM", "COM": tags.comment = tags.comment ?? ID3Texts.comment(content.dropFirst(4), encoding)
            default: break
            }
        }
    }

    /// Returns a comment without a description, or nil if it has one. Programs put their own data into comments with a
    /// description.
    private static func comment(_ bytes: ArraySlice<UInt8>, _ encoding: UInt8) -> String? {
        var cursor = ByteCursor(bytes)
        let start = cursor.remaining.startIndex
        guard cursor.skipText(width: encoding == 1 || encoding == 2 ? 2 : 1) else { return nil }
        guard text(bytes[start..<cursor.remaining.startIndex], encoding) == nil else { return nil }
        return text(cursor.remaining, encoding)
    }

    /// - Parameter encoding: the number that ID3 uses for the encoding.
    /// - Returns: nil if there is no text. Several values are joined.
    static func text(_ bytes: ArraySlice<UInt8>, _ encoding: UInt8) -> String? {
        let values = values(bytes, encoding)
        return values.isEmpty ? nil : values.joined(separator: ", ")
    }

    private static func values(_ bytes: ArraySlice<UInt8>, _ encoding: UInt8) -> [String] {
        let text =
            switch encoding {
            case 0: latin1(bytes)
            case 1, 2: utf16(bytes, isBigEndian: encoding == 2)
            default: String(decoding: bytes, as: UTF8.self)
            }
        return text.split(separator: "\0").map(trimmed).filter { !$0.isEmpty }
    }

    private static func latin1(_ bytes: ArraySlice<UInt8>) -> String {
        String(String.UnicodeScalarView(bytes.map { Unicode.Scalar($0) }))
    }

    private static func utf16(_ bytes: ArraySlice<UInt8>, isBigEndian: Bool) -> String {
        var isBigEndian = isBigEndian
        var cursor = ByteCursor(bytes)
        var units: [UInt16] = []
        while let pair = cursor.bigEndian(2) {
            let unit = UInt16(isBigEndian ? pair : pair >> 8 | (pair & 0xff) << 8)
            switch unit {
            case 0xfeff: break
            case 0xfffe: isBigEndian.toggle()
            default: units.append(unit)
            }
        }
        return String(decoding: units, as: UTF16.self)
    }

    private static func trimmed(_ text: Substring) -> String {
        var text = text
        while text.last == " " { text.removeLast() }
        return String(text.drop { $0 == " " })
    }

    // MARK: Version 1

    private static func readVersion1(_ bytes: [UInt8], into tags: inout TrackTags) {
        var cursor = ByteCursor(bytes[...])
        guard bytes.count == 128, cursor.take(3)?.elementsEqual("TAG".utf8) == true, let title = cursor.take(30),
            let artist = cursor.take(30), let album = cursor.take(30), cursor.take(4) != nil,
            let comment = cursor.take(30), let genre = cursor.byte()
        else { return }
        func field(_ bytes: ArraySlice<UInt8>) -> String? { text(bytes.prefix { $0 != 0 }, 0) }
        tags.title = tags.title ?? field(title)
        tags.artist = tags.artist ?? field(artist)
        tags.album = tags.album ?? field(album)
        tags.comment = tags.comment ?? field(comment)
        tags.genre = tags.genre ?? (Int(genre) < ID3Genre.names.count ? ID3Genre.names[Int(genre)] : nil)
        if let number = comment.last, number > 0, comment.dropLast().last == 0 {
            tags.trackNumber = tags.trackNumber ?? Int(number)
        }
    }
}

/// The genres to which ID3 assigns numbers.
enum ID3Genre {
    static let names = [
        "Blues", "Classic Rock", "Country", "Dance", "Disco", "Funk", "Grunge", "Hip-Hop", "Jazz", "Metal", "New Age",
        "Oldies", "Other", "Pop", "R&B", "Rap", "Reggae", "Rock", "Techno", "Industrial", "Alternative", "Ska",
        "Death Metal", "Pranks", "Soundtrack", "Euro-Techno", "Ambient", "Trip-Hop", "Vocal", "Jazz+Funk", "Fusion",
        "Trance", "Classical", "Instrumental", "Acid", "House", "Game", "Sound Clip", "Gospel", "Noise",
        "Alternative Rock", "Bass", "Soul", "Punk", "Space", "Meditative", "Instrumental Pop", "Instrumental Rock",
        "Ethnic", "Gothic", "Darkwave", "Techno-Industrial", "Electronic", "Pop-Folk", "Eurodance", "Dream",
        "Southern Rock", "Comedy", "Cult", "Gangsta", "Top 40", "Christian Rap", "Pop/Funk", "Jungle",
        "Native American", "Cabaret", "New Wave", "Psychedelic", "Rave", "Showtunes", "Trailer", "Lo-Fi", "Tribal",
        "Acid Punk", "Acid Jazz", "Polka", "Retro", "Musical", "Rock & Roll", "Hard Rock",
    ]

    /// Returns the name for a text such as "17", "(17)" or "(17)Rock". Other texts are returned unchanged.
    static func name(_ text: String) -> String {
        var rest = text[...]
        if rest.first == "(" {
            let number = rest.dropFirst().prefix { $0 != ")" }
            let further = rest.dropFirst(number.count + 2)
            if !further.isEmpty, Int(number) != nil { return String(further) }
            rest = number
        }
        guard let number = Int(rest), names.indices.contains(number) else { return text }
        return names[number]
    }
}
