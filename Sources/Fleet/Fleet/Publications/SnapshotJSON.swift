import AudioSession
import Spelling

/// A session's state as JSON, with the keys of a trace.
enum SnapshotJSON {
    /// - Parameters:
    ///   - time: the monotonic clock's.
    ///   - wallClock: since 1970.
    ///   - snapshot: nil if Tacet is not available.
    static func text(time: Duration, wallClock: Duration, event: String, _ snapshot: Snapshot?) -> String {
        let head = [
            ("time", JSON.string(WallClockTime.format(wallClock))), ("t", "\(Seconds(time))"),
            ("event", JSON.string(event)),
        ]
        return JSON.object(
            head + (snapshot?.fields ?? []).map { ($0.key.rawValue, $0.value.json(quoting: JSON.string)) })
    }
}
