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
