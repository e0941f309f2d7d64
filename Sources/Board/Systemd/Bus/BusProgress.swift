/// Decides whether the bus reads what a connection sends. This is a pure value. The caller passes in the time.
///
/// dbus-daemon stops reading a connection while too many of its messages wait for programs that do not read them. The
/// kernel then accepts several more megabytes, and sd-bus treats these as sent. Therefore, only the kernel's count of
/// unread bytes shows that they are waiting.
struct BusProgress: Hashable {
    /// The time within which the bus must read the waiting bytes.
    static let longestStall = Duration.seconds(5)
    /// The maximum number of bytes that the bus must read within this time, even if more are waiting. This prevents a
    /// program that reads only one answer from time to time from postponing the end of the connection.
    static let sufficient = 1 << 20

    private struct Wait: Hashable {
        let end: Duration
        /// The number of bytes that the bus must still read before `end`.
        var rest: Int
    }

    private var unread = 0
    private var wait: Wait?

    /// The time by which the bus must have read enough, or nil if nothing is waiting.
    var deadline: Duration? { wait?.end }

    /// Records the kernel's count of unread bytes. Call this before and after each message, because otherwise the bytes
    /// that are sent hide the bytes that are read.
    /// - Parameter unread: the number of bytes that the bus has not read.
    mutating func note(unread: Int, at now: Duration) {
        wait?.rest -= max(0, self.unread - unread)
        self.unread = unread
        guard unread > 0 else { return wait = nil }
        guard (wait?.rest ?? 0) <= 0 else { return }
        wait = Wait(end: now + Self.longestStall, rest: min(unread, Self.sufficient))
    }

    func isStalled(at now: Duration) -> Bool { deadline.map { $0 <= now } ?? false }
}
