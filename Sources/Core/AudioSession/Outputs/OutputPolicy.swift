/// The policy of a board's output, which indicates a state or switches a device. It corresponds to an `[Output NAME]`
/// section of the configuration. See <doc:Semantics#Outputs>.
public struct OutputPolicy: Hashable, Sendable {
    public var id: OutputID
    public var meaning: OutputMeaning

    public init(id: OutputID, meaning: OutputMeaning) {
        self.id = id
        self.meaning = meaning
    }
}

/// The name of an output, such as `amplifier`. It is the NAME in the configuration's `[Output NAME]`.
public struct OutputID: RawRepresentable, Hashable, Comparable, Sendable, ExpressibleByStringLiteral,
    CustomStringConvertible
{
    public let rawValue: String

    public init(rawValue: String) { self.rawValue = rawValue }
    public init(_ name: String) { rawValue = name }
    public init(stringLiteral name: String) { rawValue = name }

    public var description: String { rawValue }
    public static func < (a: OutputID, b: OutputID) -> Bool { a.rawValue < b.rawValue }
}
