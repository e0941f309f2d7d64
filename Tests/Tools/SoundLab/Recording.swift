import CRealTime
import Glibc

/// A recording of a sink's monitor by `parec`.
public final class Recording: Sendable {
    public let channels: Int
    private let process: Subprocess
    private let tape = Locked(Tape())
    private let meanwhile: @Sendable () -> Void

    /// Starts recording, and returns after the first sample has arrived.
    /// - Parameter meanwhile: Called repeatedly while waiting. It should take a few milliseconds.
    public init(_ server: PulseServer, meanwhile: @escaping @Sendable () -> Void = { poll(nil, 0, 2) }) throws {
        self.meanwhile = meanwhile
        channels = server.channels
        var pipe: [Int32] = [0, 0]
        // Other processes that are started in the meantime must not inherit the socket.
        let kind = Int32(SOCK_STREAM.rawValue | SOCK_CLOEXEC.rawValue)
        guard socketpair(AF_UNIX, kind, 0, &pipe) == 0 else { throw Subprocess.CannotStart(description: "no pipe") }
        process = try Subprocess(
            [
                "parec", "--raw", "--format=s32le", "--rate=\(server.rate)", "--channels=\(server.channels)",
                "--latency-msec=2", "-d", server.monitor,
            ], environment: server.environment, output: pipe[1])
        close(pipe[1])
        let descriptor = pipe[0]
        var thread = pthread_t()
        let box = Unmanaged.passRetained(Pump(tape, descriptor))
        pthread_create(
            &thread, nil,
            { argument in
                if let argument { Unmanaged<Pump>.fromOpaque(argument).takeRetainedValue().run() }
                return nil
            }, box.toOpaque())
        pthread_detach(thread)
        try wait { $0 > 0 }
    }

    /// The recorded samples.
    private struct Tape {
        var samples: [Int32] = []
        var isRunning = true
        /// The total number of samples after each block, and its time of arrival in nanoseconds of CLOCK_MONOTONIC.
        var arrivals: [(samples: Int, time: Int)] = []
    }

    /// Reads samples onto the tape without retaining the recording.
    private final class Pump: Sendable {
        private let tape: Locked<Tape>
        private let descriptor: Int32

        init(_ tape: Locked<Tape>, _ descriptor: Int32) {
            self.tape = tape
            self.descriptor = descriptor
        }

        func run() {
            var bytes = [UInt8](repeating: 0, count: 65_536)
            var held = 0
            while case let count = read(descriptor, &bytes[held], bytes.count - held), count > 0 {
                held += count
                let whole = held / 4 * 4
                let new = bytes[..<whole].withUnsafeBytes { Array($0.bindMemory(to: Int32.self)) }
                bytes.replaceSubrange(0..<held - whole, with: bytes[whole..<held])
                held -= whole
                let time = Int(realtime_now())
                tape.withLock { tape in
                    tape.samples += new
                    tape.arrivals.append((tape.samples.count, time))
                }
            }
            close(descriptor)
            tape.withLock { $0.isRunning = false }
        }
    }

    /// The number of frames recorded so far.
    public var frames: Int { tape.withLock { $0.samples.count } / channels }

    /// The error if a condition was not met in time.
    public struct TimedOut: Error {}

    /// Waits until the number of frames satisfies a condition or the recording ends.
    /// - Throws: `TimedOut` after 20 s.
    public func wait(_ condition: (Int) -> Bool) throws {
        let deadline = ContinuousClock.now + .seconds(20)
        while !condition(frames), tape.withLock({ $0.isRunning }) {
            guard ContinuousClock.now < deadline else { throw TimedOut() }
            meanwhile()
        }
    }

    /// Waits for this many more frames or for the end of the recording.
    public func waitForMore(_ count: Int) throws {
        let start = frames
        try wait { $0 >= start + count }
    }

    /// Waits for the next sample that is not zero.
    public func waitForSound() throws {
        var next = frames
        try wait { frames in
            defer { next = frames }
            return tape.withLock { $0.samples[(next * channels)...].contains { $0 != 0 } }
        }
    }

    /// Returns the time at which a frame arrived, in nanoseconds of CLOCK_MONOTONIC, or nil if the recording ends
    /// before it. Frames arrive in blocks of a few milliseconds. They never arrive before the sink has played them, and
    /// rarely much later.
    public func time(ofFrame frame: Int) -> Int? {
        tape.withLock { tape in tape.arrivals.first { $0.samples > frame * channels }?.time }
    }

    /// Ends the recording.
    /// - Returns: The samples of the first channel.
    public func finish() -> [Int32] {
        process.end(with: SIGTERM)
        while tape.withLock({ $0.isRunning }) { poll(nil, 0, 1) }
        let samples = tape.withLock { $0.samples }
        return stride(from: 0, to: samples.count, by: channels).map { samples[$0] }
    }
}
