import AudioSession
import Configuration
import ResumeStore

/// What repeats, and whether the list is shuffled: as configured, or as a remote control has chosen since.
struct ListModes: Hashable {
    /// Nil: as configured.
    var repeats: Policy.Repeat?
    var shuffle: Bool?

    init() {}

    /// - Parameter state: its choices count as long as the configured values are those from which they differ.
    init(_ state: SavedState?, _ configuration: Configuration) {
        repeats = state?.repeats.flatMap { choice in
            choice.configured == configuration.session.repeats.rawValue ? Policy.Repeat(rawValue: choice.chosen) : nil
        }
        shuffle = state?.shuffle.flatMap { choice in
            choice.configured == Self.text(configuration.playback.shuffle) ? choice.chosen == Self.text(true) : nil
        }
    }

    func repeats(_ configuration: Configuration) -> Policy.Repeat { repeats ?? configuration.session.repeats }
    func shuffles(_ configuration: Configuration) -> Bool { shuffle ?? configuration.playback.shuffle }

    func policy(_ configuration: Configuration) -> Policy {
        var policy = configuration.session
        policy.repeats = repeats(configuration)
        return policy
    }

    func save(in state: inout SavedState, _ configuration: Configuration) {
        state.repeats = repeats.map {
            SavedState.Choice(configured: configuration.session.repeats.rawValue, chosen: $0.rawValue)
        }
        state.shuffle = shuffle.map {
            SavedState.Choice(configured: Self.text(configuration.playback.shuffle), chosen: Self.text($0))
        }
    }

    private static func text(_ flag: Bool) -> String { flag ? "yes" : "no" }
}
