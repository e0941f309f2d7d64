import ALSA
import CRealTime
import Glibc

/// A file in memory (`memfd_create`). Another component writes to the file through its descriptor, and this type reads
/// it.
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

    /// - Parameter user: the component that needs the file, as named in error messages and in `/proc`.
    static func create(for user: String) throws(PCMError) -> MemoryFile {
        let descriptor = realtime_memory_file(user)
        guard descriptor >= 0 else { throw .system(errno, operation: "get memory for", device: user) }
        return MemoryFile(descriptor: descriptor, user: user)
    }

    /// Returns the number of bytes written since the last `rewind`.
    func writtenBytes() throws(PCMError) -> Int {
        let offset = lseek(descriptor, 0, SEEK_CUR)
        guard offset >= 0 else { throw .system(errno, operation: "read back from", device: user) }
        return offset
    }

    /// Reads bytes from `offset` until `buffer` is full. All of these bytes must have been written.
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

    /// Makes the next write begin at the start, so that the file does not grow.
    func rewind() throws(PCMError) {
        guard lseek(descriptor, 0, SEEK_SET) == 0 else {
            throw .system(errno, operation: "rewind", device: user)
        }
    }
}
