import ALSA
import Glibc

/// A nameless file in shared memory, written by somebody else through its descriptor and read back here.
struct MemoryFile: ~Copyable {
    let descriptor: Int32
    private let user: String

    private init(descriptor: Int32, user: String) {
        self.descriptor = descriptor
        self.user = user
    }

    deinit {
        close(descriptor)
    }

    /// - Parameter user: what needs it, for errors.
    static func create(for user: String) throws(PCMError) -> MemoryFile {
        var path = Array("/dev/shm/\(user).XXXXXX".utf8CString)
        let descriptor = mkstemp(&path)
        guard descriptor >= 0 else {
            throw .system(
                errno, operation: "get memory in /dev/shm for", device: user,
                advice: "mount a tmpfs on /dev/shm that this user may write to")
        }
        unlink(path)
        _ = fcntl(descriptor, F_SETFD, FD_CLOEXEC)
        return MemoryFile(descriptor: descriptor, user: user)
    }

    /// Bytes written since the last `rewind`.
    func writtenBytes() throws(PCMError) -> Int {
        let offset = lseek(descriptor, 0, SEEK_CUR)
        guard offset >= 0 else { throw .system(errno, operation: "read back from", device: user) }
        return offset
    }

    /// Reads bytes from `offset`, as many as `buffer` holds. All of them must have been written.
    func read(into buffer: UnsafeMutableRawBufferPointer, from offset: Int) throws(PCMError) {
        var done = 0
        while done < buffer.count {
            let count = pread(
                descriptor, buffer.baseAddress.map { $0 + done }, buffer.count - done, offset + done)
            if count > 0 {
                done += count
            } else if count == 0 || errno != EINTR {
                throw .system(count == 0 ? EIO : errno, operation: "read back from", device: user)
            }
        }
    }

    /// Lets the next write begin at the start again, so that the file does not grow.
    func rewind() throws(PCMError) {
        guard lseek(descriptor, 0, SEEK_SET) == 0 else {
            throw .system(errno, operation: "rewind", device: user)
        }
    }
}
