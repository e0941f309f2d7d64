import AudioSession
import SessionClient
import Spelling
import Time

/// A session's state as JSON, with the keys of a trace.
enum SnapshotJSON {
    static func text(_ event: SessionEvent) -> String {
        text(at: event.time, event.wallClock, event.name, event.snapshot)
    }

    /// - Parameter snapshot: the state, or nil if Tacet is not available.
    static func text(at now: Instant, _ event: String, _ snapshot: Snapshot?) -> String {
        text(at: now.monotonic, now.wallClock, event, snapshot)
    }

    private static func text(
        at time: Duration, _ wallClock: Duration, _ event: String, _ snapshot: Snapshot?
    ) -> String {
        let head = [
            ("time", JSON.string(Timestamp.format(wallClock, decimals: 3))), ("t", "\(Seconds(time))"),
            ("event", JSON.string(event)),
        ]
        return JSON.object(
            head + (snapshot?.fields ?? []).map { ($0.key.rawValue, $0.value.json(quoting: JSON.string)) })
    }
}
