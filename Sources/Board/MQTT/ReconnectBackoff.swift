import Threads

/// The time to wait before the next attempt to connect. While the broker cannot be reached, it is about a second, because
/// such an attempt costs the broker nothing. After an attempt that the broker has seen, it starts with one second and
/// doubles up to a minute. It is partly random, so that the boards of a fleet do not all reconnect at the same moment.
/// Start with a new value after a success.
public struct ReconnectBackoff: Sendable {
    /// The first pause of a client whose session another client has taken over. It is short because the client may have
    /// to renew a lease. A shorter pause would let two clients with the same identifier disconnect each other in rapid
    /// alternation.
    static let replaced = Duration.seconds(2)

    /// The longest time before the next attempt.
    public static let longest = slowest + slowest * mostRandom
    private static let slowest = Duration.seconds(60)
    private static let mostRandom = 0.5
    /// The pauses while the broker cannot be reached. With an attempt that succeeds at once, they reconnect a board within
    /// two seconds of the broker's return, and spread the boards of a fleet over most of this time.
    static let unreachable = Duration.milliseconds(500) ... .milliseconds(1500)

    private var backoff: Backoff

    public init(from first: Duration = .seconds(1)) { backoff = Backoff(from: first, to: Self.slowest) }

    /// - Parameter isReached: false if nothing at the address of the broker has accepted the connection.
    public mutating func next(isReached: Bool = true) -> Duration {
        guard isReached else {
            let range = Self.unreachable
            return range.lowerBound + (range.upperBound - range.lowerBound) * Double.random(in: 0...1)
        }
        let pause = backoff.next()
        return pause + pause * Double.random(in: 0...Self.mostRandom)
    }
}
