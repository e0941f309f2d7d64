import Threads

/// How long to wait before the next attempt to connect: a second, then twice as long, up to a minute, each time up to half as
/// long again, so that the boards of a fleet do not all return at one moment. Start with a new one after a success.
public struct ReconnectBackoff: Sendable {
    private var backoff = Backoff(from: .seconds(1), to: .seconds(60))

    public init() {}

    public mutating func next() -> Duration {
        let pause = backoff.next()
        return pause + pause * Double.random(in: 0...0.5)
    }
}
