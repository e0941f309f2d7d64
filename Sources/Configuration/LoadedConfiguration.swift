/// A configuration without a mistake, and how it came about.
public struct LoadedConfiguration: Hashable, Sendable {
    public let configuration: Configuration
    /// What is worth a second look; all of severity `warning`.
    public let warnings: [Diagnostic]
    /// The files that were read, in their order: a later one overrides an earlier one.
    public let texts: [ConfigurationText]
    let places: KeyPlaces

    /// The paths of its files, in their order.
    public var files: [String] { texts.map(\.path) }

    /// A warning about a key's value: at its line, or, if no file sets it, about the first file as a whole.
    ///
    /// - Parameters:
    ///   - keys: the first of them that a file sets is meant.
    ///   - section: as in its heading, without brackets: `Playback`, `Signal alarm`.
    public func warning(about keys: String..., in section: String, _ message: String, advice: String) -> Diagnostic {
        for key in keys {
            if let place = places[key, in: section] {
                return Diagnostic(.warning, at: place, message, advice: advice)
            }
        }
        return Diagnostic(.warning, file: files.first ?? "", message, advice: advice)
    }
}
