import Files
import Glibc
import Playback

/// A file that appears under its name only when it is complete.
///
/// Until `commit`, the file has no name at all if the file system supports that, so that nothing is left behind,
/// however the program ends. An existing file of that name does not change until then. `-` is standard output. A
/// destination that is not a regular file (a device, a pipe) cannot be replaced, so `commit` writes to it.
public final class OutputFile {
    /// The name that was passed to `init`.
    let name: String
    /// The descriptor to write to before `commit`.
    var descriptor: CInt { file.descriptor }
    private let file: OpenFile
    /// The file to replace, or nil if `commit` writes to the destination instead.
    private let destination: String?
    /// The temporary name, if the file needs one.
    private var workPath: String?

    /// Creates a file without a name.
    /// - Throws: an error if the folder of the destination is not writable.
    public init(_ name: String) throws(SimulationError) {
        self.name = name
        destination = OutputFile.destination(of: name)
        let folder = destination.map(OutputFile.folder) ?? OutputFile.temporaryFolder
        var descriptor = open(folder, O_RDWR | OutputFile.nameless | O_CLOEXEC, 0o666)
        if descriptor < 0, errno == EOPNOTSUPP || errno == EISDIR || errno == EINVAL {
            var template = Array("\(folder)/.tacet-XXXXXX".utf8CString)
            descriptor = mkstemp(&template)
            if descriptor >= 0 { workPath = OutputFile.string(template) }
        }
        guard descriptor >= 0 else { throw OutputFile.failed(name, FileError("open", folder)) }
        file = OpenFile(owning: descriptor, name)
    }

    /// Writes a whole text.
    public func write(_ text: String) throws(SimulationError) {
        do throws(FileError) { try file.write(text.utf8) } catch { throw OutputFile.failed(name, error) }
    }

    /// Replaces the destination, or writes to it.
    public func commit() throws(SimulationError) {
        do throws(FileError) {
            if let destination { try replace(destination) } else { try copy() }
        } catch {
            throw OutputFile.failed(name, error)
        }
    }

    private func replace(_ destination: String) throws(FileError) {
        if workPath == nil { workPath = try link(beside: destination) }
        guard let path = workPath, rename(path, destination) == 0 else { throw FileError("replace", destination) }
        workPath = nil
    }

    /// Gives the unnamed file a temporary name, because `linkat` cannot replace a file, but `rename` can.
    private func link(beside destination: String) throws(FileError) -> String {
        for number in 0..<100 {
            let path = "\(OutputFile.folder(of: destination))/.tacet-\(getpid())-\(number)"
            if linkat(AT_FDCWD, "/proc/self/fd/\(descriptor)", AT_FDCWD, path, AT_SYMLINK_FOLLOW) == 0 { return path }
            guard errno == EEXIST else { break }
        }
        throw FileError("link", name)
    }

    private func copy() throws(FileError) {
        let target = try OpenFile.open(name, O_WRONLY, dash: STDOUT_FILENO)
        try file.rewind()
        while true {
            let piece = try file.readPiece()
            if piece.isEmpty { return }
            try target.write(piece)
        }
    }

    private static func failed(_ name: String, _ error: FileError) -> SimulationError {
        SimulationError("cannot write \(name == "-" ? "standard output" : name): \(error.words)")
    }

    /// Returns the file to replace, with links resolved, or nil if the destination is not a regular file.
    private static func destination(of name: String) -> String? {
        guard name != "-" else { return nil }
        var status = stat()
        guard stat(name, &status) == 0 else { return name }
        guard status.st_mode & S_IFMT == S_IFREG, let resolved = realpath(name, nil) else { return nil }
        defer { free(resolved) }
        return String(cString: resolved)
    }

    private static func folder(of path: String) -> String {
        guard let slash = path.lastIndex(of: "/") else { return "." }
        return slash == path.startIndex ? "/" : String(path[..<slash])
    }

    private static func string(_ text: [CChar]) -> String {
        text.withUnsafeBufferPointer { $0.baseAddress.map(String.init(cString:)) ?? "" }
    }

    /// The flag `O_TMPFILE` from <asm-generic/fcntl.h>, which Glibc declares only with `_GNU_SOURCE`.
    private static let nameless: CInt = 0o20_000_000 | O_DIRECTORY

    private static var temporaryFolder: String { getenv("TMPDIR").map { String(cString: $0) } ?? "/tmp" }

    deinit { if let workPath { unlink(workPath) } }
}

/// The identity of the file at a path, so that two paths to the same file compare equal. The file is an existing
/// regular file, or a name in a folder.
///
/// The initializers return nil if the path exists but is not a regular file, because several outputs can share a
/// device.
struct OutputIdentity: Hashable {
    private let device: UInt
    private let inode: UInt
    private let name: String?

    init?(_ path: String) { self.init(Track(path: path)) }

    /// Identifies a file.
    /// - Parameter file: the file, whose name can consist of any bytes.
    init?(_ file: Track) {
        var status = stat()
        let path = String(decoding: file.pathBytes, as: UTF8.self)
        if file.withPath({ stat($0, &status) }) == 0 {
            guard status.st_mode & S_IFMT == S_IFREG else { return nil }
            name = nil
        } else {
            let slash = path.lastIndex(of: "/")
            let folder = slash.map { String(path[...$0]) } ?? "."
            guard stat(folder, &status) == 0 else { return nil }
            name = slash.map { String(path[path.index(after: $0)...]) } ?? path
        }
        device = UInt(status.st_dev)
        inode = UInt(status.st_ino)
    }
}
