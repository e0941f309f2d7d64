import Files
import Glibc
import Players

/// The file in which the paused players survive the process. Use it on one thread only.
final class MemoryFile {
    private let folder: String
    private var path: String { folder + "/players" }
    /// True if the last records may not be on the disk yet.
    private var isUnsynced = false

    init(in folder: String) { self.folder = folder }

    struct Unusable: Error, CustomStringConvertible {
        let description: String
    }

    /// Returns the records of an earlier process, or nothing if there are none.
    /// - Throws: an error if the file cannot be used.
    func load() throws -> [PlayerRecord] {
        let text: [UInt8]
        do throws(FileError) {
            text = try OpenFile.open(path, O_RDONLY | O_NOFOLLOW | O_NONBLOCK).readAll(
                limit: PlayerMemory.longestText)
        } catch {
            guard error.code == ENOENT else { throw error }
            return []
        }
        do throws(PlayerMemory.Damage) { return try PlayerMemory.records(in: text) } catch {
            throw Unusable(description: "\(path) is damaged: \(error)")
        }
    }

    /// Replaces the file atomically. Another process finds the new records at once, but a power cut may still leave the
    /// earlier ones until `sync`.
    func write(_ records: [PlayerRecord]) throws(FileError) {
        let new = path + OpenFile.replacementSuffix
        let file = try OpenFile.open(new, O_WRONLY | O_CREAT | O_TRUNC | O_NOFOLLOW, mode: 0o600)
        try file.write(PlayerMemory.text(of: records))
        guard rename(new, path) == 0 else { throw FileError("replace", path) }
        isUnsynced = true
    }

    /// Waits until the records are on the disk. Players have received their orders by then, so they do not wait for it.
    func sync() throws(FileError) {
        guard isUnsynced else { return }
        isUnsynced = false
        try OpenFile.open(path, O_RDONLY).sync()
        try OpenFile.open(folder, O_RDONLY | O_DIRECTORY).sync()
    }
}
