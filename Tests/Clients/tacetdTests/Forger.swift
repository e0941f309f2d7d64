import CSystemd
import Glibc

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

    /// The unique names of a process's connections.
    func names(of process: pid_t) throws -> [String] {
        let driver = BusSender.driver
        let names = try call("ListNames", of: driver, at: "/org/freedesktop/DBus", on: driver)
        guard case .array(_, let list)? = names.first else { return [] }
        return list.compactMap { value in
            guard case .string(let name) = value, name.hasPrefix(":") else { return nil }
            let answer = try? call(
                "GetConnectionUnixProcessID", of: driver, at: "/org/freedesktop/DBus", on: driver, [value])
            return answer == [.uint32(UInt32(process))] ? name : nil
        }
    }

    /// Returns once a connection has handled everything that this one has sent to it.
    func ping(_ name: String) throws {
        _ = try call("Ping", of: "org.freedesktop.DBus.Peer", at: "/", on: name, within: .seconds(60))
    }
}
