import Threads

/// How long to wait before the next attempt to connect: a second, then twice as long, up to a minute, each time up to half as
/// long again, so that the boards of a fleet do not all return at one moment. Start with a new one after a success.
public struct ReconnectBackoff: Sendable {
    /// With which pause a client begins again whose session another one has taken: soon enough for what it must renew, but
    /// two clients with one identifier would otherwise take turns as fast as they can.
    static let replaced = Duration.seconds(2)

    private var backoff: Backoff

    public init(from first: Duration = .seconds(1)) { backoff = Backoff(from: first, to: .seconds(60)) }

    public mutating func next() -> Duration {
        let pause = backoff.next()
        return pause + pause * Double.random(in: 0...0.5)
    }
}
