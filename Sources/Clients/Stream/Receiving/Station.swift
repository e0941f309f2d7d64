import Threads

/// A radio station, from its address to the pipe of its input. It never waits. Use it on one thread only.
public final class Station {
    public let address: String
    private var machine: StreamMachine
    private var pace = StreamPace(rate: JitterBuffer.rate)
    private let buffer = JitterBuffer()
    private let pipe: StreamPipe
    private let options: HTTPOptions
    private let bell: WakeUp
    private var receiver: StreamReceiver?
    /// The samples that have left the buffer, but have not been written.
    private var block: [Int16] = []
    /// What plays and what is wrong, as it must be reported.
    private var report = Report()

    /// What is reported about a station.
    public struct Report: Hashable, Sendable {
        public var description = StreamDescription()
        /// The reason why nothing can be played, or nil if there is none.
        public var problem: String?

        public init() {}
    }

    /// The time between two writes.
    static let blockTime = Duration.milliseconds(20)
    private static let blockFrames = 1024

    /// - Parameters:
    ///   - pipe: the path of the input's pipe.
    ///   - backoff: the earlier attempts to receive the station.
    ///   - bell: rings when `turn` must be called.
    public init(
        _ address: String, pipe: String, _ options: HTTPOptions, after backoff: StreamBackoff = StreamBackoff(),
        bell: WakeUp, seed: UInt64, at now: Duration
    ) {
        self.address = address
        self.pipe = StreamPipe(pipe)
        self.options = options
        self.bell = bell
        machine = StreamMachine(seed: seed, after: backoff, at: now)
    }

    deinit { receiver?.cancel() }

    /// The time at which `turn` must be called at the latest.
    public func deadline(after now: Duration) -> Duration {
        machine.isWriting ? min(machine.deadline, now + Self.blockTime) : machine.deadline
    }

    public var isPlaying: Bool { machine.isWriting }

    /// The attempts that have not led to steady playback.
    public var backoff: StreamBackoff { machine.backoff }

    /// Advances to a time.
    /// - Returns: what must be reported.
    public func turn(at now: Duration) -> Report {
        if let news = receiver?.take() {
            if news.hasDecoded { handle(.decoded(buffered: buffer.buffered), at: now) }
            if let failure = news.failure { handle(.failed(failure), at: now) }
        }
        handle(.time, at: now)
        if machine.isWriting { write(at: now) }
        return report
    }

    private func handle(_ input: StreamMachine.Input, at now: Duration) {
        for effect in machine.handle(input, at: now) {
            switch effect {
            case .connect: connect(at: now)
            case .disconnect: receiver?.cancel()
            case .startWriting: pace.restart()
            case .stopWriting:
                pipe.close()
                report.description = StreamDescription()
            case .report(let problem): report.problem = problem
            }
        }
    }

    private func connect(at now: Duration) {
        // The end of the last attempt may wait for a name server. There is never more than one.
        if let receiver, !receiver.hasEnded { return handle(.failed("the name server does not answer"), at: now) }
        receiver = StreamReceiver(address, options, into: buffer, bell: bell)
    }

    private func write(at now: Duration) {
        let (dropped, due) = pace.due(at: now, buffered: buffer.buffered)
        if dropped > 0 {
            block = []
            note(buffer.take(dropped).description)
        }
        var left = due
        while left > 0 {
            if block.isEmpty {
                let next = buffer.take(min(left, Self.blockFrames))
                note(next.description)
                block = next.samples
            }
            guard !block.isEmpty else { return handle(.drained, at: now) }
            let written = pipe.write(block, at: now)
            block.removeFirst(written * JitterBuffer.channels)
            pace.count(written)
            left -= written
            if !block.isEmpty { return }
        }
    }

    private func note(_ description: StreamDescription?) {
        if let description { report.description = description }
    }
}
