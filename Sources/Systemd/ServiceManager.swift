import CSystemd
import Glibc

/// What a service tells the service manager that started it (`sd_notify`). Any thread may.
public enum ServiceManager {
    public enum Notice: Hashable, Sendable {
        /// The start-up, or a reload, is over.
        case ready
        /// A reload has begun.
        case reloading
        case stopping
        /// The service is alive; see `watchdogInterval`.
        case watchdog
        /// One line for people, shown by `systemctl status`.
        case status(String)
    }

    /// Waits while the manager's socket is full; a loop that must not has `attempt`.
    /// - Returns: whether somebody was there to be told.
    @discardableResult
    public static func notify(_ notices: Notice...) -> Bool {
        sd_notify(0, text(of: notices)) > 0
    }

    static func text(of notices: [Notice]) -> String { notices.map(\.text).joined(separator: "\n") }

    /// Waits until everything told so far has been taken in, for so long at most.
    @discardableResult
    public static func waitUntilTold(within timeout: Duration) -> Bool {
        sd_notify_barrier(0, timeout.microseconds) > 0
    }

    /// How often the manager wants to hear `watchdog` at least; nil where it does not watch this process.
    public static var watchdogInterval: Duration? {
        var microseconds: UInt64 = 0
        guard sd_watchdog_enabled(0, &microseconds) > 0 else { return nil }
        return .microseconds(Int64(clamping: microseconds))
    }
}

extension ServiceManager.Notice {
    fileprivate var text: String {
        switch self {
        case .ready: "READY=1"
        // The time makes it valid for Type=notify-reload, too.
        case .reloading: "RELOADING=1\nMONOTONIC_USEC=\(EventClock.monotonic.now.microseconds)"
        case .stopping: "STOPPING=1"
        case .watchdog: "WATCHDOG=1"
        case .status(let line): "STATUS=" + line.split(separator: "\n").joined(separator: " ")
        }
    }
}
