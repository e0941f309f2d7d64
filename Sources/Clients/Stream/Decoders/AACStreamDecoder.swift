import CCurl
import Files
import Glibc
import Threads

/// Decodes AAC with ffmpeg(1) in a separate process, because Debian has no small library with a suitable licence that
/// decodes it. The process reads the stream from a socket and opens nothing else.
final class AACStreamDecoder: StreamDecoder {
    private let process: pid_t
    private let output: Socket
    /// A socket that is closed when the last reference is released.
    private final class Socket: Sendable {
        let descriptor: Int32
        init(_ descriptor: Int32) { self.descriptor = descriptor }
        deinit { close(descriptor) }
    }

    private let feeder: NativeThread?
    private let input: DecoderInput
    private let cancellation: Cancellation
    /// The bytes of a sample that has not arrived completely.
    private var rest: [UInt8] = []
    private var buffer = [UInt8](repeating: 0, count: 16_384)

    /// - Parameters:
    ///   - program: the path of ffmpeg.
    ///   - cancellation: ends the reading of the input.
    init(_ input: DecoderInput, program: String, _ cancellation: Cancellation) throws(StreamError) {
        guard access(program, X_OK) == 0 else {
            throw StreamError("the stream is AAC, which needs ffmpeg: install the package ffmpeg")
        }
        let arguments = [
            program, "-hide_banner", "-loglevel", "quiet", "-nostdin", "-protocol_whitelist", "pipe", "-f", "aac", "-i",
            "pipe:0", "-vn", "-f", "f32le", "-ac", "\(JitterBuffer.channels)", "-ar", "\(JitterBuffer.rate)", "pipe:1",
        ]
        let (stream, decoded) = (try Self.pair(), try Self.pair())
        process = try Self.spawn(arguments, input: stream.theirs.descriptor, output: decoded.theirs.descriptor)
        output = decoded.ours
        self.input = input
        self.cancellation = cancellation
        // From now on, only this thread uses the input.
        nonisolated(unsafe) let source = input
        let sink = stream.ours
        feeder = NativeThread("tacet-aac") { Self.feed(source, to: sink) }
        if feeder == nil { kill(process, SIGKILL) }
    }

    deinit {
        kill(process, SIGKILL)
        var status: Int32 = 0
        while waitpid(process, &status, 0) < 0, errno == EINTR {}
        cancellation.cancel()
        _ = feeder?.join(within: .seconds(5))
    }

    func next() throws(StreamError) -> DecodedAudio? {
        while true {
            let count = read(output.descriptor, &buffer, buffer.count)
            if count < 0, errno == EINTR { continue }
            guard count > 0 else {
                // The input belongs to the other thread until that has ended.
                let hasEnded = feeder?.join(within: .seconds(1)) ?? true
                guard hasEnded else { throw StreamError("ffmpeg has ended") }
                throw input.fail("the stream is not valid AAC, or has ended")
            }
            rest += buffer.prefix(count)
            let samples = rest.count / 8 * 2
            guard samples > 0 else { continue }
            let values = rest.withUnsafeBytes { bytes in
                (0..<samples).map { bytes.loadUnaligned(fromByteOffset: $0 * 4, as: Float.self) }
            }
            rest.removeFirst(samples * 4)
            return DecodedAudio(rate: JitterBuffer.rate, channels: JitterBuffer.channels, samples: values)
        }
    }

    private static func feed(_ input: DecoderInput, to sink: Socket) {
        var bytes = [UInt8](repeating: 0, count: 4096)
        while true {
            let count = bytes.withUnsafeMutableBytes { bytes in
                bytes.baseAddress.map { input.read(into: $0, limit: bytes.count) } ?? 0
            }
            guard count > 0 else { break }
            var sent = 0
            while sent < count {
                let part = bytes[sent..<count].withUnsafeBytes {
                    send(sink.descriptor, $0.baseAddress, $0.count, Int32(MSG_NOSIGNAL))
                }
                if part < 0, errno == EINTR { continue }
                guard part > 0 else { return }
                sent += part
            }
        }
        // The program then decodes what it has, and ends.
        shutdown(sink.descriptor, Int32(SHUT_WR))
    }

    private static func pair() throws(StreamError) -> (ours: Socket, theirs: Socket) {
        var ends: [Int32] = [-1, -1]
        // Unlike the ends of a pipe, these sockets are never inherited by a child that another thread starts.
        let kind = Int32(SOCK_STREAM.rawValue | SOCK_CLOEXEC.rawValue)
        guard socketpair(AF_UNIX, kind, 0, &ends) == 0 else { throw StreamError("no file descriptors are left") }
        return (Socket(ends[0]), Socket(ends[1]))
    }

    private static func spawn(_ arguments: [String], input: Int32, output: Int32) throws(StreamError) -> pid_t {
        var actions = posix_spawn_file_actions_t()
        posix_spawn_file_actions_init(&actions)
        defer { posix_spawn_file_actions_destroy(&actions) }
        posix_spawn_file_actions_adddup2(&actions, input, STDIN_FILENO)
        posix_spawn_file_actions_adddup2(&actions, output, STDOUT_FILENO)
        posix_spawn_file_actions_addopen(&actions, STDERR_FILENO, "/dev/null", O_WRONLY, 0)
        stream_close_from(&actions, STDERR_FILENO + 1)
        let texts = arguments.map { strdup($0) }
        defer { for text in texts { free(text) } }
        var process: pid_t = 0
        let code = posix_spawn(&process, arguments[0], &actions, nil, texts + [nil], [nil])
        guard code == 0 else { throw StreamError("ffmpeg cannot be started: \(String(errno: code))") }
        return process
    }
}
