import Glibc

/// The system calls that the store makes: all of them, so that a test can make any one fail, and lose what was not
/// synced.
///
/// They answer as the kernel does: a negative number is an error of `errno`, negated. They may be called on any thread,
/// and take as long as the disk does.
public protocol FileCalls: Sendable {
    /// - Returns: the descriptor. Programs that are started do not inherit it.
    func open(_ path: String, _ flags: CInt) -> Int
    func close(_ descriptor: CInt)
    /// - Returns: how many bytes were read; 0 at the end.
    func read(_ descriptor: CInt, into buffer: UnsafeMutableRawBufferPointer, at offset: Int) -> Int
    /// - Returns: how many bytes were written, which may be fewer.
    func write(_ descriptor: CInt, _ bytes: UnsafeRawBufferPointer, at offset: Int) -> Int
    /// Takes room for so many bytes.
    func allocate(_ descriptor: CInt, _ length: Int) -> Int
    /// Waits until all of a file or folder is on the disk.
    func sync(_ descriptor: CInt) -> Int
    /// Waits until its bytes are, and no more of the rest than they need.
    func syncData(_ descriptor: CInt) -> Int
    func rename(_ old: String, _ new: String) -> Int
    func remove(_ path: String) -> Int
    /// Which file it is that is open, or has a name.
    func identify(_ descriptor: CInt, _ identity: inout FileIdentity) -> Int
    func identify(_ path: String, _ identity: inout FileIdentity) -> Int
}

/// Which file it is, whatever it is called.
public struct FileIdentity: Hashable, Sendable {
    public var device: UInt
    public var inode: UInt

    public init(device: UInt = 0, inode: UInt = 0) {
        self.device = device
        self.inode = inode
    }
}

/// The real ones.
public struct SystemFileCalls: FileCalls {
    /// Whether a save waits for the disk.
    private let syncs: Bool

    public init(syncs: Bool = true) { self.syncs = syncs }

    public func open(_ path: String, _ flags: CInt) -> Int { answer(Glibc.open(path, flags | O_CLOEXEC, 0o644)) }
    public func close(_ descriptor: CInt) { _ = Glibc.close(descriptor) }

    public func read(_ descriptor: CInt, into buffer: UnsafeMutableRawBufferPointer, at offset: Int) -> Int {
        answer(pread(descriptor, buffer.baseAddress, buffer.count, off_t(offset)))
    }

    public func write(_ descriptor: CInt, _ bytes: UnsafeRawBufferPointer, at offset: Int) -> Int {
        answer(pwrite(descriptor, bytes.baseAddress, bytes.count, off_t(offset)))
    }

    // It answers with the number itself.
    public func allocate(_ descriptor: CInt, _ length: Int) -> Int {
        -Int(posix_fallocate(descriptor, 0, off_t(length)))
    }

    public func sync(_ descriptor: CInt) -> Int { syncs ? answer(fsync(descriptor)) : 0 }
    public func syncData(_ descriptor: CInt) -> Int { syncs ? answer(fdatasync(descriptor)) : 0 }
    public func rename(_ old: String, _ new: String) -> Int { answer(Glibc.rename(old, new)) }
    public func remove(_ path: String) -> Int { answer(unlink(path)) }

    public func identify(_ descriptor: CInt, _ identity: inout FileIdentity) -> Int {
        var status = stat()
        let result = answer(fstat(descriptor, &status))
        identity = FileIdentity(status)
        return result
    }

    public func identify(_ path: String, _ identity: inout FileIdentity) -> Int {
        var status = stat()
        let result = answer(stat(path, &status))
        identity = FileIdentity(status)
        return result
    }

    private func answer(_ result: some BinaryInteger) -> Int { result < 0 ? -Int(errno) : Int(result) }
}

extension FileIdentity {
    fileprivate init(_ status: stat) { self.init(device: UInt(status.st_dev), inode: UInt(status.st_ino)) }
}
