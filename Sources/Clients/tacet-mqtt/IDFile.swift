import Files
import Fleet
import Glibc

/// A file with the ids of the requests that the board has executed. Each id is a line, which is synced before the
/// request is passed on. A power cut can only tear the last line, which is then ignored. Use it on one thread only.
final class IDFile {
    private let path: String
    private var lines = 0

    init(_ path: String) { self.path = path }

    /// Returns the entries of the file, oldest first, or nothing if there is no file yet. Shortens the file.
    /// - Throws: an error if the file can be neither read nor written.
    func load() throws(FileError) -> [IDMemory.Entry] {
        let text: [UInt8]
        do throws(FileError) {
            text = try OpenFile.open(path, O_RDONLY).readAll(limit: 8 << 20)
        } catch {
            guard error.code == ENOENT else { throw error }
            text = []
        }
        let entries = text.split(separator: UInt8(ascii: "\n")).compactMap { IDMemory.Entry(line: $0) }
            .suffix(IDMemory.capacity)
        try rewrite(Array(entries))
        return Array(entries)
    }

    /// Adds entries and waits until they are on the disk.
    /// - Parameter all: all remembered entries including the new ones. They replace the file when it has become long.
    func add(_ entries: [IDMemory.Entry], of all: @autoclosure () -> [IDMemory.Entry]) throws(FileError) {
        guard lines < 2 * IDMemory.capacity else { return try rewrite(all()) }
        let file = try OpenFile.open(path, O_WRONLY | O_CREAT | O_APPEND | O_NOFOLLOW)
        // The text begins with a line feed, because the last line may be torn.
        try file.write("\n\(entries.map { "\($0.line)\n" }.joined())".utf8)
        try file.sync()
        lines += entries.count
    }

    private func rewrite(_ entries: [IDMemory.Entry]) throws(FileError) {
        try OpenFile.replace(path, with: Array(entries.map { "\($0.line)\n" }.joined().utf8), mode: 0o600)
        lines = entries.count
    }
}

extension IDMemory.Entry {
    /// The checksum of the payload, the id, and the checksum of both. All are in hexadecimal, because an id can contain
    /// any character.
    fileprivate var line: String {
        let text =
            "\(String(checksum, radix: 16)) "
            + id.utf8.map { String(UInt16($0) + 0x100, radix: 16).dropFirst() }.joined()
        return "\(text) \(Checksum.text(of: text.utf8))"
    }

    fileprivate init?(line: some Collection<UInt8>) {
        let words = String(decoding: line, as: UTF8.self).split(separator: " ")
        guard words.count == 3, let checksum = UInt64(words[0], radix: 16),
            Checksum.text(of: "\(words[0]) \(words[1])".utf8) == words[2], words[1].utf8.count % 2 == 0
        else { return nil }
        let digits = Array(words[1].utf8)
        let bytes = stride(from: 0, to: digits.count, by: 2).compactMap {
            UInt8(String(decoding: digits[$0..<$0 + 2], as: UTF8.self), radix: 16)
        }
        self.init(id: String(decoding: bytes, as: UTF8.self), checksum: checksum)
    }
}
