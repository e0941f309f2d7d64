import AudioSession
import Configuration
import ResumeStore

/// The repeat and shuffle modes, which are the configured ones unless a remote control has chosen others.
struct ListModes: Hashable {
    /// The chosen repeat mode, or nil for the configured one.
    var repeats: Policy.Repeat?
    var shuffle: Bool?

    init() {}

    /// - Parameter state: The saved state. A saved choice applies only while the configured value is still the one that
    ///   it replaced.
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
            SavedState.Mode(configured: configuration.session.repeats.rawValue, chosen: $0.rawValue)
        }
        state.shuffle = shuffle.map {
            SavedState.Mode(configured: Self.text(configuration.playback.shuffle), chosen: Self.text($0))
        }
    }

    private static func text(_ flag: Bool) -> String { flag ? "yes" : "no" }
}
