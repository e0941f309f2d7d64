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
public struct OutputID: NamedID {
    public let rawValue: String

    public init(rawValue: String) { self.rawValue = rawValue }
}
