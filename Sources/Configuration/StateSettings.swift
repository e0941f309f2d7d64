/// Where the state is kept over a power cut.
public struct StateSettings: Hashable, Sendable {
    public var directory = "/var/lib/tacet"
    /// How often the position of a playing programme is saved, 100 ms…1 h: a power cut costs at most that much of it.
    public var interval = Duration.seconds(5)

    public init() {}
}
