/// The error that a method returns instead of its results.
public struct BusError: Error, Hashable, Sendable, CustomStringConvertible {
    /// The name, such as "org.freedesktop.DBus.Error.InvalidArgs".
    public let name: String
    public let message: String

    public init(_ name: String, _ message: String) {
        self.name = name
        self.message = message
    }

    public var description: String { "\(message) (\(name))" }

    private static let prefix = "org.freedesktop.DBus.Error."

    /// True if the object or its interface does not exist.
    public var isUnknownObject: Bool {
        ["UnknownObject", "UnknownMethod", "UnknownInterface"].contains { name == Self.prefix + $0 }
    }

    /// True if the name in the query does not have an owner.
    var isWithoutOwner: Bool { name == Self.prefix + "NameHasNoOwner" }

    /// True if no answer has arrived in time.
    var isTimeout: Bool { ["NoReply", "Timeout", "TimedOut"].contains { name == Self.prefix + $0 } }

    public static func invalidArguments(_ message: String) -> BusError { .init(prefix + "InvalidArgs", message) }
    public static func notSupported(_ message: String) -> BusError { .init(prefix + "NotSupported", message) }
    public static func failed(_ message: String) -> BusError { .init(prefix + "Failed", message) }
    static func unknownMethod(_ name: String) -> BusError {
        .init(prefix + "UnknownMethod", "there is no method \(shown(name))")
    }
    static func unknownInterface(_ name: String) -> BusError {
        .init(prefix + "UnknownInterface", "there is no interface \(shown(name))")
    }
    static func unknownProperty(_ name: String) -> BusError {
        .init(prefix + "UnknownProperty", "there is no property \(shown(name))")
    }
    static let unknownObject = BusError(prefix + "UnknownObject", "there is no object of this name")
    /// True if the call was not executed, because there were too many of them. It can be repeated soon. The bus itself
    /// also uses this error for temporary conditions.
    public var isOverload: Bool { name == Self.overload }
    private static let overload = prefix + "LimitsExceeded"
    static let tooManyQuestions = BusError(overload, "too many questions at once: ask again in a second")
    static let tooManyCalls = BusError(overload, "too many calls at once: call again in a second")
    static let unidentified = BusError(
        prefix + "AccessDenied",
        "the bus does not say which user sent this call: a program must stay on the bus until it has its answer")
    static func tooLarge(_ member: String) -> BusError {
        // This is not LimitsExceeded, which the bus itself uses for temporary conditions.
        .invalidArguments("the arguments of \(member) are too large")
    }

    /// D-Bus limits names to 255 bytes. A text that cannot be a name is not repeated, because the answer would be just
    /// as long.
    private static func shown(_ name: String) -> String { name.utf8.count <= longestName ? name : "of this name" }
    static let longestName = 255
    static func readOnly(_ name: String) -> BusError {
        .init(prefix + "PropertyReadOnly", "\(name) cannot be set")
    }
}
