import CSystemd
import Glibc

/// A D-Bus value that includes its type, as a JSON value does.
public indirect enum BusValue: Hashable, Sendable {
    case byte(UInt8)
    case bool(Bool)
    case int16(Int16)
    case uint16(UInt16)
    case int32(Int32)
    case uint32(UInt32)
    case int64(Int64)
    case uint64(UInt64)
    case double(Double)
    case string(String)
    case objectPath(String)
    case signature(String)
    /// - Parameter of: the signature of each element.
    case array(of: String, [BusValue])
    /// An array of bytes. Messages that are read never represent bytes as an `array`, which would need 50 times as much
    /// memory.
    case bytes([UInt8])
    case structure([BusValue])
    /// An entry of a dictionary. A dictionary is an array of entries.
    case entry(BusValue, BusValue)
    case variant(BusValue)
    case descriptor(BusDescriptor)

    /// The type in D-Bus notation.
    public var signature: String {
        switch self {
        case .byte: "y"
        case .bool: "b"
        case .int16: "n"
        case .uint16: "q"
        case .int32: "i"
        case .uint32: "u"
        case .int64: "x"
        case .uint64: "t"
        case .double: "d"
        case .string: "s"
        case .objectPath: "o"
        case .signature: "g"
        case .array(let element, _): "a" + element
        case .bytes: "ay"
        case .structure(let members): "(" + members.map(\.signature).joined() + ")"
        case .entry(let key, let value): "{" + key.signature + value.signature + "}"
        case .variant: "v"
        case .descriptor: "h"
        }
    }

    /// The approximate number of bytes that the value takes in a message.
    var size: Int {
        switch self {
        case .byte: 1
        case .int16, .uint16: 2
        case .bool, .int32, .uint32, .descriptor: 4
        case .int64, .uint64, .double: 8
        case .string(let text), .objectPath(let text), .signature(let text): 8 + text.utf8.count
        case .array(_, let values), .structure(let values): values.reduce(8) { $0 + $1.size }
        case .bytes(let bytes): 4 + bytes.count
        case .entry(let key, let value): 8 + key.size + value.size
        case .variant(let value): 8 + value.size
        }
    }

    /// Returns an array of the D-Bus type `as`.
    public static func strings(_ strings: [String]) -> BusValue {
        .array(of: "s", strings.map(BusValue.string))
    }

    /// Returns a dictionary of the D-Bus type `a{sv}`, sorted by key.
    public static func dictionary(_ values: [String: BusValue]) -> BusValue {
        .array(of: "{sv}", values.sorted { $0.key < $1.key }.map { .entry(.string($0.key), .variant($0.value)) })
    }

    /// The text of a string, or nil for other types.
    public var text: String? { if case .string(let text) = self { text } else { nil } }

    /// The elements of an array, or an empty list for other types.
    public var elements: [BusValue] { if case .array(_, let elements) = self { elements } else { [] } }

    /// The values of a dictionary `a{sv}` by their keys, or an empty dictionary for other types.
    public var members: [String: BusValue] {
        elements.reduce(into: [:]) { members, entry in
            if case .entry(.string(let name), .variant(let value)) = entry { members[name] = value }
        }
    }
}

/// A file descriptor that a message carries. It is closed when the last reference to this object is released.
public final class BusDescriptor: Hashable, Sendable {
    /// The number of the descriptor, which is valid as long as this object exists. The descriptor is closed on exec.
    public let number: Int32

    /// Takes over an open descriptor.
    public init(_ number: Int32) { self.number = number }

    deinit { close(number) }

    public static func == (one: BusDescriptor, other: BusDescriptor) -> Bool { one === other }
    public func hash(into hasher: inout Hasher) { hasher.combine(ObjectIdentifier(self)) }
}

/// The kind of a message bus.
public enum BusKind: String, Hashable, Sendable, CaseIterable {
    case system, user

    /// The address of the bus, from the environment if it is set there, otherwise the usual one.
    var address: String {
        switch self {
        case .system: environment("DBUS_SYSTEM_BUS_ADDRESS") ?? "unix:path=/run/dbus/system_bus_socket"
        case .user:
            environment("DBUS_SESSION_BUS_ADDRESS")
                ?? "unix:path=" + (environment("XDG_RUNTIME_DIR") ?? "/run/user/\(getuid())") + "/bus"
        }
    }

    /// The address of the user's bus, or nil if there is none. A system service usually does not have one.
    public static var sessionAddress: String? { sessionAddress { user.environment($0) } }

    static func sessionAddress(_ environment: (String) -> String?) -> String? {
        if let address = environment("DBUS_SESSION_BUS_ADDRESS") { return address }
        guard let folder = environment("XDG_RUNTIME_DIR") else { return nil }
        var status = stat()
        guard stat("\(folder)/bus", &status) == 0, status.st_mode & S_IFMT == S_IFSOCK else { return nil }
        return "unix:path=\(folder)/bus"
    }

    private func environment(_ name: String) -> String? {
        getenv(name).map { String(cString: $0) }.flatMap { $0.isEmpty ? nil : $0 }
    }
}

/// An argument or result of a method or signal, with a descriptive name and its type in D-Bus notation.
public struct BusArgument: Hashable, Sendable {
    public let name: String
    public let signature: String

    public init(_ name: String, _ signature: String) {
        self.name = name
        self.signature = signature
    }
}

extension BusValue {
    /// Returns the path of an object that is named by any text, such as `/org/example/fm_2dradio` for `fm-radio`.
    ///
    /// - Parameter prefix: The path of the parent object.
    public static func path(_ prefix: String, to name: String) -> String {
        var path: UnsafeMutablePointer<CChar>?
        guard sd_bus_path_encode(prefix, name, &path) >= 0, let path else { return prefix }
        defer { free(path) }
        return String(cString: path)
    }

    /// Returns the text that names the object with this path, which is the inverse of `path(_:to:)`.
    ///
    /// - Returns: nil if no text has this path.
    public static func name(of path: String, in prefix: String) -> String? {
        var name: UnsafeMutablePointer<CChar>?
        guard sd_bus_path_decode(path, prefix, &name) > 0, let name else { return nil }
        defer { free(name) }
        let text = String(validatingCString: name)
        // A path has other spellings, such as one with more escapes.
        return text.flatMap { self.path(prefix, to: $0) == path ? $0 : nil }
    }
}
