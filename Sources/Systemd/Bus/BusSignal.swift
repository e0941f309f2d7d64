/// What clients may listen to.
public struct BusSignal: Hashable, Sendable {
    public let name: String
    public let arguments: [BusArgument]

    public init(_ name: String, _ arguments: [BusArgument] = []) {
        self.name = name
        self.arguments = arguments
    }
}
