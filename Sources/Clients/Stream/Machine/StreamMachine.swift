/// Decides when to connect to a radio station, when to play, and what to report. This is a pure state machine: the
/// caller passes the time and carries out the effects.
///
/// The connection and the playback are separate. Audio that has been buffered continues to play while a lost connection
/// is established again, so a short interruption is not heard. If the buffer runs dry, nothing is written to Tacet any
/// more, and Tacet selects its library after `Idle=`.
public struct StreamMachine: Sendable {
    public enum Input: Sendable, Hashable {
        /// Audio has been decoded. The argument is the time for which the buffer lasts now.
        case decoded(buffered: Duration)
        /// The connection has failed or ended, for this reason.
        case failed(String)
        /// The buffer is empty.
        case drained
        case time
    }

    public enum Effect: Sendable, Hashable {
        case connect
        /// Ends the connection, but keeps what has been buffered.
        case disconnect
        case startWriting
        case stopWriting
        /// Reports a problem, or nil when it is over.
        case report(String?)
    }

    enum Connection: Hashable, Sendable {
        case waiting(until: Duration)
        case connecting(until: Duration)
        /// Audio was last decoded at this time. Digital silence is audio.
        case receiving(last: Duration)
    }

    enum Output: Hashable, Sendable {
        case buffering
        case playing(since: Duration)
    }

    /// The time that a connection may take until audio is decoded.
    public static let connectionTime = Duration.seconds(15)
    /// The time without any decoded audio after which the connection is given up. TCP itself would wait for hours.
    public static let stallTime = Duration.seconds(5)
    /// The time that is buffered before something is played. It bridges an irregular network.
    public static let bufferTime = Duration.seconds(3)
    /// The time after which playback is steady, so that the next failure is the first one again.
    public static let steadyTime = Duration.seconds(10)

    private(set) var connection: Connection
    private(set) var output = Output.buffering
    public private(set) var backoff: StreamBackoff
    /// The problem that was last reported.
    private var reported: String?
    private var chance: UInt64

    /// - Parameters:
    ///   - seed: determines by how much the pauses vary, so that a fleet does not return at once.
    ///   - backoff: the attempts of an earlier machine.
    public init(seed: UInt64, after backoff: StreamBackoff = StreamBackoff(), at now: Duration) {
        connection = .waiting(until: now)
        chance = seed
        self.backoff = backoff.inherited()
        if backoff.pause > .zero { connection = .waiting(until: max(now, backoff.began + variedPause())) }
    }

    public var isWriting: Bool { if case .playing = output { true } else { false } }

    /// The time at which `time` must be passed at the latest.
    public var deadline: Duration {
        switch connection {
        case .waiting(let end), .connecting(let end): end
        case .receiving(let last): last + Self.stallTime
        }
    }

    public mutating func handle(_ input: Input, at now: Duration) -> [Effect] {
        switch input {
        case .decoded(let buffered): decoded(buffered, at: now)
        case .failed(let reason): fail(reason, at: now)
        case .drained: drain()
        case .time: pass(now)
        }
    }

    private mutating func decoded(_ buffered: Duration, at now: Duration) -> [Effect] {
        switch connection {
        // The audio belongs to a connection that was given up.
        case .waiting: return []
        case .connecting, .receiving: connection = .receiving(last: now)
        }
        switch output {
        case .buffering:
            guard buffered >= Self.bufferTime else { return [] }
            output = .playing(since: now)
            backoff.failure = nil
            return [.startWriting] + report(nil)
        case .playing(let since):
            backoff.failure = nil
            if now - since >= Self.steadyTime { backoff = StreamBackoff() }
            return []
        }
    }

    private mutating func fail(_ reason: String, at now: Duration) -> [Effect] {
        if case .waiting = connection { return [] }
        backoff.fail(reason, at: now)
        connection = .waiting(until: now + variedPause())
        return [.disconnect] + (isWriting ? [] : report(reason))
    }

    private mutating func drain() -> [Effect] {
        guard isWriting else { return [] }
        output = .buffering
        return [.stopWriting] + reportFailure()
    }

    private mutating func pass(_ now: Duration) -> [Effect] {
        guard now >= deadline else {
            // The failure may be that of an earlier machine, which nobody has reported to Tacet since.
            if case .waiting = connection, !isWriting { return reportFailure() }
            return []
        }
        switch connection {
        case .waiting:
            backoff.begin(at: now)
            connection = .connecting(until: now + Self.connectionTime)
            return [.connect]
        case .connecting:
            return fail("no audio has arrived within \(Self.connectionTime / .seconds(1)) s", at: now)
        case .receiving:
            return fail("no audio has arrived for \(Self.stallTime / .seconds(1)) s", at: now)
        }
    }

    private mutating func reportFailure() -> [Effect] { backoff.failure.map { report($0) } ?? [] }

    private mutating func report(_ problem: String?) -> [Effect] {
        guard problem != reported else { return [] }
        reported = problem
        return [.report(problem)]
    }

    /// Returns the pause before the next attempt, which is between 80 % and 120 % of that of the backoff.
    private mutating func variedPause() -> Duration {
        // xorshift64, which never returns 0.
        if chance == 0 { chance = 1 }
        chance ^= chance << 13
        chance ^= chance >> 7
        chance ^= chance << 17
        return backoff.pause * (0.8 + 0.4 * Double(chance % 1000) / 1000)
    }
}
