import CSystemd
import Glibc

/// Which message bus.
public enum BusKind: String, Hashable, Sendable, CaseIterable {
    case system, user

    /// Where it listens, as the environment says, or where it usually is.
    var address: String {
        switch self {
        case .system: environment("DBUS_SYSTEM_BUS_ADDRESS") ?? "unix:path=/run/dbus/system_bus_socket"
        case .user:
            environment("DBUS_SESSION_BUS_ADDRESS")
                ?? "unix:path=" + (environment("XDG_RUNTIME_DIR") ?? "/run/user/\(getuid())") + "/bus"
        }
    }

    private func environment(_ name: String) -> String? {
        getenv(name).map { String(cString: $0) }.flatMap { $0.isEmpty ? nil : $0 }
    }
}
