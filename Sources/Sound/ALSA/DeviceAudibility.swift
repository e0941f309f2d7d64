/// Whether what is written to a device can be heard, as far as its sound server or the mixer of its card reports it.
public enum DeviceAudibility: Hashable, Sendable {
    /// What makes a device inaudible.
    public enum Obstacle: Hashable, Sendable {
        /// A policy of the sound server, for example during a call of another program.
        case policy
        /// The sound server's own setting for this stream.
        case stream
        /// The sink of the sound server.
        case sink
        /// The sink of the sound server is suspended.
        case suspension
        /// A control of the card's mixer, such as `Master`.
        case mixer(card: Int, control: String)
    }

    case audible
    case muted(Obstacle)
    /// The settings attenuate by more than 40 dB in all. The obstacle is the one that attenuates most.
    case quiet(Obstacle)

    /// The obstacles that a sound server reports, in the order of their codes.
    private static let codes: [Obstacle] = [.policy, .stream, .sink, .suspension]
    private static let quietness = 16

    /// Creates the value from the code that the render thread passes on. An unknown code means that the device is audible.
    public init(code: Int) {
        let index = code % Self.quietness - 1
        guard code >= 0, Self.codes.indices.contains(index), code < 2 * Self.quietness else {
            self = .audible
            return
        }
        self = code < Self.quietness ? .muted(Self.codes[index]) : .quiet(Self.codes[index])
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
