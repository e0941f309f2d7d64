import Files
import Fleet
import Glibc

/// The sound files that announcements have carried, by their hashes, so that the second use needs no transfer. When they
/// take too much space, those that have not been used for longest are deleted. Leaves other files in the folder alone. For
/// one thread.
struct AudioCache {
    /// How many files are kept at most, and how many bytes they take.
    private static let mostFiles = 1024
    private static let mostBytes = 64 << 20

    let folder: String

    /// Where the file is, for Tacet to read.
    /// - Returns: nil if it is only named, and not kept here.
    /// - Throws: if it cannot be kept.
    func file(of audio: CarriedAudio) throws(FileError) -> String? {
        let path = "\(folder)/\(audio.hash)"
        var status = stat()
        if stat(path, &status) == 0 {
            // Used now.
            utimensat(AT_FDCWD, path, nil, 0)
            return path
        }
        guard let bytes = audio.bytes else { return nil }
        makeRoom(for: bytes.count)
        // Tacet is another user.
        try OpenFile.replace(path, with: bytes, mode: 0o644)
        return path
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

    /// Deletes what a power cut has left of files that were being written.
    private func deleteLeftovers() {
        for name in names where name.hasSuffix(OpenFile.replacementSuffix) {
            let hash = String(name.dropLast(OpenFile.replacementSuffix.count))
            if CarriedAudio.isHash(hash) { unlink("\(folder)/\(name)") }
        }
    }

    private var files: [(name: String, size: Int, used: Int)] {
        names.filter(CarriedAudio.isHash).compactMap { name in
            var status = stat()
            guard stat("\(folder)/\(name)", &status) == 0, status.st_mode & S_IFMT == S_IFREG else { return nil }
            return (name, Int(status.st_size), Int(status.st_mtim.tv_sec))
        }
    }

    /// Of everything in the folder.
    private var names: [String] {
        guard let handle = opendir(folder) else { return [] }
        defer { closedir(handle) }
        var names: [String] = []
        while let entry = readdir(handle) {
            names.append(
                withUnsafeBytes(of: entry.pointee.d_name) { String(decoding: $0.prefix { $0 != 0 }, as: UTF8.self) })
        }
        return names
    }
}
