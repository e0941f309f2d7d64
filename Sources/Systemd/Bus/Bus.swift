import CSystemd
import Glibc

/// A connection to a message bus in an event loop, on which objects are served: systemd's `sd-bus`.
///
/// Nothing here waits: what is asked of the bus while it is not there yet is done when it is. A connection that has gone
/// is of no more use; make another. It belongs to its event loop's thread.
public final class Bus {
    private let bus: OpaquePointer
    private let whenGone: (String) -> Void
    private var slots: [OpaquePointer] = []
    private var served: [Served] = []
    private var whenOwned: () -> Void = {}
    /// Whether it has its name.
    public private(set) var isOwner = false

    /// What sd-bus hands back with a call.
    private final class Served {
        let object: BusObject
        init(_ object: BusObject) { self.object = object }
    }

    /// Connects; and waits for the bus's socket where there is none yet.
    /// - Parameter whenGone: called when the connection is over, or the bus will not have it, and why.
    public init(
        _ kind: BusKind, in loop: EventLoop, whenGone: @escaping (String) -> Void
    ) throws(SystemdError) {
        var made: OpaquePointer?
        try check(sd_bus_new(&made), "connect to the \(kind.rawValue) bus")
        guard let made else { throw SystemdError("connect to the \(kind.rawValue) bus", code: ENOMEM) }
        bus = made
        self.whenGone = whenGone
        try set(up: kind, in: loop)
    }

    private func set(up kind: BusKind, in loop: EventLoop) throws(SystemdError) {
        let operation = "connect to the \(kind.rawValue) bus"
        try check(sd_bus_set_address(bus, kind.address), operation)
        try check(sd_bus_set_bus_client(bus, 1), operation)
        try check(sd_bus_set_watch_bind(bus, 1), operation)
        try check(sd_bus_set_exit_on_disconnect(bus, 0), operation)
        try check(sd_bus_start(bus), operation)
        try check(sd_bus_attach_event(bus, loop.event, Int32(EventPriority.normal.number)), operation)
        var slot: OpaquePointer?
        try check(
            sd_bus_match_signal_async(
                bus, &slot, nil, "/org/freedesktop/DBus/Local", "org.freedesktop.DBus.Local", "Disconnected",
                { _, bus, _ in Bus.end(bus, "it has hung up") }, nil, reference), operation)
        keep(slot)
    }

    deinit {
        for slot in slots { sd_bus_slot_unref(slot) }
        sd_bus_detach_event(bus)
        sd_bus_close_unref(bus)
    }

    private var reference: UnsafeMutableRawPointer { Unmanaged.passUnretained(self).toOpaque() }

    private func keep(_ slot: OpaquePointer?) {
        if let slot { slots.append(slot) }
    }

    private static func end(_ reference: UnsafeMutableRawPointer?, _ reason: String) -> Int32 {
        guard let reference else { return 0 }
        // Kept while it runs, as whoever is told may well let go of it.
        let bus = Unmanaged<Bus>.fromOpaque(reference).takeUnretainedValue()
        bus.whenGone(reason)
        return 0
    }

    // MARK: Serving

    /// Asks for a well-known name; a bus that refuses it is gone for us.
    /// - Parameter then: called when the name is ours.
    public func own(_ name: String, then: @escaping () -> Void) throws(SystemdError) {
        whenOwned = then
        var slot: OpaquePointer?
        // DBUS_NAME_FLAG_DO_NOT_QUEUE: one that another has is refused.
        try check(
            sd_bus_request_name_async(
                bus, &slot, name, UInt64(4),
                { reply, bus, _ in
                    guard let error = sd_bus_message_get_error(reply) else { return Bus.own(bus, reply) }
                    return Bus.end(bus, error.pointee.message.map { String(cString: $0) } ?? "it refuses the name")
                }, reference), "own the name \(name)")
        keep(slot)
    }

