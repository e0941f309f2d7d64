/// What is wrong with the appliance itself, until it clears. None of it is a reason to stop: everything else goes on.
public struct Health: Hashable, Sendable {
    public enum Trouble: Int, Hashable, Sendable, CaseIterable {
        case configuration, device, library, folders, storage, stall, state, realTime, microphone
    }

    private var troubles: [Trouble: String] = [:]
    /// What is wrong with the lines of buttons, and what to do: those of signals the session knows of.
    var buttons: [String] = []

    public init() {}

    /// - Parameter words: what is wrong; nil: nothing any more.
    /// - Returns: whether that is news.
    @discardableResult
    public mutating func set(_ trouble: Trouble, _ words: String?) -> Bool {
        let isNews = (troubles[trouble] == nil) != (words == nil)
        troubles[trouble] = words
        return isNews
    }

    /// What of it outlives the wires and the engine.
    var ofTheFiles: Health {
        var files = Health()
        for trouble in [Trouble.configuration, .library, .folders, .state] { files.set(trouble, self[trouble]) }
        return files
    }

    public subscript(_ trouble: Trouble) -> String? { troubles[trouble] }

    /// What is wrong, in words.
    public var words: [String] { buttons + Trouble.allCases.compactMap { troubles[$0] } }
}
