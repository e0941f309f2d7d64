import CRealTime
import Glibc
import Synchronization

/// What is heard at a sink's monitor, recorded by `parec`.
public final class Recording: Sendable {
    public let channels: Int
    private let process: Subprocess
    private let tape = Tape()
    private let meanwhile: @Sendable () -> Void

    /// Records, from the time that the first sample has come.
    /// - Parameter meanwhile: what to do while waiting, for a few milliseconds at a time.
    public init(_ server: PulseServer, meanwhile: @escaping @Sendable () -> Void = { poll(nil, 0, 2) }) throws {
        self.meanwhile = meanwhile
        channels = server.channels
        var pipe: [Int32] = [0, 0]
        // Not inherited by whatever else is started meanwhile.
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

    /// What has come so far.
    private final class Tape: Sendable {
        let samples = Mutex<[Int32]>([])
        let isRunning = Mutex(true)
        /// How many samples there were after each piece that has come, and when (nanoseconds of CLOCK_MONOTONIC).
        let arrivals = Mutex<[(samples: Int, time: Int)]>([])
    }

    /// Brings it onto the tape, and does not keep the recording alive.
    private final class Pump: Sendable {
        private let tape: Tape
        private let descriptor: Int32

        init(_ tape: Tape, _ descriptor: Int32) {
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
                let count = tape.samples.withLock { samples in
                    samples += new
                    return samples.count
                }
                tape.arrivals.withLock { $0.append((count, time)) }
            }
            close(descriptor)
            tape.isRunning.withLock { $0 = false }
        }
    }

    /// Frames recorded so far.
    public var frames: Int { tape.samples.withLock { $0.count } / channels }

    /// Nothing of what was waited for came.
    public struct Nothing: Error {}

    /// Waits until a number of frames satisfies a condition, or the recording is over.
    public func wait(_ condition: (Int) -> Bool) throws {
        let deadline = ContinuousClock.now + .seconds(20)
        while !condition(frames), tape.isRunning.withLock({ $0 }) {
            guard ContinuousClock.now < deadline else { throw Nothing() }
            meanwhile()
        }
    }

    /// Waits for so many frames more, or the end of the recording.
    public func waitForMore(_ count: Int) throws {
        let start = frames
        try wait { $0 >= start + count }
    }

    /// Waits until something is heard from now on.
    public func waitForSound() throws {
        var next = frames
        try wait { frames in
            defer { next = frames }
            return tape.samples.withLock { $0[(next * channels)...].contains { $0 != 0 } }
        }
    }

    /// When a frame came, in nanoseconds of CLOCK_MONOTONIC. It comes with the piece that it is in, of some milliseconds:
    /// never before it was handed out, and seldom much later. Nil where the recording ends before it.
    public func time(ofFrame frame: Int) -> Int? {
        tape.arrivals.withLock { arrivals in arrivals.first { $0.samples > frame * channels }?.time }
    }

    /// Ends it.
    /// - Returns: the first channel.
    public func finish() -> [Int32] {
        process.end(with: SIGTERM)
        while tape.isRunning.withLock({ $0 }) { poll(nil, 0, 1) }
        return tape.samples.withLock { samples in stride(from: 0, to: samples.count, by: channels).map { samples[$0] } }
    }
}
