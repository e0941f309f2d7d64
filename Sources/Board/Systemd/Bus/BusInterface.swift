/// An interface that is described as data. Dispatching, type checks and introspection are derived from it.
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

/// A method that clients can call.
public struct BusMethod {
    public let name: String
    public let inputs: [BusArgument]
    public let outputs: [BusArgument]
    /// True if a call cannot change anything. The time for such calls is limited, because any user may send them.
    public let isQuestion: Bool
    /// The function that handles a call. It receives values of exactly the types of the inputs.
    let body: Body

    enum Body {
        /// The function returns values of the types of the outputs.
        case now(([BusValue]) throws(BusError) -> [BusValue])
        /// The function answers through the reply, immediately or later.
        case later(([BusValue], BusReply) throws(BusError) -> Void)
    }

    /// Creates a method that answers immediately.
    /// - Parameters:
    ///   - isQuestion: true if a call cannot change anything. The identity of the caller is then unknown.
    ///   - body: must return values of the types of the outputs.
    public init(
        _ name: String, _ inputs: [BusArgument] = [], answers outputs: [BusArgument] = [], isQuestion: Bool = false,
        _ body: @escaping ([BusValue]) throws(BusError) -> [BusValue]
    ) {
        self.name = name
        self.inputs = inputs
        self.outputs = outputs
        self.isQuestion = isQuestion
        self.body = .now(body)
    }

    /// Creates a method whose answer may take time. Other calls are executed in the meantime.
    /// - Parameters:
    ///   - isQuestion: true if a call cannot change anything. The identity of the caller is then unknown.
    ///   - body: must throw, or keep the reply until it has answered. For a question, it charges the reply for the work
    ///     of other threads.
    public init(
        _ name: String, _ inputs: [BusArgument] = [], answersLater outputs: [BusArgument], isQuestion: Bool = false,
        _ body: @escaping ([BusValue], BusReply) throws(BusError) -> Void
    ) {
        self.name = name
        self.inputs = inputs
        self.outputs = outputs
        self.isQuestion = isQuestion
        self.body = .later(body)
    }
}

/// A property that clients can read, and set if it has a setter.
public struct BusProperty {
    /// The way in which clients learn about a new value (the annotation `EmitsChangedSignal`).
    public enum Change: String, Hashable, Sendable {
        /// `PropertiesChanged` is emitted.
        case emitsSignal = "true"
        /// `PropertiesChanged` is emitted without the new value, which clients have to read.
        case invalidates
        /// Clients have to read the property again.
        case noSignal = "false"
        /// The value never changes.
        case constant = "const"
    }

    public let name: String
    public let signature: String
    public let change: Change
    let get: () -> BusValue
    let set: ((BusValue) throws(BusError) -> Void)?

    public init(
        _ name: String, _ signature: String, change: Change = .emitsSignal, get: @escaping () -> BusValue,
        set: ((BusValue) throws(BusError) -> Void)? = nil
    ) {
        self.name = name
        self.signature = signature
        self.change = change
        self.get = get
        self.set = set
    }
}

/// A signal that clients can receive.
public struct BusSignal: Hashable, Sendable {
    public let name: String
    public let arguments: [BusArgument]

    public init(_ name: String, _ arguments: [BusArgument] = []) {
        self.name = name
        self.arguments = arguments
    }
}
