import CSystemd
import Files
import Glibc

/// A connection to a message bus for a program that calls other programs and follows their signals. Use it from one
/// thread only.
///
/// `call` waits for its answer. To follow signals, or to make several calls at once, use `next` and `wait`. Messages
/// that `next` has not returned yet stay in the queue of the bus, and the configuration of the bus limits its length.
public final class BusClient {
    let bus: OpaquePointer

    /// Connects to a bus.
    /// - Throws: `SystemdError` if the bus is not available.
    public convenience init(_ kind: BusKind) throws(SystemdError) {
        try self.init(address: kind.address, called: "the \(kind.rawValue) bus")
    }

    /// Connects to the bus at an address.
    /// - Parameter address: the address in the format of `DBUS_SYSTEM_BUS_ADDRESS`.
    package convenience init(address: String) throws(SystemdError) {
        try self.init(address: address, called: "the bus at \(address)")
    }

    private init(address: String, called name: String) throws(SystemdError) {
        let operation = "connect to \(name)"
        var made: OpaquePointer?
        try check(sd_bus_new(&made), operation)
        guard let made else { throw SystemdError(operation, code: ENOMEM) }
        bus = made
        try check(sd_bus_set_address(bus, address), operation)
        try check(sd_bus_set_bus_client(bus, 1), operation)
        try check(sd_bus_start(bus), operation)
    }

    deinit { sd_bus_close_unref(bus) }

    /// Calls a method and waits for its results.
    /// - Throws: `BusError` if the method answers with one, or does not answer in time.
    public func call(
        _ member: String, of interface: String, at path: String, on destination: String,
        _ arguments: [BusValue] = [], within timeout: Duration = .seconds(5)
    ) throws(BusError) -> [BusValue] {
        let answer: Result<[BusValue], BusError>
        do throws(SystemdError) {
            let call = try make(member, interface, path, destination, arguments)
            defer { sd_bus_message_unref(call) }
            answer = try send(call, timeout)
        } catch {
            throw .failed("\(error)")
        }
        return try answer.get()
    }

    /// Creates a message, which the caller must release.
    func make(
        _ member: String, _ interface: String, _ path: String, _ destination: String, _ arguments: [BusValue]
    ) throws(SystemdError) -> OpaquePointer {
        var call: OpaquePointer?
        try check(
            sd_bus_message_new_method_call(bus, &call, destination, path, interface, member), "call \(member)")
        guard let call else { throw SystemdError("call \(member)", code: ENOMEM) }
        do throws(SystemdError) { try BusMessage(message: call).append(arguments) } catch {
            sd_bus_message_unref(call)
            throw error
        }
        return call
    }

    private func send(_ call: OpaquePointer, _ timeout: Duration) throws(SystemdError) -> Result<[BusValue], BusError> {
        var error = sd_bus_error()
        var reply: OpaquePointer?
        let code = sd_bus_call(bus, call, timeout.microseconds, &error, &reply)
        defer {
            sd_bus_error_free(&error)
            sd_bus_message_unref(reply)
        }
        guard code >= 0, let reply else { return .failure(BusError(error, code: -code)) }
        return .success(try BusReader.read(reply, upTo: .answer).values)
    }
}

extension BusError {
    /// Creates the error for a failed call.
    /// - Parameter code: the `errno` code whose text is used if the error does not have a message.
    init(_ error: sd_bus_error, code: Int32) {
        self.init(
            BusReader.name(error.name) ?? "org.freedesktop.DBus.Error.Failed",
            BusError.beginning(of: error.message) ?? String(errno: code))
    }

    /// Returns the beginning of a text from another program, because the text may be long.
    private static func beginning(of text: UnsafePointer<CChar>?) -> String? {
        text.map { String(decoding: UnsafeRawBufferPointer(start: $0, count: strnlen($0, 1024)), as: UTF8.self) }
    }
}
