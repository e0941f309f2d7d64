import CSystemd

@testable import Systemd

extension BusClient {
    /// Sends a signal, as any program on the bus can, either to one connection, even if that does not follow the
    /// signal, or to all connections that follow it.
    func emit(
        _ member: String, of interface: String, from path: String, _ values: [BusValue] = [],
        to destination: String? = nil
    ) throws {
        var signal: OpaquePointer?
        try check(sd_bus_message_new_signal(bus, &signal, path, interface, member), "make a signal")
        defer { sd_bus_message_unref(signal) }
        guard let signal else { return }
        try BusMessage(message: signal).append(values)
        if let destination { try check(sd_bus_message_set_destination(signal, destination), "address a signal") }
        try check(sd_bus_send(bus, signal, nil), "send a signal")
        try check(sd_bus_flush(bus), "send a signal")
    }

    /// Returns once the bus has received everything that this connection has sent.
    func sync() throws {
        let driver = BusSender.driver
        _ = try call("GetId", of: driver, at: "/org/freedesktop/DBus", on: driver)
    }

    /// Requests a name.
    func own(_ name: String) throws {
        let driver = BusSender.driver
        _ = try call(
            "RequestName", of: driver, at: "/org/freedesktop/DBus", on: driver, [.string(name), .uint32(0)])
    }
}

extension Bus {
    /// The unique name, once the bus is connected.
    var uniqueName: String? {
        var name: UnsafePointer<CChar>?
        return sd_bus_get_unique_name(bus, &name) >= 0 ? name.map { String(cString: $0) } : nil
    }
}
