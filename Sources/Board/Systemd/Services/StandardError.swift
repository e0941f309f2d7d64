import Glibc

/// Writes a whole text to standard error. This may take any amount of time. A thread that must not wait uses a
/// `LogQueue`.
public enum StandardError {
    public static func write(_ text: String) {
        let bytes = Array(text.utf8)
        var done = 0
        while done < bytes.count {
            let count = bytes.withUnsafeBytes {
                Glibc.write(STDERR_FILENO, $0.baseAddress.map { $0 + done }, $0.count - done)
            }
            if count > 0 {
                done += count
            } else if count < 0, errno == EAGAIN {
                // Another process that shares the descriptor has made it non-blocking, so wait here.
                var entry = pollfd(fd: STDERR_FILENO, events: Int16(POLLOUT), revents: 0)
                guard poll(&entry, 1, -1) > 0 || errno == EINTR else { return }
            } else if count == 0 || errno != EINTR {
                return
            }
        }
    }
}
