import Files
import Glibc

/// Prevents other processes from writing states into a folder, because two processes would overwrite each other's
/// slots.
///
/// The lock is an `flock` on the file `lock` in the folder, which contains the process ID of the owner. It is released
/// when this object is deallocated. If the process ends in any other way, the kernel releases it.
public final class StateLock: Sendable {
    private let descriptor: CInt

    private init(_ descriptor: CInt) { self.descriptor = descriptor }

    deinit { close(descriptor) }

    /// Locks a folder. It blocks for as long as the disk does.
    /// - Parameter timeout: the time to wait for another process to release the lock.
    /// - Returns: nil if the folder cannot be locked because it is missing, or because it is on a read-only disk that
    ///   no process can write.
    /// - Throws: `StateError.inUse` if another process has locked it, or if it belongs to another user's Tacet, or
    ///   `StateError.file` if the lock is a symbolic link.
    public static func take(_ directory: String, timeout: Duration = .zero) throws(StateError) -> StateLock? {
        let path = directory + "/lock"
        // Any user who could open the file could hold the lock, and thereby prevent a start. Root does not follow a
        // link that the folder's owner has created.
        let descriptor = open(path, O_RDWR | O_CREAT | O_CLOEXEC | O_NONBLOCK | O_NOFOLLOW, 0o600)
        guard descriptor >= 0 else {
            if errno == ELOOP { throw .file(FileError("open", path, code: ELOOP)) }
            // Another user's Tacet uses the folder.
            if errno == EACCES, access(path, F_OK) == 0 { throw .inUse(directory, by: nil) }
            return nil
        }
        let isOwn = isOnlyName(descriptor)
        if isOwn {
            fchmod(descriptor, 0o600)
            giveAway(descriptor, in: directory)
        }
        let lock = StateLock(descriptor)
        let deadline = ContinuousClock.now + timeout
        while flock(descriptor, LOCK_EX | LOCK_NB) != 0 {
            // The file system does not support locks.
            guard errno == EWOULDBLOCK || errno == EINTR else { return nil }
            guard ContinuousClock.now < deadline else { throw .inUse(directory, by: lock.owner) }
            poll(nil, 0, 20)
        }
        if isOwn { lock.sign() }
        return lock
    }

    /// Returns true if the file is an ordinary file with only one name. Any other file can be locked, but is not
    /// changed.
    private static func isOnlyName(_ descriptor: CInt) -> Bool {
        var file = stat()
        return fstat(descriptor, &file) == 0 && file.st_mode & S_IFMT == S_IFREG && file.st_nlink == 1
    }

    /// Changes the owner of a lock that root has created, so that it does not lock out the owner of the folder, whose
    /// service starts later.
    private static func giveAway(_ descriptor: CInt, in directory: String) {
        var (folder, file) = (stat(), stat())
        guard geteuid() == 0, fstat(descriptor, &file) == 0, file.st_uid == 0, stat(directory, &folder) == 0 else {
            return
        }
        _ = fchown(descriptor, folder.st_uid, folder.st_gid)
    }

    private var owner: Int? {
        var bytes = [UInt8](repeating: 0, count: 32)
        let count = pread(descriptor, &bytes, bytes.count, 0)
        return Int(String(decoding: bytes.prefix(max(0, count)).prefix { $0 != UInt8(ascii: "\n") }, as: UTF8.self))
    }

    private func sign() {
        let text = Array("\(getpid())\n".utf8)
        // On a full disk, the lock works without the process ID.
        guard ftruncate(descriptor, 0) == 0 else { return }
        _ = pwrite(descriptor, text, text.count, 0)
    }
}
