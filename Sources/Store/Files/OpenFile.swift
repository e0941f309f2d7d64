import Glibc

/// An open file, which is closed when this value is destroyed.
public struct OpenFile: ~Copyable {
    public let descriptor: CInt
    /// The name of the file in error messages.
    public var path: String
    private let calls: any FileCalls

    /// Takes ownership of an open descriptor.
    public init(owning descriptor: CInt, _ path: String, calls: any FileCalls = SystemFileCalls()) {
        self.descriptor = descriptor
        self.path = path
        self.calls = calls
    }

    deinit { calls.close(descriptor) }

    /// Opens a file.
    /// - Parameters:
    ///   - flags: the flags of `open`, to which `O_CLOEXEC` is added.
    ///   - mode: the permissions of a new file.
    ///   - dash: the standard stream for which the path `-` stands, or nil to treat `-` as an ordinary name.
    public static func open(
        _ path: String, _ flags: CInt, mode: mode_t = 0o644, dash: CInt? = nil,
        calls: any FileCalls = SystemFileCalls()
    ) throws(FileError) -> OpenFile {
        let descriptor = try FileError.check(flags & O_EXCL == 0 ? "open" : "create", path) {
            if let dash, path == "-" { answer(dup(dash)) } else { calls.open(path, flags, mode: mode) }
        }
        return OpenFile(owning: CInt(descriptor), path, calls: calls)
    }

    /// Reads to the end of the file.
    ///
    /// - Parameter limit: the number of bytes shortly after which reading stops. A longer result may be incomplete.
    public borrowing func readAll(limit: Int = .max) throws(FileError) -> [UInt8] {
        var bytes: [UInt8] = []
        while bytes.count <= limit {
            let piece = try readPiece()
            if piece.isEmpty { break }
            bytes += piece
        }
        return bytes
    }

    /// Reads the next bytes, at most 64 KiB. Returns no bytes at the end of the file.
    public borrowing func readPiece() throws(FileError) -> ArraySlice<UInt8> {
        var piece = [UInt8](repeating: 0, count: 1 << 16)
        let count = try FileError.check("read", path) { answer(Glibc.read(descriptor, &piece, piece.count)) }
        return piece[..<count]
    }

    /// Reads this many bytes, or fewer at the end of the file.
    public borrowing func read(_ count: Int, at offset: Int = 0) throws(FileError) -> [UInt8] {
        // Closures in Swift 6.0 cannot borrow this value twice.
        let (descriptor, calls) = (descriptor, calls)
        var bytes = [UInt8](repeating: 0, count: count)
        var done = 0
        while done < count {
            let taken = try FileError.check("read", path) {
                bytes.withUnsafeMutableBytes {
                    calls.read(
                        descriptor, into: UnsafeMutableRawBufferPointer(rebasing: $0[done...]), at: offset + done)
                }
            }
            if taken == 0 { break }
            done += taken
        }
        return Array(bytes[..<done])
    }

    /// Writes all bytes.
    public borrowing func write(_ bytes: some Sequence<UInt8>) throws(FileError) {
        let descriptor = descriptor
        var rest = Array(bytes)[...]
        while !rest.isEmpty {
            let count = try FileError.check("write", path) {
                rest.withUnsafeBytes { answer(Glibc.write(descriptor, $0.baseAddress, $0.count)) }
            }
            rest = rest.dropFirst(count)
        }
    }

    /// Writes all bytes at an offset.
    public borrowing func write(_ bytes: ArraySlice<UInt8>, at offset: Int) throws(FileError) {
        let (descriptor, calls) = (descriptor, calls)
        var done = 0
        while done < bytes.count {
            let count = try FileError.check("write", path) {
                bytes.withUnsafeBytes {
                    calls.write(descriptor, UnsafeRawBufferPointer(rebasing: $0[done...]), at: offset + done)
                }
            }
            // If nothing is written and there is no error, the loop would never end.
            guard count > 0 else { throw FileError("write", path, code: EIO) }
            done += count
        }
    }

    /// Moves to the first byte.
    public borrowing func rewind() throws(FileError) {
        guard lseek(descriptor, 0, SEEK_SET) == 0 else { throw FileError("rewind", path) }
    }

    /// Waits until the file is on the disk.
    public borrowing func sync() throws(FileError) {
        try FileError.check("sync", path) { calls.sync(descriptor) }
    }

    /// Waits until the file's data is on the disk, with only the metadata needed to read it.
    public borrowing func syncData() throws(FileError) {
        try FileError.check("sync", path) { calls.syncData(descriptor) }
    }

    /// Reserves disk space for this many bytes.
    public borrowing func allocate(_ length: Int) throws(FileError) {
        try FileError.check("allocate space for", path) { calls.allocate(descriptor, length) }
    }

    public borrowing func truncate(to length: Int) throws(FileError) {
        try FileError.check("truncate", path) { calls.truncate(descriptor, to: length) }
    }

    public borrowing func status() throws(FileError) -> FileStatus {
        var status = FileStatus()
        try FileError.check("inspect", path) { calls.inspect(descriptor, &status) }
        return status
    }
}

extension OpenFile {
    /// Returns the first line of a short file, such as those in `/proc` and `/sys`.
    /// - Returns: nil if the file cannot be read, or begins with an empty line.
    public static func firstLine(of path: String) -> String? {
        guard let file = try? open(path, O_RDONLY), let bytes = try? file.readPiece() else { return nil }
        let line = bytes.prefix { $0 != UInt8(ascii: "\n") }
        return line.isEmpty ? nil : String(decoding: line, as: UTF8.self)
    }

    /// The suffix of the name of a file that `replace` is writing. A power cut can leave such a file behind.
    public static let replacementSuffix = ".new"

    /// Replaces a file atomically, so that after a power cut the file has either all of the old bytes or all of the new
    /// ones. It blocks for as long as the disk does. A file must not be replaced by several writers at once.
    ///
    /// - Parameter mode: the permissions of the new file, or nil for those that the umask leaves.
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
