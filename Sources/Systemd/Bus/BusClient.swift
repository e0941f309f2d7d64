import CSystemd
import Glibc

/// A connection to a message bus for a program that asks, and waits for the answer. For one thread.
public final class BusClient {
    let bus: OpaquePointer

    /// - Throws: `SystemdError` where there is no bus.
    public init(_ kind: BusKind) throws(SystemdError) {
        let operation = "connect to the \(kind.rawValue) bus"
        var made: OpaquePointer?
        try check(sd_bus_new(&made), operation)
        guard let made else { throw SystemdError(operation, code: ENOMEM) }
        bus = made
        try check(sd_bus_set_address(bus, kind.address), operation)
        try check(sd_bus_set_bus_client(bus, 1), operation)
        try check(sd_bus_start(bus), operation)
    }

    deinit { sd_bus_flush_close_unref(bus) }

    /// Calls a method, and waits for its results.
    /// - Throws: `BusError` where it answers with one, or does not answer in time.
    public func call(
        _ member: String, of interface: String, at path: String, on destination: String,
        _ arguments: [BusValue] = [], within timeout: Duration = .seconds(5)
    ) throws(BusError) -> [BusValue] {
        let answer: Result<[BusValue], BusError>
        do throws(SystemdError) {
            answer = try send(member, interface, path, destination, arguments, timeout)
        } catch {
            throw .failed("\(error)")
        }
        return try answer.get()
    }

    private func send(
        _ member: String, _ interface: String, _ path: String, _ destination: String, _ arguments: [BusValue],
        _ timeout: Duration
    ) throws(SystemdError) -> Result<[BusValue], BusError> {
        var call: OpaquePointer?
        try check(
            sd_bus_message_new_method_call(bus, &call, destination, path, interface, member), "call \(member)")
        defer { sd_bus_message_unref(call) }
        guard let call else { throw SystemdError("call \(member)", code: ENOMEM) }
        try BusMessage(message: call).append(arguments)
        var error = sd_bus_error()
        var reply: OpaquePointer?
        let code = sd_bus_call(bus, call, timeout.microseconds, &error, &reply)
        defer {
            sd_bus_error_free(&error)
            sd_bus_message_unref(reply)
        }
        guard code >= 0, let reply else {
            return .failure(
                BusError(
                    error.name.map { String(cString: $0) } ?? "org.freedesktop.DBus.Error.Failed",
                    error.message.map { String(cString: $0) } ?? String(cString: strerror(-code))))
        }
        return .success(try BusMessage(message: reply).values())
    }
}
