/// How long to wait before the next attempt to connect: a second, then twice as long, up to a minute, each time up to half as
/// long again, so that the boards of a fleet do not all return at one moment. Start with a new one after a success.
public struct ReconnectBackoff: Sendable {
    private static let longest = Duration.seconds(60)
    private var pause = Duration.seconds(1)

    public init() {}

    public mutating func next() -> Duration {
        defer { pause = min(pause * 2, Self.longest) }
        return pause + pause * Double.random(in: 0...0.5)
    }
}
