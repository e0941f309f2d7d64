/// What a call or a signal brings, or a call answers: a name for people, and its type as D-Bus writes it.
public struct BusArgument: Hashable, Sendable {
    public let name: String
    public let signature: String

    public init(_ name: String, _ signature: String) {
        self.name = name
        self.signature = signature
    }
}
