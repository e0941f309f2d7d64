/// Why there is no configuration: everything that is wrong with it, not only the first mistake.
public struct ConfigurationError: Error, Hashable, Sendable, CustomStringConvertible {
    /// At least one error, and the warnings besides, in the order in which the files were read.
    public let diagnostics: [Diagnostic]

    public init(diagnostics: [Diagnostic]) { self.diagnostics = diagnostics }

    /// One line for each.
    public var description: String { diagnostics.map(\.description).joined(separator: "\n") }
}
