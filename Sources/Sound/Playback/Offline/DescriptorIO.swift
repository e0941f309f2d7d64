import CSndfile
import Glibc

/// File access for libsndfile that stores the first `errno`.
final class DescriptorIO {
    /// The `errno` code of the first failure, or 0 if there was none.
    private(set) var error: Int32 = 0
    private var descriptor: Int32

    /// - Parameter descriptor: the descriptor, which `close` or `deinit` closes.
    init(_ descriptor: Int32) {
        self.descriptor = descriptor
    }

    deinit {
        _ = close()
    }

    /// Closes the descriptor. A network file system may not report until now that the disk is full.
    /// - Returns: `errno`, or 0 if closing succeeded.
    func close() -> Int32 {
        guard descriptor >= 0 else { return 0 }
        let code = Glibc.close(descriptor)
        descriptor = -1
        return code == 0 ? 0 : errno
    }

    /// The user data to pass to libsndfile together with `functions`. It does not retain this object.
    var pointer: UnsafeMutableRawPointer {
        Unmanaged.passUnretained(self).toOpaque()
    }

    static var functions: SF_VIRTUAL_IO {
        SF_VIRTUAL_IO(
            get_filelen: { DescriptorIO.of($0)?.length() ?? -1 },
            seek: { DescriptorIO.of($2)?.seek(to: $0, whence: $1) ?? -1 },
            read: { DescriptorIO.of($2)?.read(into: $0, bytes: $1) ?? 0 },
            write: { DescriptorIO.of($2)?.write($0, bytes: $1) ?? 0 },
            tell: { DescriptorIO.of($0)?.seek(to: 0, whence: SEEK_CUR) ?? -1 })
    }

    private static func of(_ pointer: UnsafeMutableRawPointer?) -> DescriptorIO? {
        pointer.map { Unmanaged<DescriptorIO>.fromOpaque($0).takeUnretainedValue() }
    }

    private func length() -> sf_count_t {
        var status = stat()
        return fstat(descriptor, &status) == 0 ? sf_count_t(status.st_size) : remember(errno)
    }

    private func seek(to offset: sf_count_t, whence: Int32) -> sf_count_t {
        let position = lseek(descriptor, Int(offset), whence)
        return position >= 0 ? sf_count_t(position) : remember(errno)
    }

    private func read(into buffer: UnsafeMutableRawPointer?, bytes: sf_count_t) -> sf_count_t {
        while true {
            let count = Glibc.read(descriptor, buffer, Int(bytes))
            if count >= 0 { return sf_count_t(count) }
            if errno != EINTR { return remember(errno) }
        }
    }

    /// Writes all bytes unless an error occurs.
    /// - Returns: the number of bytes written.
    private func write(_ buffer: UnsafeRawPointer?, bytes: sf_count_t) -> sf_count_t {
        var done = 0
        while let buffer, done < Int(bytes) {
            let count = Glibc.write(descriptor, buffer + done, Int(bytes) - done)
            if count >= 0 {
                done += count
            } else if errno != EINTR {
                _ = remember(errno)
                break
            }
        }
        return sf_count_t(done)
    }

    private func remember(_ code: Int32) -> sf_count_t {
        if error == 0 { error = code }
        return -1
    }
}
