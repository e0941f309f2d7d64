/// What must be remembered about a program that Tacet has paused, so that another process can resume it.
public struct PlayerRecord: Hashable, Sendable {
    /// The raw values are part of the format of the memory.
    public enum Stage: String, Hashable, Sendable, CaseIterable {
        /// The order to pause may have been sent.
        case pausing
        case kept
        /// The order to play may have been sent.
        case resuming
    }

    /// The NAME of the section `[Player NAME]`.
    public var player: String
    public var identity: PlayerIdentity
    public var stage: Stage
    public var track: String
    /// The number of Tacet's order to pause it.
    public var order: UInt64

    public init(player: String, identity: PlayerIdentity, stage: Stage, track: String, order: UInt64) {
        self.player = player
        self.identity = identity
        self.stage = stage
        self.track = track
        self.order = order
    }
}

/// The process of a player, by which another process with the same name is recognised as a different one.
public enum PlayerIdentity: Hashable, Sendable {
    /// A process on this machine.
    ///
    /// - Parameters:
    ///   - connection: the name of its connection to the bus, or an empty text.
    ///   - started: a text that differs for each process with this number, even after a boot.
    case process(connection: String, number: Int32, started: String)
    /// A program on another machine, which started at this time since 1970.
    case remote(startedAt: Int64)

    /// The largest difference between two measurements of the same start, in seconds. The program rounds the time for
    /// which it has been running.
    private static let tolerance: Int64 = 5

    /// Returns true if both are the same process.
    public func isSame(as other: PlayerIdentity) -> Bool {
        switch (self, other) {
        case (.process, .process): self == other
        case (.remote(let one), .remote(let other)):
            one.subtractingReportingOverflow(other).overflow
                ? false : (one - other).magnitude <= Self.tolerance.magnitude
        case (.process, .remote), (.remote, .process): false
        }
    }
}

/// A program that a section `[Player NAME]` names. There can be several for one section.
public struct PlayerInstance: Hashable, Comparable, Sendable {
    /// The NAME of the section.
    public var player: String
    /// A text that differs for each program of the section.
    public var place: String

    public init(player: String, place: String) {
        self.player = player
        self.place = place
    }

    public static func < (one: PlayerInstance, other: PlayerInstance) -> Bool {
        (one.player, one.place) < (other.player, other.place)
    }
}
