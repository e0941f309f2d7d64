import CSystemd
import Clocks
import Glibc
import Spelling

/// Notifies the service manager that started this process with `sd_notify`. Any thread can use it.
public enum ServiceManager {
    public enum Notice: Hashable, Sendable {
        /// The startup or a reload is complete.
        case ready
        /// A reload has begun.
        case reloading
        case stopping
        /// The service is running properly. See `watchdogInterval`.
        case watchdog
        /// One line of text, which `systemctl status` shows.
        case status(String)
    }

    /// Sends notices. The call waits while the manager's socket is full. A loop that must not block uses `attempt`.
    /// - Returns: true if the notices were sent to a manager.
    @discardableResult
    public static func notify(_ notices: Notice...) -> Bool { notify(notices) }

    @discardableResult
    public static func notify(_ notices: [Notice]) -> Bool {
        sd_notify(0, text(of: notices)) > 0
    }

    static func text(of notices: [Notice]) -> String { notices.map(\.text).joined(separator: "\n") }

    /// The longest permitted time between two `watchdog` notices, or nil if the manager does not monitor this process.
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
        // Type=notify-reload requires this time.
        case .reloading: "RELOADING=1\nMONOTONIC_USEC=\(SystemClock.monotonic.now.microseconds)"
        case .stopping: "STOPPING=1"
        case .watchdog: "WATCHDOG=1"
        // The manager treats each line as a separate notice. A line can end with `\r` or `\n`. The manager ignores
        // messages of 4 KiB or more.
        case .status(let line):
            "STATUS=" + String(decoding: line.visibleLines(joinedBy: " ").utf8.prefix(1024), as: UTF8.self)
        }
    }
}

extension ServiceManager {
    /// The outcome of `attempt`.
    public enum Attempt: Hashable, Sendable {
        case sent
        /// This process was not started as a service, or its manager no longer exists.
        case nobody
        /// The manager has not read the previous notices. Try again later.
        case busy
    }

    /// Does the same as `notify`, but never waits. `sd_notify` waits while the manager's socket is full, which is the
    /// case while the manager hangs.
    public static func attempt(_ notices: Notice...) -> Attempt { attempt(notices) }

    public static func attempt(_ notices: [Notice]) -> Attempt {
        guard let name = getenv("NOTIFY_SOCKET").map({ String(cString: $0) }), var address = address(of: name) else {
            return .nobody
        }
        let descriptor = socket(AF_UNIX, Int32(SOCK_DGRAM.rawValue | SOCK_CLOEXEC.rawValue), 0)
        guard descriptor >= 0 else { return .busy }
        defer { close(descriptor) }
        let length = socklen_t(MemoryLayout<sa_family_t>.size + name.utf8.count)
        let text = Array(text(of: notices).utf8)
        let count = withUnsafePointer(to: &address) {
            $0.withMemoryRebound(to: sockaddr.self, capacity: 1) {
                sendto(descriptor, text, text.count, Int32(MSG_DONTWAIT | MSG_NOSIGNAL), $0, length)
            }
        }
        if count >= 0 { return .sent }
        return errno == EAGAIN || errno == EINTR || errno == ENOBUFS ? .busy : .nobody
    }

    /// Returns the address for a name. The name is a path or, if it begins with `@`, an abstract name without a file.
    private static func address(of name: String) -> sockaddr_un? {
        var address = sockaddr_un()
        address.sun_family = sa_family_t(AF_UNIX)
        let first = name.utf8.first
        guard first == UInt8(ascii: "/") || first == UInt8(ascii: "@"),
            name.utf8.count < MemoryLayout.size(ofValue: address.sun_path)
        else { return nil }
        withUnsafeMutableBytes(of: &address.sun_path) {
            $0.copyBytes(from: name.utf8)
            if first == UInt8(ascii: "@") { $0[0] = 0 }
        }
        return address
    }
}
