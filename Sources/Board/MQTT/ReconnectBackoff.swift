import Threads

/// The time to wait before the next attempt to connect. It starts with one second and doubles up to a minute. A random
/// part of up to half of it is added each time, so that the boards of a fleet do not all return at the same moment.
/// Start with a new value after a success.
public struct ReconnectBackoff: Sendable {
    private var backoff = Backoff(from: .seconds(1), to: .seconds(60))

    public init() {}

    public mutating func next() -> Duration {
        let pause = backoff.next()
        return pause + pause * Double.random(in: 0...0.5)
    }
}
