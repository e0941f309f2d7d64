import Playback

/// What is wrong with the appliance itself, until it clears. None of it is a reason to stop: everything else continues.
public struct Health: Hashable, Sendable {
    public enum Trouble: Int, Hashable, Sendable, CaseIterable {
        case configuration, device, route, jack, library, folders, storage, stall, state, realTime, microphone,
            capture, recording
    }

    private var troubles: [Trouble: String] = [:]
    /// The faults of the buttons' lines, and what to do. (The session has those of the signals' lines.)
    var buttons: [String] = []
    /// The same for the outputs' lines.
    var outputs: [String] = []
    /// Whether the watchdog is fed.
    var makesProgress = true
    /// The library's files of kinds that cannot be played. They are no trouble: a film beside the music does not make a
    /// board unhealthy.
    var unplayable = UnplayableFiles()

    public init() {}

    /// - Parameter words: what is wrong; nil once it has cleared.
    /// - Returns: whether the trouble has begun or cleared.
    @discardableResult
    public mutating func set(_ trouble: Trouble, _ words: String?) -> Bool {
        let isNews = (troubles[trouble] == nil) != (words == nil)
        troubles[trouble] = words
        return isNews
    }

    public subscript(_ trouble: Trouble) -> String? { troubles[trouble] }

    /// Whether the output `healthy` may be on, as far as the session does not know it.
    var isGood: Bool { makesProgress && buttons.isEmpty && outputs.isEmpty }

    /// What is wrong, in words.
    public var words: [String] { buttons + outputs + Trouble.allCases.compactMap { troubles[$0] } }
}
