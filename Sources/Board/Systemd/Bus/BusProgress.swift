/// Judges whether the bus reads what a connection sends. Pure; the time is passed in.
///
/// dbus-daemon stops reading a connection while too many of its messages wait for programs that do not read theirs. The
/// kernel then takes megabytes more, which sd-bus counts as sent, so only the kernel's own count shows that they wait.
struct BusProgress: Hashable {
    /// The time in which the bus must read what waits for it.
    static let longestStall = Duration.seconds(5)
    /// If more bytes wait, this many are enough. A program that reads one answer now and then must not postpone the end.
    static let sufficient = 1 << 20

    private struct Wait: Hashable {
        let end: Duration
        /// How many bytes the bus has still to read until then.
        var rest: Int
    }

    private var unread = 0
    private var wait: Wait?

    /// The time by which the bus must have read enough; nil if nothing waits for it.
    var deadline: Duration? { wait?.end }

    /// Takes the kernel's count. Call it before and after each message, because what is sent in between hides what is read.
    /// - Parameter unread: how many bytes the bus has not read.
    mutating func note(unread: Int, at now: Duration) {
        wait?.rest -= max(0, self.unread - unread)
        self.unread = unread
        guard unread > 0 else { return wait = nil }
        guard (wait?.rest ?? 0) <= 0 else { return }
        wait = Wait(end: now + Self.longestStall, rest: min(unread, Self.sufficient))
    }

    func isStalled(at now: Duration) -> Bool { deadline.map { $0 <= now } ?? false }
}
