/// The error that a method returns instead of its results.
public struct BusError: Error, Hashable, Sendable, CustomStringConvertible {
    /// e.g. "org.freedesktop.DBus.Error.InvalidArgs"
    public let name: String
    public let message: String

    public init(_ name: String, _ message: String) {
        self.name = name
        self.message = message
    }

    public var description: String { "\(message) (\(name))" }

    private static let prefix = "org.freedesktop.DBus.Error."

    /// Whether the object, or its interface, does not exist.
    public var isUnknownObject: Bool {
        ["UnknownObject", "UnknownMethod", "UnknownInterface"].contains { name == Self.prefix + $0 }
    }

    /// Whether nobody owns the name that was asked about.
    var isWithoutOwner: Bool { name == Self.prefix + "NameHasNoOwner" }

    /// Whether no answer has come in time.
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
    /// As from the bus itself, for what passes.
    static let tooManyQuestions = BusError(
        prefix + "LimitsExceeded", "too many questions at once: ask again in a second")
    static func tooLarge(_ member: String) -> BusError {
        // Not LimitsExceeded, which the bus itself uses for what passes.
        .invalidArguments("the arguments of \(member) are too large")
    }

    /// D-Bus limits names to 255 bytes. A text that is not a name is not repeated, because the answer would be as long.
    private static func shown(_ name: String) -> String { name.utf8.count <= longestName ? name : "of this name" }
    static let longestName = 255
    static func readOnly(_ name: String) -> BusError {
        .init(prefix + "PropertyReadOnly", "\(name) cannot be set")
    }
}
