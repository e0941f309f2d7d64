import Glibc

/// The folder with the recordings: creates files in it, and deletes the oldest ones. Files with other names are none of its
/// business.
final class RecordingFolder {
    private let settings: RecorderSettings
    private let calls: any RecordingCalls
    /// The finished recordings, oldest first, with their sizes.
    private var files: [(name: RecordingName, file: ListedFile)] = []
    /// The newest name that this recorder has used.
    private var newest: RecordingName?
    /// The file system below the one with the folder; nil if there is none. It shows through once the folder's disk has
    /// been unmounted, and then the folder must not be created on it.
    private var underlying: Int?

    init(_ settings: RecorderSettings, calls: any RecordingCalls) {
        self.settings = settings
        self.calls = calls
    }

    /// Creates the next file, and the folder if it is missing.
    func create(_ format: RecordedFormat, start: Duration) throws(RecordingError) -> RecordingFile {
        let folder = try openFolder()
        do throws(RecordingError) {
            return try create(format, start: start, in: folder)
        } catch {
            calls.close(folder)
            throw error
        }
    }

    private func create(
        _ format: RecordedFormat, start: Duration, in folder: CInt
    ) throws(RecordingError) -> RecordingFile {
        var listed: [ListedFile] = []
        try check(calls.list(settings.directory, &listed), "list", settings.directory)
        files = listed.compactMap { file in RecordingName(of: file.name).map { ($0, file) } }
        files.sort { $0.name < $1.name }
        // The folder's newest file can have been moved away.
        var name = RecordingName.following(files.map(\.name) + [newest].compactMap { $0 }, at: start)
        var result = calls.create(path(name))
        // Another program can have created one meanwhile.
        for _ in 0..<100 where result == -Int(EEXIST) {
            name = name.next
            result = calls.create(path(name))
        }
        try check(result, "create", path(name))
        newest = name
        do throws(RecordingError) {
            return try RecordingFile(
                path(name), CInt(result), in: folder, format: format, start: start, settings: settings, calls: calls)
        } catch {
            calls.close(CInt(result))
            _ = calls.remove(path(name))
            throw error
        }
    }

    /// Adds a file that is finished.
    func add(_ file: RecordingFile) {
        let name = String(file.path.dropFirst(settings.directory.count + 1))
        guard let parsed = RecordingName(of: name) else { return }
        // A file with a later name stems from a clock that was wrong.
        let place = files.lastIndex { $0.name < parsed }.map { $0 + 1 } ?? 0
        files.insert((parsed, ListedFile(name: name, size: file.size)), at: place)
    }

    /// Deletes the oldest files until all of them fit into `keep`.
    /// - Parameters:
    ///   - size: that of the file being written, which is never deleted.
    ///   - remove: called with each deleted file's path, or with the error that ends the attempt.
    func makeRoom(for size: Int, _ remove: (Result<String, RecordingError>) -> Void) {
        guard let keep = settings.keep else { return }
        while !files.isEmpty, Int64(files.reduce(size) { $0 + $1.file.size }) > keep {
            let path = "\(settings.directory)/\(files[0].file.name)"
            let result = calls.remove(path)
            guard result >= 0 || result == -Int(ENOENT) else {
                return remove(.failure(RecordingError("delete", path, result)))
            }
            files.removeFirst()
            if result >= 0 { remove(.success(path)) }
        }
    }

    private func openFolder() throws(RecordingError) -> CInt {
        // Opened again for each file: another disk can have been mounted there.
        let directory = settings.directory
        var result = calls.openDirectory(directory)
        if result == -Int(ENOENT), canCreate(directory) {
            let made = calls.makeDirectory(directory)
            if made != -Int(EEXIST) { try check(made, "create", directory) }
            try syncParent(of: directory)
            result = calls.openDirectory(directory)
        }
        try check(result, "open", directory)
        underlying = fileSystem(below: directory)
        return CInt(result)
    }

    /// Whether a folder that is missing has been deleted, or has never been there: its disk is mounted.
    private func canCreate(_ directory: String) -> Bool {
        underlying.map { $0 != calls.fileSystem(of: parent(of: directory)) } ?? true
    }

    /// The file system on which the mount point of the folder's file system is; nil for the root. The one known so far if
    /// the folder does not answer.
    private func fileSystem(below directory: String) -> Int? {
        let own = calls.fileSystem(of: directory)
        guard own >= 0 else { return underlying }
        var path = directory
        while path.contains("/"), path != "/" {
            path = parent(of: path)
            let other = calls.fileSystem(of: path)
            if other >= 0, other != own { return other }
        }
        return nil
    }

    private func parent(of path: String) -> String {
        let end = path.lastIndex(of: "/")
        return end.map { $0 == path.startIndex ? "/" : String(path[..<$0]) } ?? "."
    }

    private func syncParent(of directory: String) throws(RecordingError) {
        let parent = parent(of: directory)
        let folder = calls.openDirectory(parent)
        try check(folder, "open", parent)
        defer { calls.close(CInt(folder)) }
        try check(calls.sync(CInt(folder)), "sync", parent)
    }

    private func path(_ name: RecordingName) -> String {
        "\(settings.directory)/\(name.stem).\(settings.fileType.rawValue)"
    }

    private func check(_ result: Int, _ operation: String, _ path: String) throws(RecordingError) {
        if result < 0 { throw RecordingError(operation, path, result) }
    }
}
