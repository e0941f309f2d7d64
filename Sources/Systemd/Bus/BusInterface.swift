/// An interface as data: from it come dispatching, the checking of types, and what introspection tells.
public struct BusInterface {
    public let name: String
    public let methods: [BusMethod]
    public let properties: [BusProperty]
    public let signals: [BusSignal]

    public init(
        _ name: String, methods: [BusMethod] = [], properties: [BusProperty] = [], signals: [BusSignal] = []
    ) {
        self.name = name
        self.methods = methods
        self.properties = properties
        self.signals = signals
    }
}
