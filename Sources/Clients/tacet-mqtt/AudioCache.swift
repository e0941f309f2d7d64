import Files
import Fleet
import Glibc

/// The sound files that announcements have contained, by their hashes, so that a file is transferred only once. Other
/// files in its folders are left alone. Use it on one thread only.
///
/// A new file is staged in memory until Tacet has answered, because Tacet reads it before it answers. To spare the
/// disk, it is written there only if Tacet accepts it. When the files take too much space, the least recently used ones
/// are deleted.
final class AudioCache {
    /// The maximum number of files and bytes that are kept.
    private static let mostFiles = 1024
    private static let mostBytes = 64 << 20
    /// The maximum number of bytes that are staged.
    private static let mostStaged = 16 << 20

    /// The location of a file.
    enum Location {
        case kept(String)
        /// The file is staged until `settle`.
        case staged(String)
        /// The announcement contains only the hash of a file that is not kept here.
        case missing
        case noRoom
    }

    /// A file that Tacet may still have to read.
    private struct Staged {
        let size: Int
        var users = 1
    }

    /// The folder of the kept files, on the disk.
    private let folder: String
    /// The folder of the staged files, in memory.
    private let staging: String
    private var staged: [String: Staged] = [:]
    private var budget = WriteBudget()

    /// Deletes files that an earlier run has staged.
    init(folder: String, staging: String) {
        self.folder = folder
        self.staging = staging
        mkdir(staging, 0o755)
        // Tacet runs as another user, so the mode must not depend on the umask.
        chmod(staging, 0o755)
        for name in names(in: staging) where isOurs(name) { unlink("\(staging)/\(name)") }
    }

    /// Returns the location of the file, for Tacet to read.
    /// - Throws: an error if it cannot be staged.
    func file(of audio: CarriedAudio) throws(FileError) -> Location {
        let kept = "\(folder)/\(audio.hash)"
        let path = "\(staging)/\(audio.hash)"
        if staged[audio.hash] != nil {
            staged[audio.hash]?.users += 1
            return .staged(path)
        }
        var status = stat()
        if stat(kept, &status) == 0 {
            // The time of use decides which files are deleted first.
            utimensat(AT_FDCWD, kept, nil, 0)
            return .kept(kept)
        }
        guard let bytes = audio.bytes else { return .missing }
        guard staged.values.reduce(bytes.count, { $0 + $1.size }) <= AudioCache.mostStaged else { return .noRoom }
        try OpenFile.replace(path, with: bytes, mode: 0o644)
        staged[audio.hash] = Staged(size: bytes.count)
        return .staged(path)
    }

    /// Releases a staged file after Tacet has answered and no longer needs it.
    /// - Parameter wasAccepted: true if Tacet plays it, so that it is worth keeping.
    /// - Returns: false if it is worth keeping, but too much has been written within the last hour.
    /// - Throws: an error if it cannot be kept.
    func settle(_ hash: String, wasAccepted: Bool, at now: Duration) throws(FileError) -> Bool {
        guard var file = staged[hash] else { return true }
        file.users -= 1
        staged[hash] = file
        let path = "\(staging)/\(hash)"
        defer {
            if file.users == 0 {
                staged[hash] = nil
                unlink(path)
            }
        }
        var status = stat()
        guard wasAccepted, stat("\(folder)/\(hash)", &status) != 0 else { return true }
        guard budget.admits(file.size, at: now) else { return false }
        let bytes = try OpenFile.open(path, O_RDONLY | O_NOFOLLOW).readAll(limit: file.size)
        makeRoom(for: bytes.count)
        try OpenFile.replace("\(folder)/\(hash)", with: bytes, mode: 0o644)
        return true
    }

    private func makeRoom(for size: Int) {
        deleteLeftovers()
        var files = self.files
        var count = files.count + 1
        var total = files.reduce(size) { $0 + $1.size }
        files.sort { $0.used < $1.used }
        for file in files where count > AudioCache.mostFiles || total > AudioCache.mostBytes {
            guard unlink("\(folder)/\(file.name)") == 0 else { continue }
            count -= 1
            total -= file.size
        }
    }

    /// Deletes incomplete files that a power cut has left behind.
    private func deleteLeftovers() {
        for name in names(in: folder) where isOurs(name) && !CarriedAudio.isHash(name) { unlink("\(folder)/\(name)") }
    }

    /// Returns true if a name is a hash, or the name of a new file that is to replace such a file.
    private func isOurs(_ name: String) -> Bool {
        let suffix = OpenFile.replacementSuffix
        return CarriedAudio.isHash(name.hasSuffix(suffix) ? String(name.dropLast(suffix.count)) : name)
    }

    private var files: [(name: String, size: Int, used: Int)] {
        names(in: folder).filter(CarriedAudio.isHash).compactMap { name in
            var status = stat()
            guard stat("\(folder)/\(name)", &status) == 0, status.st_mode & S_IFMT == S_IFREG else { return nil }
            return (name, Int(status.st_size), Int(status.st_mtim.tv_sec))
        }
    }

    /// The names of everything in a folder.
    private func names(in folder: String) -> [String] {
        (try? Folder.names(in: folder)) ?? []
    }
}
