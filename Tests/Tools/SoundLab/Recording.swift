import CRealTime
import Glibc

/// What is heard at a sink's monitor, recorded by `parec`.
public final class Recording: Sendable {
    public let channels: Int
    private let process: Subprocess
    private let tape = Locked(Tape())
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

    /// What has been recorded so far.
    private struct Tape {
        var samples: [Int32] = []
        var isRunning = true
        /// How many samples there were after each piece that has come, and when (nanoseconds of CLOCK_MONOTONIC).
        var arrivals: [(samples: Int, time: Int)] = []
    }

    /// Brings it onto the tape, and does not keep the recording alive.
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

    /// Frames recorded so far.
    public var frames: Int { tape.withLock { $0.samples.count } / channels }

    /// Nothing of what was waited for came.
    public struct Nothing: Error {}

    /// Waits until a number of frames satisfies a condition, or the recording is over.
    public func wait(_ condition: (Int) -> Bool) throws {
        let deadline = ContinuousClock.now + .seconds(20)
        while !condition(frames), tape.withLock({ $0.isRunning }) {
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
            return tape.withLock { $0.samples[(next * channels)...].contains { $0 != 0 } }
        }
    }

    /// When a frame came, in nanoseconds of CLOCK_MONOTONIC. It comes with the piece that it is in, of some milliseconds:
    /// never before it was handed out, and seldom much later. Nil where the recording ends before it.
    public func time(ofFrame frame: Int) -> Int? {
        tape.withLock { tape in tape.arrivals.first { $0.samples > frame * channels }?.time }
    }

    /// Ends it.
    /// - Returns: the first channel.
    public func finish() -> [Int32] {
        process.end(with: SIGTERM)
        while tape.withLock({ $0.isRunning }) { poll(nil, 0, 1) }
        let samples = tape.withLock { $0.samples }
        return stride(from: 0, to: samples.count, by: channels).map { samples[$0] }
    }
}
