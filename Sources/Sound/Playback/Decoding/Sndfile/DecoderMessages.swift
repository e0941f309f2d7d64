import CSndfile
import Glibc

/// Suppresses messages that decoding libraries print to standard error. libmpg123 prints them for every damaged MP3,
/// and libsndfile does not have an option to turn this off. The `DecoderError` contains the relevant information.
///
/// This type replaces the C library's standard error stream once for the whole process. Messages of other threads, and
/// messages that this thread prints at other times, are not affected.
enum DecoderMessages {
    /// Calls a function and discards the messages that this thread prints during the call.
    static func dropped<Result>(_ decode: () -> Result) -> Result {
        guard let key else { return decode() }
        // Any address except nil marks the thread.
        pthread_setspecific(key, UnsafeRawPointer(bitPattern: 1))
        defer { pthread_setspecific(key, nil) }
        return decode()
    }

    /// A thread-specific key that is set while a thread decodes, or nil if the stream cannot be replaced.
    private static let key: pthread_key_t? = {
        var key = pthread_key_t()
        guard pthread_key_create(&key, nil) == 0 else { return nil }
        let functions = csndfile_stream_functions(
            read: nil, write: { _, bytes, count in DecoderMessages.write(bytes, count) }, seek: nil, close: nil)
        // Store a copy, because the function cannot use a static property that is still being initialised.
        decoding = key
        guard let stream = csndfile_open_stream(nil, "w", functions) else { return nil }
        setvbuf(stream, nil, _IONBF, 0)
        csndfile_set_standard_error(stream)
        return key
    }()

    /// A copy of `key` for the stream's function. It is written once, before the stream is in use.
    nonisolated(unsafe) private static var decoding = pthread_key_t()

    private static func write(_ bytes: UnsafePointer<CChar>?, _ count: Int) -> Int {
        guard let bytes, pthread_getspecific(decoding) == nil else { return count }
        // Libraries may print from any thread. If the stream is full because nothing reads it, the bytes for which
        // there is no room are discarded.
        var done = 0
        while done < count {
            let written = writeSome(bytes + done, count - done)
            if written > 0 { done += written } else if written == 0 || errno != EINTR { break }
        }
        // Report success because the caller could not handle a failure anyway.
        return count
    }

    /// Writes like `write` but without blocking. Under systemd, the stream is a socket. Otherwise, it is a pipe, a file
    /// or a terminal.
    private static func writeSome(_ bytes: UnsafePointer<CChar>, _ count: Int) -> Int {
        let sent = send(STDERR_FILENO, bytes, count, Int32(MSG_DONTWAIT | MSG_NOSIGNAL))
        guard sent < 0, errno == ENOTSOCK else { return sent }
        var stream = pollfd(fd: STDERR_FILENO, events: Int16(POLLOUT), revents: 0)
        guard poll(&stream, 1, 0) > 0 else {
            errno = EAGAIN
            return -1
        }
        // A writable pipe always has room for this many bytes.
        let roomOfAPipe = 4096
        return Glibc.write(STDERR_FILENO, bytes, min(count, roomOfAPipe))
    }
}