    private static func own(_ reference: UnsafeMutableRawPointer?, _ reply: OpaquePointer?) -> Int32 {
        var answer: UInt32 = 0
        guard let reference, sd_bus_message_read_basic(reply, CChar(UInt8(ascii: "u")), &answer) > 0 else { return 0 }
        // DBUS_REQUEST_NAME_REPLY_PRIMARY_OWNER, and …_ALREADY_OWNER.
        guard answer == 1 || answer == 4 else { return end(reference, "another program has its name there") }
        let bus = Unmanaged<Bus>.fromOpaque(reference).takeUnretainedValue()
        bus.isOwner = true
        bus.whenOwned()
        return 0
    }

    /// Lets clients call an object, until the connection ends.
    public func serve(_ object: BusObject) throws(SystemdError) {
        let entry = Served(object)
        served.append(entry)
        var slot: OpaquePointer?
        try check(
            sd_bus_add_object(
                bus, &slot, object.path, { message, served, _ in Bus.answer(message, served) },
                Unmanaged.passUnretained(entry).toOpaque()), "serve \(object.path)")
        keep(slot)
    }

    /// How many messages may wait for a bus that takes none: about a second of the greatest flood.
    private static let longestQueue: UInt64 = 8192

    /// Sends a signal to whoever listens: nobody, before `own` has its name. What waited for a bus that never comes
    /// would only take memory.
    /// - Throws: `SystemdError` where the bus has taken nothing for so long that too many wait.
    public func emit(
        _ signal: String, of interface: String, from path: String, _ values: [BusValue] = []
    ) throws(SystemdError) {
        guard isOwner else { return }
        var message: OpaquePointer?
        try check(sd_bus_message_new_signal(bus, &message, path, interface, signal), "send \(signal)")
        defer { sd_bus_message_unref(message) }
        guard let message else { return }
        try BusMessage(message: message).append(values)
        var queued: UInt64 = 0
        if sd_bus_get_n_queued_write(bus, &queued) >= 0, queued > Bus.longestQueue {
            throw SystemdError("send \(signal)", code: ENOBUFS)
        }
        try check(sd_bus_send(bus, message, nil), "send \(signal)")
    }

    /// Tells whoever listens of the properties that have changed.
    public func emitChanges(of object: BusObject) throws(SystemdError) {
        for (interface, values) in object.changes() {
            try emit(
                "PropertiesChanged", of: "org.freedesktop.DBus.Properties", from: object.path,
                [.string(interface), .dictionary(values), .strings([])])
        }
    }

    private static func answer(_ message: OpaquePointer?, _ reference: UnsafeMutableRawPointer?) -> Int32 {
        guard let message, let reference, sd_bus_message_is_method_call(message, nil, nil) > 0 else { return 0 }
        let object = Unmanaged<Served>.fromOpaque(reference).takeUnretainedValue().object
        let member = sd_bus_message_get_member(message).map { String(cString: $0) } ?? ""
        let interface = sd_bus_message_get_interface(message).map { String(cString: $0) }
        // Every object answers to them; sd-bus does so.
        if interface == "org.freedesktop.DBus.Peer" { return 0 }
        do {
            // Nothing is read that the call does not take: it may be huge.
            if let inputs = object.inputs(of: member, in: interface), sd_bus_message_has_signature(message, inputs) <= 0
            {
                throw BusError.invalidArguments("\(member) takes arguments of type ‘\(inputs)’")
            }
            let isKnown = object.inputs(of: member, in: interface) != nil
            let arguments = isKnown ? try BusMessage(message: message).values() : []
            try reply(to: message, try object.answer(member, of: interface, arguments))
        } catch let error as BusError {
            refuse(message, error)
        } catch {
            refuse(message, .failed("\(error)"))
        }
        return 1
    }

    private static func reply(to call: OpaquePointer, _ values: [BusValue]) throws(SystemdError) {
        guard sd_bus_message_get_expect_reply(call) > 0 else { return }
        var message: OpaquePointer?
        try check(sd_bus_message_new_method_return(call, &message), "answer")
        defer { sd_bus_message_unref(message) }
        guard let message else { return }
        try BusMessage(message: message).append(values)
        try check(sd_bus_send(nil, message, nil), "answer")
    }

    private static func refuse(_ call: OpaquePointer, _ error: BusError) {
        error.name.withCString { name in
            error.message.withCString { message in
                var reply = sd_bus_error(name: name, message: message, _need_free: 0)
                sd_bus_reply_method_error(call, &reply)
            }
        }
    }
}
