/// Decides whether the bus reads what a connection sends. It is a pure value, to which the time is passed.
///
/// dbus-daemon stops reading a connection while too many of its messages wait for programs that do not read theirs. The
/// kernel then accepts several more megabytes, which sd-bus counts as sent. Therefore, only the count of the kernel
/// shows that they wait.
struct BusProgress: Hashable {
    /// The time within which the bus must read what waits for it.
    static let longestStall = Duration.seconds(5)
    /// The maximum number of bytes that the bus must read within this time, even if more are waiting. A program that
    /// reads one answer from time to time must not postpone the end.
    static let sufficient = 1 << 20

    private struct Wait: Hashable {
        let end: Duration
        /// The number of bytes that the bus must still read until then.
        var rest: Int
    }

    private var unread = 0
    private var wait: Wait?

    /// The time by which the bus must have read enough, or nil if nothing waits for it.
    var deadline: Duration? { wait?.end }

    /// Records the count of the kernel. Call it before and after each message, because what is sent in between hides
    /// what is read.
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
