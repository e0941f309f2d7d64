import Glibc

/// All system calls on recordings, so that a test can make any of them fail, and lose unsynced data.
///
/// They return what the kernel returns: a negative result is a negated `errno` code. They can be called on any thread,
/// and block for as long as the disk does.
public protocol RecordingCalls: Sendable {
    /// Creates a folder for owner and group (mode 0750).
    func makeDirectory(_ path: String) -> Int
    /// Opens a folder, for `sync`.
    func openDirectory(_ path: String) -> Int
    /// Appends the regular files in a folder, in any order.
    func list(_ path: String, _ files: inout [ListedFile]) -> Int
    /// The number of the file system on which a file or folder is.
    func fileSystem(of path: String) -> Int
    /// Creates a file; fails with EEXIST if there is one with this name.
    /// - Returns: a descriptor for writing, with `O_CLOEXEC` set.
    func create(_ path: String) -> Int
    /// - Returns: how many bytes were written, which may be fewer.
    func write(_ descriptor: CInt, _ bytes: UnsafeRawBufferPointer, at offset: Int) -> Int
    func truncate(_ descriptor: CInt, to length: Int) -> Int
    /// Waits until a folder or a file and all its metadata are on the disk.
    func sync(_ descriptor: CInt) -> Int
    /// Waits until a file's data is on the disk, with only the metadata needed to read it.
    func syncData(_ descriptor: CInt) -> Int
    /// The number of names that an open file has: 0 once it has been deleted.
    func names(_ descriptor: CInt) -> Int
    func close(_ descriptor: CInt)
    func remove(_ path: String) -> Int
}

/// A file in a folder.
public struct ListedFile: Hashable, Sendable {
    public var name: String
    /// Its size in bytes.
    public var size: Int

    public init(name: String, size: Int) {
        self.name = name
        self.size = size
    }
}

/// The real system calls.
public struct SystemRecordingCalls: RecordingCalls {
    public init() {}

    public func makeDirectory(_ path: String) -> Int { answer(mkdir(path, 0o750)) }

    public func openDirectory(_ path: String) -> Int { answer(open(path, O_RDONLY | O_DIRECTORY | O_CLOEXEC)) }

    public func list(_ path: String, _ files: inout [ListedFile]) -> Int {
        guard let folder = opendir(path) else { return -Int(errno) }
        defer { closedir(folder) }
        errno = 0
        while let entry = readdir(folder) {
            let name = withUnsafeBytes(of: &entry.pointee.d_name) { bytes in
                String(decoding: bytes.prefix { $0 != 0 }, as: UTF8.self)
            }
            var status = stat()
            if fstatat(dirfd(folder), name, &status, AT_SYMLINK_NOFOLLOW) == 0, status.st_mode & S_IFMT == S_IFREG {
                files.append(ListedFile(name: name, size: Int(status.st_size)))
            }
            errno = 0
        }
        return -Int(errno)
    }

    public func fileSystem(of path: String) -> Int {
        var status = stat()
        return stat(path, &status) == 0 ? Int(truncatingIfNeeded: status.st_dev) & .max : -Int(errno)
    }

    public func create(_ path: String) -> Int {
        answer(open(path, O_RDWR | O_CREAT | O_EXCL | O_NOFOLLOW | O_CLOEXEC, 0o640))
    }

    public func write(_ descriptor: CInt, _ bytes: UnsafeRawBufferPointer, at offset: Int) -> Int {
        answer(pwrite(descriptor, bytes.baseAddress, bytes.count, off_t(offset)))
    }

    public func truncate(_ descriptor: CInt, to length: Int) -> Int { answer(ftruncate(descriptor, off_t(length))) }
    public func sync(_ descriptor: CInt) -> Int { answer(fsync(descriptor)) }
    public func syncData(_ descriptor: CInt) -> Int { answer(fdatasync(descriptor)) }

    public func names(_ descriptor: CInt) -> Int {
        var status = stat()
        return fstat(descriptor, &status) == 0 ? Int(status.st_nlink) : -Int(errno)
    }

    public func close(_ descriptor: CInt) { _ = Glibc.close(descriptor) }
    public func remove(_ path: String) -> Int { answer(unlink(path)) }

    private func answer(_ result: some BinaryInteger) -> Int { result < 0 ? -Int(errno) : Int(result) }
}
