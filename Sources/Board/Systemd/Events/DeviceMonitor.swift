import CSystemd
import Glibc

/// Reports when devices appear, change or disappear, according to udev.
///
/// Treat the reports only as hints. They are missing if udev does not run or if the process has its own network
/// namespace.
public final class DeviceMonitor {
    public struct Change: Hashable, Sendable {
        public enum Kind: Hashable, Sendable { case added, removed, changed }

        public let kind: Kind
        /// The subsystem, such as "sound".
        public let subsystem: String
        /// The name, such as "card0".
        public let name: String
    }

    private let monitor: OpaquePointer
    private let action: (Change) -> Void

    /// Watches the devices of some subsystems, such as "sound" and "gpio".
    public init(
        _ subsystems: [String], in loop: EventLoop, _ action: @escaping (Change) -> Void
    ) throws(SystemdError) {
        var made: OpaquePointer?
        try check(sd_device_monitor_new(&made), "watch devices")
        guard let made else { throw SystemdError("watch devices", code: ENOMEM) }
        monitor = made
        self.action = action
        for subsystem in subsystems {
            try check(
                sd_device_monitor_filter_add_match_subsystem_devtype(monitor, subsystem, nil), "watch \(subsystem)")
        }
        try check(sd_device_monitor_attach_event(monitor, loop.event), "watch devices")
        try check(
            sd_device_monitor_start(
                monitor, { _, device, monitor in DeviceMonitor.call(monitor, device) },
                Unmanaged.passUnretained(self).toOpaque()), "watch devices")
    }

    deinit {
        sd_device_monitor_stop(monitor)
        sd_device_monitor_unref(monitor)
    }

    private static func call(_ reference: UnsafeMutableRawPointer?, _ device: OpaquePointer?) -> Int32 {
        guard let reference, let device else { return 0 }
        let monitor = Unmanaged<DeviceMonitor>.fromOpaque(reference).takeUnretainedValue()
        if let change = Change(device) { monitor.action(change) }
        return 0
    }
}

extension DeviceMonitor.Change {
    fileprivate init?(_ device: OpaquePointer) {
        var action = sd_device_action_t(0)
        var subsystem: UnsafePointer<CChar>?
        var name: UnsafePointer<CChar>?
        guard sd_device_get_action(device, &action) >= 0, sd_device_get_subsystem(device, &subsystem) >= 0,
            sd_device_get_sysname(device, &name) >= 0, let subsystem, let name
        else { return nil }
        switch action {
        case SD_DEVICE_ADD, SD_DEVICE_BIND, SD_DEVICE_ONLINE: kind = .added
        case SD_DEVICE_REMOVE, SD_DEVICE_UNBIND, SD_DEVICE_OFFLINE: kind = .removed
        default: kind = .changed
        }
        self.subsystem = String(cString: subsystem)
        self.name = String(cString: name)
    }
}
