import Glibc

/// Bytes at a place: of a file, or of memory.
protocol ByteSource {
    /// - Returns: fewer at the end; none where nothing can be read.
    func bytes(at offset: Int, count: Int) -> [UInt8]
}

extension [UInt8]: ByteSource {
    func bytes(at offset: Int, count: Int) -> [UInt8] {
        guard offset >= 0, offset < self.count, count > 0 else { return [] }
        return Array(self[offset..<(offset + Swift.min(count, self.count - offset))])
    }
}

/// A regular file; closed when it goes.
final class FileBytes: ByteSource {
    private let descriptor: Int32

    /// - Returns: nil where it cannot be opened, or is no regular file.
    init?(_ track: Track) {
        descriptor = track.withPath { open($0, O_RDONLY | O_NONBLOCK | O_CLOEXEC) }
        guard descriptor >= 0 else { return nil }
        var status = stat()
        guard fstat(descriptor, &status) == 0, status.st_mode & S_IFMT == S_IFREG else {
            close(descriptor)
            return nil
        }
    }

    deinit { close(descriptor) }

    func bytes(at offset: Int, count: Int) -> [UInt8] {
        guard offset >= 0, count > 0 else { return [] }
        return [UInt8](unsafeUninitializedCapacity: count) { buffer, filled in
            filled = 0
            while filled < count {
                let taken = pread(descriptor, buffer.baseAddress.map { $0 + filled }, count - filled, offset + filled)
                if taken < 0, errno == EINTR { continue }
                guard taken > 0 else { return }
                filled += taken
            }
        }
    }
}
