/// A configuration without a mistake, and how it came about.
public struct LoadedConfiguration: Hashable, Sendable {
    public let configuration: Configuration
    /// What is worth a second look; all of severity `warning`.
    public let warnings: [Diagnostic]
    /// The files that were read, in their order: a later one overrides an earlier one.
    public let files: [String]
}
