import Files
import Glibc

/// Prevents other processes from writing states into a folder: two would overwrite each other's slots.
///
/// The lock is an `flock` on the file `lock` in the folder, which contains the owner's process ID. It is released when
/// this object is deallocated; if the process ends in any way, the kernel releases it.
public final class StateLock: Sendable {
    private let descriptor: CInt

    private init(_ descriptor: CInt) { self.descriptor = descriptor }

    deinit { close(descriptor) }

    /// Locks a folder. Blocks for as long as the disk does.
    /// - Parameter patience: how long to wait for another process to release the lock.
    /// - Returns: nil if the folder cannot be locked because it is missing, or on a read-only disk that nobody can
    ///   write.
    /// - Throws: `StateError.inUse` if another process has locked it.
    public static func take(_ directory: String, patience: Duration = .zero) throws(StateError) -> StateLock? {
        let path = directory + "/lock"
        var descriptor = open(path, O_RDWR | O_CREAT | O_CLOEXEC | O_NONBLOCK, 0o666)
        // A lock file that only its owner can write can be locked by other users, too.
        if descriptor < 0, errno == EACCES { descriptor = open(path, O_RDONLY | O_CLOEXEC | O_NONBLOCK) }
        guard descriptor >= 0 else { return nil }
        // Everyone who can enter the folder must be able to lock it, whatever the umask of the first process was.
        fchmod(descriptor, 0o666)
        let lock = StateLock(descriptor)
        let deadline = ContinuousClock.now + patience
        while flock(descriptor, LOCK_EX | LOCK_NB) != 0 {
            // The file system does not support locks.
            guard errno == EWOULDBLOCK || errno == EINTR else { return nil }
            guard ContinuousClock.now < deadline else { throw .inUse(directory, by: lock.owner) }
            poll(nil, 0, 20)
        }
        lock.sign()
        return lock
    }

    private var owner: Int? {
        var bytes = [UInt8](repeating: 0, count: 32)
        let count = pread(descriptor, &bytes, bytes.count, 0)
        return Int(String(decoding: bytes.prefix(max(0, count)).prefix { $0 != UInt8(ascii: "\n") }, as: UTF8.self))
    }

    private func sign() {
        let text = Array("\(getpid())\n".utf8)
        // On a full disk the lock works without the process ID.
        guard ftruncate(descriptor, 0) == 0 else { return }
        _ = pwrite(descriptor, text, text.count, 0)
    }
}
