/// An object that clients can call, with its interfaces and the standard interfaces that are derived from them. It is
/// independent of any bus.
///
/// The object checks types, so the functions in the interfaces receive values of the declared types.
public final class BusObject {
    public let path: String
    public let interfaces: [BusInterface]
    /// The caller of the call in progress, or nil if there is none or if the identity of the caller does not matter.
    public internal(set) var caller: BusCaller?
    /// The unique name of the connection whose call is in progress, such as ":1.7", or nil if there is none.
    public internal(set) var sender: String?
    /// The values that clients were last notified of, by interface and property.
    private var notified: [String: [String: BusValue]] = [:]

    public init(_ path: String, _ interfaces: [BusInterface]) {
        self.path = path
        self.interfaces = interfaces
        _ = changes()
    }

    /// Executes a call.
    /// - Parameters:
    ///   - interface: the interface, or nil if the client did not specify one.
    ///   - reply: receives the answer, immediately or later.
    func answer(_ member: String, of interface: String?, _ arguments: [BusValue], _ reply: BusReply) {
        do throws(BusError) {
            if let values = try carryOut(member, of: interface, arguments, reply) { reply.answer(values) }
        } catch {
            reply.refuse(error)
        }
    }

    /// Executes a call.
    /// - Returns: nil if the method answers through the reply.
    private func carryOut(
        _ member: String, of interface: String?, _ arguments: [BusValue], _ reply: BusReply
    ) throws(BusError) -> [BusValue]? {
        switch interface {
        case "org.freedesktop.DBus.Properties": return try answerForProperties(member, arguments)
        case "org.freedesktop.DBus.Introspectable" where member == "Introspect": return [.string(introspection)]
        default: break
        }
        guard let method = method(member, of: interface) else { throw missing(member, in: interface) }
        let expected = method.inputs.map(\.signature).joined()
        guard arguments.map(\.signature).joined() == expected else {
            throw .invalidArguments("\(member) takes arguments of type ‘\(expected)’")
        }
        switch method.body {
        case .now(let body): return try body(arguments)
        case .later(let body):
            try body(arguments, reply)
            return nil
        }
    }

    /// Returns the signature of a call's arguments, or nil if there is no such method.
    func inputs(of member: String, in interface: String?) -> String? {
        switch (interface, member) {
        case ("org.freedesktop.DBus.Properties", "Get"): return "ss"
        case ("org.freedesktop.DBus.Properties", "GetAll"): return "s"
        case ("org.freedesktop.DBus.Properties", "Set"): return "ssv"
        case ("org.freedesktop.DBus.Introspectable", "Introspect"): return ""
        default: return method(member, of: interface)?.inputs.map(\.signature).joined()
        }
    }

    /// Returns the method of an interface, or of the first interface that has it if the client did not specify one. Every
    /// message causes several searches, so they do not copy the list of methods.
    private func method(_ member: String, of interface: String?) -> BusMethod? {
        for candidate in interfaces where interface == nil || candidate.name == interface {
            if let method = candidate.methods.first(where: { $0.name == member }) { return method }
        }
        return nil
    }

    /// Returns true if a call cannot change anything.
    func isQuestion(_ member: String, of interface: String?) -> Bool {
        switch interface {
        case "org.freedesktop.DBus.Introspectable", "org.freedesktop.DBus.Peer": true
        case "org.freedesktop.DBus.Properties": member != "Set"
        default: method(member, of: interface)?.isQuestion ?? true
        }
    }

    /// Returns the error that answers a call to a method that does not exist.
    func missing(_ member: String, in interface: String?) -> BusError {
        guard let interface, !BusObject.standard.contains(interface),
            !interfaces.contains(where: { $0.name == interface })
        else { return .unknownMethod(member) }
        return .unknownInterface(interface)
    }

    private static let standard = ["org.freedesktop.DBus.Properties", "org.freedesktop.DBus.Introspectable"]

    /// The properties of an interface that have changed since clients were last notified, for `PropertiesChanged`.
    struct Changes {
        let interface: String
        var values: [String: BusValue] = [:]
        /// The names of the properties whose values clients have to read.
        var invalidated: [String] = []

        var isEmpty: Bool { values.isEmpty && invalidated.isEmpty }
    }

    func changes() -> [Changes] {
        interfaces.map { interface in
            var changes = Changes(interface: interface.name)
            for property in interface.properties where [.emitsSignal, .invalidates].contains(property.change) {
                let value = property.get()
                guard notified[interface.name]?[property.name] != value else { continue }
                notified[interface.name, default: [:]][property.name] = value
                if property.change == .invalidates {
                    changes.invalidated.append(property.name)
                } else {
                    changes.values[property.name] = value
                }
            }
            return changes
        }.filter { !$0.isEmpty }
    }

    // MARK: Properties

    /// Checks the names of the interface and the property in a call to `Properties`. D-Bus limits the length of both.
    /// - Throws: the error with which a call is answered if a name is too long.
    static func checkNames(_ arguments: [BusValue]) throws(BusError) {
        if case .string(let interface)? = arguments.first, interface.utf8.count > BusError.longestName {
            throw .unknownInterface(interface)
        }
        if case .string(let name)? = arguments.dropFirst().first, name.utf8.count > BusError.longestName {
            throw .unknownProperty(name)
        }
    }

    private func answerForProperties(_ member: String, _ arguments: [BusValue]) throws(BusError) -> [BusValue] {
        switch (member, arguments.first, arguments.dropFirst().first, arguments.dropFirst(2).first) {
        case ("Get", .string(let interface), .string(let name), nil):
            return [.variant(try property(name, of: interface).get())]
        case ("GetAll", .string(let interface), nil, nil):
            let properties = try table(interface).flatMap(\.properties)
            return [.dictionary(Dictionary(properties.map { ($0.name, $0.get()) }) { first, _ in first })]
        case ("Set", .string(let interface), .string(let name), .variant(let value)):
            let property = try property(name, of: interface)
            guard let set = property.set else { throw .readOnly(name) }
            guard value.signature == property.signature else {
                throw .invalidArguments("\(name) is of type ‘\(property.signature)’, and not ‘\(value.signature)’")
            }
            try set(value)
            return []
        case ("Get", _, _, _), ("GetAll", _, _, _), ("Set", _, _, _):
            throw .invalidArguments("\(member) takes other arguments")
        default: throw .unknownMethod(member)
        }
    }

    /// Returns the interfaces with this name. According to the specification, an empty name means any interface.
    private func table(_ interface: String) throws(BusError) -> [BusInterface] {
        let found = interfaces.filter { interface.isEmpty || $0.name == interface }
        guard !found.isEmpty else { throw .unknownInterface(interface) }
        return found
    }

    private func property(_ name: String, of interface: String) throws(BusError) -> BusProperty {
        guard let found = try table(interface).flatMap(\.properties).first(where: { $0.name == name }) else {
            throw .unknownProperty(name)
        }
        return found
    }
}
