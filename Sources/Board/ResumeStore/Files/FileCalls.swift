import Glibc

/// All system calls of the store, so that a test can make any of them fail, and lose unsynced data.
///
/// They return what the kernel returns: a negative result is a negated `errno` code. They can be called on any thread,
/// and block for as long as the disk does.
public protocol FileCalls: Sendable {
    /// - Returns: the descriptor, with `O_CLOEXEC` set.
    func open(_ path: String, _ flags: CInt) -> Int
    func close(_ descriptor: CInt)
    /// - Returns: how many bytes were read; 0 at the end.
    func read(_ descriptor: CInt, into buffer: UnsafeMutableRawBufferPointer, at offset: Int) -> Int
    /// - Returns: how many bytes were written, which may be fewer.
    func write(_ descriptor: CInt, _ bytes: UnsafeRawBufferPointer, at offset: Int) -> Int
    /// Reserves disk space for this many bytes.
    func allocate(_ descriptor: CInt, _ length: Int) -> Int
    /// Waits until a file or folder and all its metadata are on the disk.
    func sync(_ descriptor: CInt) -> Int
    /// Waits until a file's data is on the disk, with only the metadata needed to read it.
    func syncData(_ descriptor: CInt) -> Int
    func rename(_ old: String, _ new: String) -> Int
    func remove(_ path: String) -> Int
    /// Returns the identity of an open file.
    func identify(_ descriptor: CInt, _ identity: inout FileIdentity) -> Int
    /// Returns the identity of the file with this path.
    func identify(_ path: String, _ identity: inout FileIdentity) -> Int
}

/// Identifies a file independently of its name.
public struct FileIdentity: Hashable, Sendable {
    public var device: UInt
    public var inode: UInt

    public init(device: UInt = 0, inode: UInt = 0) {
        self.device = device
        self.inode = inode
    }
}

/// The real system calls.
public struct SystemFileCalls: FileCalls {
    /// Whether `sync` and `syncData` wait for the disk, or do nothing.
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

    // posix_fallocate returns the error code instead of setting errno.
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
