import CSndfile
import Glibc

/// Keeps what libraries print while they decode from standard error: libmpg123 does, of every damaged MP3, and
/// libsndfile cannot tell it not to. What matters of it is in the `DecoderError`.
///
/// The C library's stream for standard error is replaced once, for the whole process; what any other thread, or this one
/// at any other time, prints still goes there.
enum DecoderMessages {
    /// Calls a function, and drops what the thread prints meanwhile.
    static func dropped<Result>(_ decode: () -> Result) -> Result {
        guard let key else { return decode() }
        // Any address but nil.
        pthread_setspecific(key, UnsafeRawPointer(bitPattern: 1))
        defer { pthread_setspecific(key, nil) }
        return decode()
    }

    /// Of the threads that are decoding; nil where the stream cannot be replaced.
    private static let key: pthread_key_t? = {
        var key = pthread_key_t()
        guard pthread_key_create(&key, nil) == 0 else { return nil }
        let functions = csndfile_stream_functions(
            read: nil, write: { _, bytes, count in DecoderMessages.write(bytes, count) }, seek: nil, close: nil)
        // The key, as the function cannot ask for one that is still being made.
        decoding = key
        guard let stream = csndfile_open_stream(nil, "w", functions) else { return nil }
        setvbuf(stream, nil, _IONBF, 0)
        csndfile_set_standard_error(stream)
        return key
    }()

    /// `key`, for the stream: written once, before the stream is in use.
    nonisolated(unsafe) private static var decoding = pthread_key_t()

    private static func write(_ bytes: UnsafePointer<CChar>?, _ count: Int) -> Int {
        guard let bytes, pthread_getspecific(decoding) == nil else { return count }
        var done = 0
        while done < count {
            let written = Glibc.write(STDERR_FILENO, bytes + done, count - done)
            if written > 0 { done += written } else if written == 0 || errno != EINTR { break }
        }
        // Whoever prints cannot do anything about what is not written.
        return count
    }
}
