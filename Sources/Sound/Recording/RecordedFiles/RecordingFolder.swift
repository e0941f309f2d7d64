import Files
import Glibc

/// The folder with the recordings. This class creates files in it and deletes the oldest ones. It does not touch files
/// with other names.
final class RecordingFolder {
    private let settings: RecorderSettings
    private let calls: any FileCalls
    /// The finished recordings with their sizes, in the order in which they are deleted. Recordings whose names are
    /// later than the newest one come first, because the clock was wrong when they were named. The other recordings
    /// follow, starting with the oldest.
    private var files: [(name: RecordingName, file: ListedFile)] = []
    /// The newest name that this recorder has used.
    private var newest: RecordingName?
    /// The file system that contains the mount point of the folder's file system, or nil if there is none. After the
    /// folder's disk has been unmounted, the folder must not be created on this file system.
    private var underlying: UInt?

    init(_ settings: RecorderSettings, calls: any FileCalls) {
        self.settings = settings
        self.calls = calls
    }

    /// Creates the next file, and the folder if it is missing.
    func create(_ format: RecordedFormat, start: Duration) throws(RecordingError) -> RecordingFile {
        let folder = try converting { () throws(FileError) in try openFolder() }
        let file = try converting { () throws(FileError) in try createFile(start: start) }
        let path = file.path
        do throws(RecordingError) {
            return try RecordingFile(
                file, in: folder, format: format, start: start, settings: settings, calls: calls)
        } catch {
            _ = calls.remove(path)
            throw error
        }
    }

    private func createFile(start: Duration) throws(FileError) -> OpenFile {
        let directory = settings.directory
        var listed: [ListedFile] = []
        try FileError.check("list", directory) {
            listed = []
            return calls.list(directory, &listed)
        }
        files = listed.compactMap { file in RecordingName(of: file.name).map { ($0, file) } }
        // Consider also the last name used, because the newest file may have been moved away.
        var name = RecordingName.following(files.map(\.name) + [newest].compactMap { $0 }, at: start)
        files.sort { ($0.name > name ? 0 : 1, $0.name) < ($1.name > name ? 0 : 1, $1.name) }
        var attempts = 0
        while true {
            do throws(FileError) {
                let path = "\(directory)/\(name.stem).\(settings.fileType.rawValue)"
                let file = try OpenFile.open(
                    path, O_RDWR | O_CREAT | O_EXCL | O_NOFOLLOW, mode: 0o640, calls: calls)
                newest = name
                return file
            } catch {
                // Another program may have created a file with this name in the meantime.
                guard error.code == EEXIST, attempts < 100 else { throw error }
                attempts += 1
                name = name.next
            }
        }
    }

    private func converting<Value: ~Copyable>(
        _ body: () throws(FileError) -> Value
    ) throws(RecordingError) -> Value {
        do throws(FileError) { return try body() } catch { throw RecordingError(error) }
    }

    /// Adds a finished file.
    func add(_ file: RecordingFile) {
        let name = String(file.path.dropFirst(settings.directory.count + 1))
        guard let parsed = RecordingName(of: name) else { return }
        files.append((parsed, ListedFile(name: name, size: file.size)))
    }

    /// Deletes files until all of them fit into `keep`.
    /// - Parameters:
    ///   - size: the size of the file being written, which is never deleted.
    ///   - remove: called with each file that has been removed, or with the error that ends the attempt.
    func makeRoom(for size: Int, _ remove: (Result<RecordingWriter.Event, RecordingError>) -> Void) {
        guard let keep = settings.keep else { return }
        while !files.isEmpty, Int64(files.reduce(size) { $0 + $1.file.size }) > keep {
            let path = "\(settings.directory)/\(files[0].file.name)"
            let result = calls.remove(path)
            guard result >= 0 || result == -Int(ENOENT) else {
                return remove(.failure(RecordingError("delete", path, CInt(-result))))
            }
            let name = files.removeFirst().name
            let isFromFuture = newest.map { name > $0 } ?? false
            if result >= 0 { remove(.success(.removed(path: path, isFromFuture: isFromFuture))) }
        }
    }

    private func openFolder() throws(FileError) -> OpenFile {
        // Open the folder again for each file, because another disk may have been mounted there.
        let directory = settings.directory
        let folder = try openOrCreate(directory)
        underlying = fileSystem(below: directory)
        return folder
    }

    private func openOrCreate(_ directory: String) throws(FileError) -> OpenFile {
        do throws(FileError) { return try open(directory) } catch {
            guard error.code == ENOENT, canCreate(directory) else { throw error }
        }
        do throws(FileError) {
            try FileError.check("create", directory) { calls.makeDirectory(directory, mode: 0o750) }
        } catch {
            guard error.code == EEXIST else { throw error }
        }
        try open(parent(of: directory)).sync()
        return try open(directory)
    }

    private func open(_ directory: String) throws(FileError) -> OpenFile {
        try OpenFile.open(directory, O_RDONLY | O_DIRECTORY, calls: calls)
    }

    /// Returns true if a missing folder may be created. This is the case if the folder's disk is mounted, because the
    /// folder was then deleted or has never existed.
    private func canCreate(_ directory: String) -> Bool {
        underlying.map { $0 != fileSystem(of: parent(of: directory)) } ?? true
    }

    /// Returns the file system that contains the mount point of the folder's file system, or nil if the folder is on
    /// the root file system. If the folder does not answer, it returns the last known file system.
    private func fileSystem(below directory: String) -> UInt? {
        guard let own = fileSystem(of: directory) else { return underlying }
        var path = directory
        while path.contains("/"), path != "/" {
            path = parent(of: path)
            if let other = fileSystem(of: path), other != own { return other }
        }
        return nil
    }

    private func parent(of path: String) -> String {
        let end = path.lastIndex(of: "/")
        return end.map { $0 == path.startIndex ? "/" : String(path[..<$0]) } ?? "."
    }

    /// Returns the device number of the file system that contains a folder, or nil if the folder does not answer.
    private func fileSystem(of path: String) -> UInt? {
        var status = FileStatus()
        return calls.inspect(path, &status) >= 0 ? status.identity.device : nil
    }
}
