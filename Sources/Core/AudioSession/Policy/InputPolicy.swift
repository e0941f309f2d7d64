/// A place where audio arrives live. It corresponds to an `[Input NAME]` section of the configuration. See
/// <doc:Semantics#Inputs>.
public struct InputPolicy: Hashable, Sendable {
    /// The use of what arrives.
    public enum Role: Hashable, Sendable {
        /// It takes the place of the library while it sounds, and somebody starts it. It has its own intent.
        case programme
        /// It takes the place of the library while no other input sounds. It starts without anybody's doing, so it
        /// shares the library's intent.
        case automaticProgramme
        /// It is the cue of signals, which are asserted while it sounds (see `SignalPolicy.input`).
        case page
    }

    public var id: InputID
    public var role: Role
    /// The player whose audio arrives here, or nil if it is unknown. Each player has at most one input.
    public var player: PlayerID?

    public init(id: InputID, role: Role = .programme, player: PlayerID? = nil) {
        self.id = id
        self.role = role
        self.player = player
    }
}

/// The name of an input, such as `airplay`. It is the NAME in the configuration's `[Input NAME]`.
public struct InputID: NamedID {
    public let rawValue: String

    public init(rawValue: String) { self.rawValue = rawValue }
}

/// The name of a player, such as `mpd`. It is the NAME in the configuration's `[Player NAME]`, and belongs to another
/// program that plays by itself. See <doc:Semantics#Players>.
public struct PlayerID: NamedID {
    public let rawValue: String

    public init(rawValue: String) { self.rawValue = rawValue }
}

/// The source of the music.
public enum Source: Hashable, Sendable, CustomStringConvertible {
    case library
    case input(InputID)

    /// The name of the input, or `library`, which is not the name of any input.
    public var description: String {
        switch self {
        case .library: Source.libraryName
        case .input(let input): input.rawValue
        }
    }

    public static let libraryName = "library"

    /// Creates the source that has this `description`.
    public init(_ description: String) {
        self = description == Source.libraryName ? .library : .input(InputID(description))
    }
}
