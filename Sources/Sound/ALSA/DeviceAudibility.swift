/// Whether what is written to a device can be heard, as far as its sound server reports it. A card is always audible.
public enum DeviceAudibility: Hashable, Sendable {
    /// What makes a device inaudible.
    public enum Obstacle: Int, Hashable, Sendable, CaseIterable {
        /// A policy of the sound server, for example during a call of another program.
        case policy = 1
        /// The sound server's own setting for this stream.
        case stream
        /// The sink of the sound server.
        case sink
        /// The sink of the sound server is suspended.
        case suspension
    }

    case audible
    case muted(Obstacle)
    /// The settings attenuate by more than 40 dB in all. The obstacle is the one that attenuates most.
    case quiet(Obstacle)

    private static let quietness = 16

    /// The value that the render thread passes on.
    public var code: Int {
        switch self {
        case .audible: 0
        case .muted(let obstacle): obstacle.rawValue
        case .quiet(let obstacle): obstacle.rawValue + Self.quietness
        }
    }

    /// Creates the value from its code. An unknown code means that the device is audible.
    public init(code: Int) {
        if let obstacle = Obstacle(rawValue: code) {
            self = .muted(obstacle)
        } else {
            self = Obstacle(rawValue: code - Self.quietness).map { .quiet($0) } ?? .audible
        }
    }

    /// The text in traces and scenarios, which is `audible`, `muted` or `quiet`.
    public var word: String {
        switch self {
        case .audible: "audible"
        case .muted: "muted"
        case .quiet: "quiet"
        }
    }
}
