import Glibc

/// An open file, closed when this value is destroyed. Calls that a signal interrupts (`EINTR`) are repeated.
public struct OpenFile: ~Copyable {
    public let descriptor: CInt
    /// The name in error messages.
    private let path: String

    /// Takes ownership of an open descriptor.
    public init(owning descriptor: CInt, _ path: String) {
        self.descriptor = descriptor
        self.path = path
    }

    deinit { close(descriptor) }

    /// - Parameters:
    ///   - flags: the flags of `open`; `O_CLOEXEC` is added.
    ///   - dash: the standard stream that the path `-` stands for; nil treats `-` as an ordinary name.
    public static func open(_ path: String, _ flags: CInt, dash: CInt? = nil) throws(FileError) -> OpenFile {
        let descriptor = if let dash, path == "-" { dup(dash) } else { Glibc.open(path, flags | O_CLOEXEC, 0o644) }
        guard descriptor >= 0 else { throw FileError("open", path) }
        return OpenFile(owning: descriptor, path)
    }

    /// Reads to the end of the file.
    ///
    /// - Parameter limit: reading stops soon after this many bytes: a longer result may be incomplete.
    public borrowing func readAll(limit: Int = .max) throws(FileError) -> [UInt8] {
        var bytes: [UInt8] = []
        while bytes.count <= limit {
            let piece = try readPiece()
            if piece.isEmpty { break }
            bytes += piece
        }
        return bytes
    }

    /// Reads the next bytes, at most 64 KiB; returns none at the end of the file.
    public borrowing func readPiece() throws(FileError) -> ArraySlice<UInt8> {
        var piece = [UInt8](repeating: 0, count: 1 << 16)
        while true {
            let count = read(descriptor, &piece, piece.count)
            if count >= 0 { return piece[..<count] }
            guard errno == EINTR else { throw FileError("read", path) }
        }
    }

    /// Writes all bytes.
    public borrowing func write(_ bytes: some Sequence<UInt8>) throws(FileError) {
        var rest = Array(bytes)[...]
        while !rest.isEmpty {
            let count = rest.withUnsafeBytes { Glibc.write(descriptor, $0.baseAddress, $0.count) }
            if count >= 0 { rest = rest.dropFirst(count) } else if errno != EINTR { throw FileError("write", path) }
        }
    }

    /// Moves to the first byte.
    public borrowing func rewind() throws(FileError) {
        guard lseek(descriptor, 0, SEEK_SET) == 0 else { throw FileError("rewind", path) }
    }

    /// Waits until the file is on the disk.
    public borrowing func sync() throws(FileError) {
        guard fsync(descriptor) == 0 else { throw FileError("sync", path) }
    }
}

extension OpenFile {
    /// The first line of a short file, such as those in `/proc` and `/sys`.
    /// - Returns: nil if the file cannot be read, or begins with an empty line.
    public static func firstLine(of path: String) -> String? {
        guard let file = try? open(path, O_RDONLY), let bytes = try? file.readPiece() else { return nil }
        let line = bytes.prefix { $0 != UInt8(ascii: "\n") }
        return line.isEmpty ? nil : String(decoding: line, as: UTF8.self)
    }

    /// At the end of the name of a file that `replace` is writing; a power cut can leave one.
    public static let replacementSuffix = ".new"

    /// Replaces a file atomically: across a power cut, the file has either all of the old bytes or all of the new ones.
    /// Blocks for as long as the disk does. Allows one writer at a time.
    ///
    /// - Parameter mode: the new file's permissions; nil: those that the umask leaves.
    public static func replace(_ path: String, with bytes: [UInt8], mode: mode_t? = nil) throws(FileError) {
        let new = path + replacementSuffix
        do throws(FileError) {
            let file = try open(new, O_WRONLY | O_CREAT | O_TRUNC | O_NOFOLLOW | O_NONBLOCK)
            if let mode, fchmod(file.descriptor, mode) != 0 { throw FileError("set the permissions of", new) }
            try file.write(bytes)
            try file.sync()
            guard rename(new, path) == 0 else { throw FileError("replace", path) }
        } catch {
            unlink(new)
            throw error
        }
        let folder = path.lastIndex(of: "/").map { path[..<$0] } ?? "."
        try open(folder.isEmpty ? "/" : String(folder), O_RDONLY | O_DIRECTORY).sync()
    }
}
