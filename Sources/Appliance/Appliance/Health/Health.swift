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

    public init() {}

    /// - Parameter words: what is wrong; nil once it has cleared.
    /// - Returns: whether the trouble has begun or cleared.
    @discardableResult
    public mutating func set(_ trouble: Trouble, _ words: String?) -> Bool {
        let isNews = (troubles[trouble] == nil) != (words == nil)
        troubles[trouble] = words
        return isNews
    }

    /// The troubles that a new installation inherits.
    var ofTheFiles: Health {
        var files = Health()
        for trouble in [Trouble.configuration, .library, .folders, .state] { files.set(trouble, self[trouble]) }
        return files
    }

    public subscript(_ trouble: Trouble) -> String? { troubles[trouble] }

    /// What is wrong, in words.
    public var words: [String] { buttons + outputs + Trouble.allCases.compactMap { troubles[$0] } }
}
