import Glibc

/// Writes to the pipe of an input. It never waits.
final class StreamPipe {
    private let path: String
    private var descriptor: Int32 = -1
    /// The end of a frame that was written in part.
    private var rest: [UInt8] = []

    init(_ path: String) { self.path = path }

    deinit { close() }

    func close() {
        if descriptor >= 0 { Glibc.close(descriptor) }
        descriptor = -1
        rest = []
    }

    /// The time between two attempts to open the pipe.
    static let retryTime = Duration.seconds(1)
    private var retry = Duration.zero

    /// Writes frames.
    /// - Returns: the number of frames that the pipe has accepted. Frames for which there is no reader are dropped.
    func write(_ samples: [Int16], at now: Duration) -> Int {
        let frames = samples.count / JitterBuffer.channels
        guard open(at: now), flush() else { return descriptor < 0 ? frames : 0 }
        let count = samples.withUnsafeBytes { Glibc.write(descriptor, $0.baseAddress, $0.count) }
        guard count >= 0 else {
            guard errno == EAGAIN || errno == EINTR else {
                // Tacet no longer reads the pipe, and may have created another one.
                close()
                return frames
            }
            return 0
        }
        // A frame has a size of four bytes.
        let part = count % 4
        if part > 0 {
            rest = samples.withUnsafeBytes { Array($0[count..<count - part + 4]) }
        }
        return (count + 3) / 4
    }

    /// Writes the end of a frame.
    /// - Returns: false if there is no room.
    private func flush() -> Bool {
        guard !rest.isEmpty else { return true }
        let count = Glibc.write(descriptor, rest, rest.count)
        if count < 0, errno != EAGAIN, errno != EINTR { close() }
        if count > 0 { rest.removeFirst(count) }
        return rest.isEmpty
    }

    private func open(at now: Duration) -> Bool {
        guard descriptor < 0 else { return true }
        guard now >= retry else { return false }
        retry = now + Self.retryTime
        let new = Glibc.open(path, O_WRONLY | O_NONBLOCK | O_CLOEXEC | O_NOFOLLOW | O_NOCTTY)
        guard new >= 0 else { return false }
        var status = stat()
        guard fstat(new, &status) == 0, status.st_mode & S_IFMT == S_IFIFO else {
            Glibc.close(new)
            return false
        }
        descriptor = new
        return true
    }
}
