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

/// What clients may call.
public struct BusMethod {
    public let name: String
    public let inputs: [BusArgument]
    public let outputs: [BusArgument]
    /// Gets values of just these inputs, and answers values of just these outputs.
    let body: ([BusValue]) throws(BusError) -> [BusValue]

    public init(
        _ name: String, _ inputs: [BusArgument] = [], answers outputs: [BusArgument] = [],
        _ body: @escaping ([BusValue]) throws(BusError) -> [BusValue]
    ) {
        self.name = name
        self.inputs = inputs
        self.outputs = outputs
        self.body = body
    }
}

/// What clients may read, and perhaps set.
public struct BusProperty {
    /// How clients learn of another value (the annotation `EmitsChangedSignal`).
    public enum Change: String, Hashable, Sendable {
        /// By `PropertiesChanged`.
        case told = "true"
        /// They have to ask.
        case untold = "false"
        /// There is none.
        case constant = "const"
    }

    public let name: String
    public let signature: String
    public let change: Change
    let get: () -> BusValue
    let set: ((BusValue) throws(BusError) -> Void)?

    public init(
        _ name: String, _ signature: String, change: Change = .told, get: @escaping () -> BusValue,
        set: ((BusValue) throws(BusError) -> Void)? = nil
    ) {
        self.name = name
        self.signature = signature
        self.change = change
        self.get = get
        self.set = set
    }
}

/// What clients may listen to.
public struct BusSignal: Hashable, Sendable {
    public let name: String
    public let arguments: [BusArgument]

    public init(_ name: String, _ arguments: [BusArgument] = []) {
        self.name = name
        self.arguments = arguments
    }
}
