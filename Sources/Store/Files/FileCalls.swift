import Glibc

/// The system calls on files. A test can replace them to make any of them fail, and to lose unsynced data.
///
/// They return what the kernel returns, where a negative result is a negated `errno` code. They can be called on any
/// thread, and block for as long as the disk does. `OpenFile` turns their results into errors.
public protocol FileCalls: Sendable {
    /// Opens a file.
    /// - Parameter mode: the permissions of a file that it creates.
    /// - Returns: the descriptor, with `O_CLOEXEC` set.
    func open(_ path: String, _ flags: CInt, mode: mode_t) -> Int
    func close(_ descriptor: CInt)
    /// Reads bytes at an offset.
    /// - Returns: the number of bytes that were read, or 0 at the end.
    func read(_ descriptor: CInt, into buffer: UnsafeMutableRawBufferPointer, at offset: Int) -> Int
    /// Writes bytes at an offset.
    /// - Returns: the number of bytes that were written, which may be smaller.
    func write(_ descriptor: CInt, _ bytes: UnsafeRawBufferPointer, at offset: Int) -> Int
    /// Reserves disk space for this many bytes.
    func allocate(_ descriptor: CInt, _ length: Int) -> Int
    func truncate(_ descriptor: CInt, to length: Int) -> Int
    /// Waits until a file or folder and all its metadata are on the disk.
    func sync(_ descriptor: CInt) -> Int
    /// Waits until a file's data is on the disk, with only the metadata needed to read it.
    func syncData(_ descriptor: CInt) -> Int
    func rename(_ old: String, _ new: String) -> Int
    func remove(_ path: String) -> Int
    func makeDirectory(_ path: String, mode: mode_t) -> Int
    /// Appends the regular files in a folder, in any order.
    func list(_ path: String, _ files: inout [ListedFile]) -> Int
    /// Inspects an open file.
    func inspect(_ descriptor: CInt, _ status: inout FileStatus) -> Int
    /// Inspects the file or folder with this path.
    func inspect(_ path: String, _ status: inout FileStatus) -> Int
}

/// Identifies a file independently of its name.
public struct FileIdentity: Hashable, Sendable {
    /// The number of the file system.
    public var device: UInt
    public var inode: UInt

    public init(device: UInt = 0, inode: UInt = 0) {
        self.device = device
        self.inode = inode
    }
}

public struct FileStatus: Hashable, Sendable {
    public var identity: FileIdentity
    /// The number of names that the file has. It is 0 once the file has been deleted.
    public var names: Int

    public init(_ identity: FileIdentity = FileIdentity(), names: Int = 1) {
        self.identity = identity
        self.names = names
    }
}

/// A file in a folder.
public struct ListedFile: Hashable, Sendable {
    public var name: String
    /// The size in bytes.
    public var size: Int

    public init(name: String, size: Int) {
        self.name = name
        self.size = size
    }
}

/// The real system calls.
public struct SystemFileCalls: FileCalls {
    /// True if `sync` and `syncData` wait for the disk, false if they do nothing.
    private let syncs: Bool

    public init(syncs: Bool = true) { self.syncs = syncs }

    public func open(_ path: String, _ flags: CInt, mode: mode_t) -> Int {
        answer(Glibc.open(path, flags | O_CLOEXEC, mode))
    }

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

    public func truncate(_ descriptor: CInt, to length: Int) -> Int { answer(ftruncate(descriptor, off_t(length))) }
    public func sync(_ descriptor: CInt) -> Int { syncs ? answer(fsync(descriptor)) : 0 }
    public func syncData(_ descriptor: CInt) -> Int { syncs ? answer(fdatasync(descriptor)) : 0 }
    public func rename(_ old: String, _ new: String) -> Int { answer(Glibc.rename(old, new)) }
    public func remove(_ path: String) -> Int { answer(unlink(path)) }
    public func makeDirectory(_ path: String, mode: mode_t) -> Int { answer(mkdir(path, mode)) }

    public func list(_ path: String, _ files: inout [ListedFile]) -> Int {
        do throws(FileError) {
            for name in try Folder.names(in: path) {
                var status = stat()
                guard lstat("\(path)/\(name)", &status) == 0, status.st_mode & S_IFMT == S_IFREG else { continue }
                files.append(ListedFile(name: name, size: Int(status.st_size)))
            }
            return 0
        } catch { return -Int(error.code) }
    }

    public func inspect(_ descriptor: CInt, _ status: inout FileStatus) -> Int {
        var found = stat()
        let result = answer(fstat(descriptor, &found))
        status = FileStatus(found)
        return result
    }

    public func inspect(_ path: String, _ status: inout FileStatus) -> Int {
        var found = stat()
        let result = answer(stat(path, &found))
        status = FileStatus(found)
        return result
    }
}

extension FileStatus {
    fileprivate init(_ status: stat) {
        self.init(
            FileIdentity(device: UInt(status.st_dev), inode: UInt(status.st_ino)), names: Int(status.st_nlink))
    }
}

/// Returns the result of a C function, or its negated `errno` code.
func answer(_ result: some BinaryInteger) -> Int { result < 0 ? -Int(errno) : Int(result) }
