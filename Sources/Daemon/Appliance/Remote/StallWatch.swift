/// Whether the music advances while it should be heard. Pure; the time is passed in.
///
/// It knows no threads or calls: whatever hangs, frames do not advance.
struct StallWatch: Hashable {
    /// A device may take this long to open, or a disk to wake up, before silence is worth a report.
    static let timeout = Duration.seconds(3)
    /// How often to look while the music should be heard.
    static let pace = Duration.seconds(1)

    /// When frames last advanced, or became due; nil while they are not due.
    private var advancedAt: Duration?

    /// - Parameters:
    ///   - isDue: whether the music should be heard.
    ///   - isAdvancing: whether the device has just taken frames of it.
    /// - Returns: since when nothing has advanced, if that is too long ago.
    mutating func look(isDue: Bool, isAdvancing: Bool, at now: Duration) -> Duration? {
        guard isDue else {
            advancedAt = nil
            return nil
        }
        let since = isAdvancing ? now : advancedAt ?? now
        advancedAt = since
        return now - since >= Self.timeout ? since : nil
    }
}
