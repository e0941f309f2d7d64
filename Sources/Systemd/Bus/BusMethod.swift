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
