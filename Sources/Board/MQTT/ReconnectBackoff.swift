import Threads

/// The time to wait before the next attempt to connect. It starts with one second and doubles up to a minute. A random
/// time of up to half the pause is added each time, so that the boards of a fleet do not all reconnect at the same
/// moment. Start with a new value after a success.
public struct ReconnectBackoff: Sendable {
    /// The first pause of a client whose session another client has taken over. It is short because the client may have
    /// to renew a lease. A shorter pause would let two clients with the same identifier disconnect each other in rapid
    /// alternation.
    static let replaced = Duration.seconds(2)

    /// The longest time before the next attempt.
    public static let longest = slowest + slowest * mostRandom
    private static let slowest = Duration.seconds(60)
    private static let mostRandom = 0.5

    private var backoff: Backoff

    public init(from first: Duration = .seconds(1)) { backoff = Backoff(from: first, to: Self.slowest) }

    public mutating func next() -> Duration {
        let pause = backoff.next()
        return pause + pause * Double.random(in: 0...Self.mostRandom)
    }
}
