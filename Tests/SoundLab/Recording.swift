import Glibc
import Synchronization

/// What is heard at a sink's monitor, recorded by `parec`.
public final class Recording: Sendable {
    public let channels: Int
    private let process: Subprocess
    private let samples = Mutex<[Int32]>([])
    private let isRunning = Mutex(true)

    /// Records, from the time that the first sample has come.
    public init(_ server: PulseServer) throws {
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
        let box = Unmanaged.passRetained(Pump(self, descriptor))
        pthread_create(
            &thread, nil,
            { argument in
                if let argument { Unmanaged<Pump>.fromOpaque(argument).takeRetainedValue().run() }
                return nil
            }, box.toOpaque())
        pthread_detach(thread)
        wait { $0 > 0 }
    }

    private final class Pump: Sendable {
        private let recording: Recording
        private let descriptor: Int32

        init(_ recording: Recording, _ descriptor: Int32) {
            self.recording = recording
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
                recording.samples.withLock { $0 += new }
            }
            close(descriptor)
            recording.isRunning.withLock { $0 = false }
        }
    }

    /// Frames recorded so far.
    public var frames: Int { samples.withLock { $0.count } / channels }

    /// Waits until a number of frames satisfies a condition, or the recording is over.
    public func wait(_ condition: (Int) -> Bool) {
        while !condition(frames), isRunning.withLock({ $0 }) { poll(nil, 0, 2) }
    }

    /// Waits for so many frames more, or the end of the recording.
    public func waitForMore(_ count: Int) {
        let start = frames
        wait { $0 >= start + count }
    }

    /// Waits until something is heard after a frame.
    public func waitForSound(after frame: Int = 0) {
        var next = frame
        while isRunning.withLock({ $0 }) {
            let (heard, end) = samples.withLock { samples in
                (samples[min(next * channels, samples.count)...].contains { $0 != 0 }, samples.count / channels)
            }
            if heard { return }
            next = end
            poll(nil, 0, 2)
        }
    }

    /// Ends it.
    /// - Returns: the first channel.
    public func finish() -> [Int32] {
        process.end(with: SIGTERM)
        while isRunning.withLock({ $0 }) { poll(nil, 0, 1) }
        return samples.withLock { samples in stride(from: 0, to: samples.count, by: channels).map { samples[$0] } }
    }
}
