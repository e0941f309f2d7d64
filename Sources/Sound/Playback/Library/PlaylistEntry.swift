/// A line of an M3U playlist that contains a path. Paths are bytes in any encoding. This type is pure.
struct PlaylistEntry: Equatable {
    /// The possible paths, from the most literal to the most likely one.
    let candidates: [[UInt8]]
    /// For each candidate, the length of the playlist's folder at its start, in bytes.
    private let bases: [Int]

    /// - Parameters:
    ///   - line: the line without its line end.
    ///   - folder: the playlist's folder, with a slash at its end, or empty.
    /// - Returns: nil for a comment or a blank line.
    init?(_ line: ArraySlice<UInt8>, in folder: [UInt8]) {
        guard !Self.isComment(line) else { return nil }
        let entry = line.trimmed
        if let path = Self.path(ofFileURL: entry) {
            candidates = Self.inUTF8([path])
            bases = candidates.map { _ in 0 }
            return
        }
        // Leave the entry unchanged, so that the error message shows the text in the playlist.
        guard !isForeign(entry) else {
            candidates = [Array(entry)]
            bases = [0]
            return
        }
        var readings = [Array(entry)]
        // VLC percent-encodes spaces and all characters that are not ASCII.
        let decoded = Self.decodePercents(entry)
        if decoded != readings[0], !decoded.contains(0) { readings.append(decoded) }
        // Players on Windows write backslashes, but a file name may also contain them.
        for reading in readings where reading.contains(UInt8(ascii: "\\")) {
            readings.append(reading.map { $0 == UInt8(ascii: "\\") ? UInt8(ascii: "/") : $0 })
        }
        // A reading may be an absolute path although the entry is not, for example `\Music\a.mp3`.
        let all = Self.inUTF8(readings)
        bases = all.map { $0.first == UInt8(ascii: "/") ? 0 : folder.count }
        candidates = all.map { $0.first == UInt8(ascii: "/") ? $0 : folder + $0 }
    }

    /// True if a line is blank or a comment.
    static func isComment(_ line: ArraySlice<UInt8>) -> Bool {
        line.trimmed.first.map { $0 == UInt8(ascii: "#") } ?? true
    }

    /// Adds a UTF-8 version of each reading that is not in UTF-8. This is needed because old playlists, and some names
    /// on disks, use the Windows code page.
    private static func inUTF8(_ readings: [[UInt8]]) -> [[UInt8]] {
        let others = readings.filter { String(validating: $0, as: UTF8.self) == nil }
        return readings + others.map { Array(CodePage1252.text($0).utf8) }
    }

    /// Returns the first path that exists. If none exists, the function returns the first one that exists with another
    /// Unicode normalisation, or the one that exists in another case if there is only one. Otherwise, it returns the
    /// most likely path.
    func path(in disk: inout some PathLookup) -> [UInt8] {
        let last = candidates[candidates.count - 1]
        if isForeign(candidates[0]) { return last }
        for path in candidates where disk.exists(path) { return path }
        for (path, base) in zip(candidates, bases) {
            if let found = disk.paths(like: path, after: base, ignoringCase: false).first { return found }
        }
        for (path, base) in zip(candidates, bases) {
            let found = disk.paths(like: path, after: base, ignoringCase: true)
            if found.count == 1 { return found[0] }
        }
        return last
    }

    /// Returns the path of `file:///srv/My%20Music/a.flac`, `file://localhost/…` or `file:/…`, or nil for anything
    /// else.
    static func path(ofFileURL entry: ArraySlice<UInt8>) -> [UInt8]? {
        let scheme = Array("file:".utf8)
        guard entry.prefix(scheme.count).map(lowercased) == scheme else { return nil }
        var path = entry.dropFirst(scheme.count)
        if path.starts(with: Array("//".utf8)) {
            let host = path.dropFirst(2).prefix { $0 != UInt8(ascii: "/") }
            guard host.isEmpty || host.map(lowercased) == Array("localhost".utf8) else { return nil }
            path = path[host.endIndex...]
        }
        return path.first == UInt8(ascii: "/") ? decodePercents(path) : nil
    }

    /// Decodes percent-encoded bytes. A percent sign that is not followed by two hexadecimal digits is kept.
    private static func decodePercents(_ bytes: ArraySlice<UInt8>) -> [UInt8] {
        var result: [UInt8] = []
        var rest = bytes
        while let byte = rest.popFirst() {
            let digits = rest.prefix(2).compactMap(hexadecimalDigit)
            if byte == UInt8(ascii: "%"), digits.count == 2 {
                result.append(digits[0] << 4 | digits[1])
                rest = rest.dropFirst(2)
            } else {
                result.append(byte)
            }
        }
        return result
    }

    private static func hexadecimalDigit(_ byte: UInt8) -> UInt8? {
        switch lowercased(byte) {
        case let digit where (UInt8(ascii: "0")...UInt8(ascii: "9")).contains(digit): digit - UInt8(ascii: "0")
        case let letter where (UInt8(ascii: "a")...UInt8(ascii: "f")).contains(letter): letter - UInt8(ascii: "a") + 10
        default: nil
        }
    }
}

/// A path that does not belong to this system.
enum ForeignPath {
    /// A URL, such as `http://…`.
    case address
    /// A path on a Windows drive, such as `C:\…`.
    case drive

    /// - Returns: nil if the path may belong to this system.
    init?(_ path: some Collection<UInt8>) {
        let scheme = path.prefix {
            isLetter($0) || (UInt8(ascii: "+")...UInt8(ascii: "9")).contains($0) && $0 != UInt8(ascii: "/")
        }
        guard let first = scheme.first, isLetter(first) else { return nil }
        let colon = path.dropFirst(scheme.count)
        guard colon.first == UInt8(ascii: ":") else { return nil }
        let rest = colon.dropFirst()
        let isRoot = rest.first.map { $0 == UInt8(ascii: "\\") || $0 == UInt8(ascii: "/") } == true
        // A scheme has more than one letter.
        if scheme.count == 1, isRoot {
            self = .drive
        } else if rest.starts(with: Array("//".utf8)) {
            self = .address
        } else {
            return nil
        }
    }
}

/// Returns true if a path does not belong to this system.
func isForeign(_ path: some Collection<UInt8>) -> Bool { ForeignPath(path) != nil }

private func isLetter(_ byte: UInt8) -> Bool { (UInt8(ascii: "a")...UInt8(ascii: "z")).contains(lowercased(byte)) }

private func lowercased(_ byte: UInt8) -> UInt8 {
    (UInt8(ascii: "A")...UInt8(ascii: "Z")).contains(byte) ? byte + 0x20 : byte
}

extension ArraySlice<UInt8> {
    /// The slice without white space at either end.
    fileprivate var trimmed: ArraySlice<UInt8> {
        func isSpace(_ byte: UInt8) -> Bool { byte == UInt8(ascii: " ") || (0x09...0x0d).contains(byte) }
        var rest = drop(while: isSpace)
        while let last = rest.last, isSpace(last) { rest.removeLast() }
        return rest
    }
}
