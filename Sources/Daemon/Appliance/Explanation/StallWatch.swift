/// Determines whether the music advances while it should play. The type is pure, so the caller passes the time.
///
/// It does not depend on threads or calls. If anything hangs, frames do not advance.
struct StallWatch: Hashable {
    /// The longest time that a device may take to open, or a disk to wake up, before silence is reported.
    static let timeout = Duration.seconds(3)
    /// The interval at which to check while the music should play but does not advance.
    static let pace = Duration.seconds(1)

    /// The time at which frames last advanced or became due, or nil while they are not due.
    private var advancedAt: Duration?

    /// - Parameters:
    ///   - isDue: True if the music should play.
    ///   - advancesUntil: The time until which the music advances, as far as is known.
    /// - Returns: The time since which nothing has advanced, if that is too long ago.
    mutating func look(isDue: Bool, advancesUntil: Duration, at now: Duration) -> Duration? {
        guard isDue else {
            advancedAt = nil
            return nil
        }
        let since = min(now, max(advancedAt ?? now, advancesUntil))
        advancedAt = since
        return now - since >= Self.timeout ? since : nil
    }
}
