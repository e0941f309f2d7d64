import AudioSession
import Clocks
import SessionClient
import Simulation
import Spelling
import Time

/// Formats the lines of `tacet monitor`.
struct MonitorPage {
    private var before: Snapshot?

    // MARK: For people

    mutating func line(_ update: SessionUpdate) -> String {
        let row = row(update)
        defer { before = row.state }
        let text: String =
            switch update {
            case .available(let snapshot): MonitorPage.opening(snapshot) + TraceFormatter().sentence(row, nil)
            case .event(let event): MonitorPage.consequence(TraceFormatter().sentence(row, before), event.snapshot)
            case .unavailable(.notRunning): "The daemon is not running. Waiting …"
            case .unavailable(let reason): "\(reason). Waiting …"
            }
        let event = row.event + String(repeating: " ", count: max(0, 24 - row.event.count))
        let line = "\(MonitorPage.clock(wallClock(update)))  \(event)  \(text)"
        return MonitorPage.isAlarming(row.state) ? Terminal.emphasised(line) : line.visible
    }

    private static func opening(_ snapshot: Snapshot) -> String {
        snapshot.active.isEmpty
            ? "" : "Active: \(snapshot.active.map(\.rawValue).joined(separator: ", ")). "
    }

    /// Returns the consequence of an event. If there is none, returns at least the position.
    private static func consequence(_ sentence: String, _ snapshot: Snapshot) -> String {
        guard sentence.isEmpty, let track = snapshot.track else { return sentence }
        return "‘\(track)’ at \(snapshot.position.clock(decimals: 2))."
    }

    /// True if the board is silent although the user wants music, or if the daemon is not running.
    private static func isAlarming(_ snapshot: Snapshot?) -> Bool {
        snapshot.map { $0.directive == .silent && $0.intent == .playing } ?? true
    }

    /// The time of day, such as `14:03:12.250`.
    private static func clock(_ time: Duration) -> String {
        let milliseconds = time.wholeMicroseconds / 1000 % 1000
        return "\(CivilTime(local: time).timeOfDay).\(milliseconds.padded(to: 3))"
    }

    // MARK: For programs

    func json(_ update: SessionUpdate) -> String {
        let time = Timestamp.format(wallClock(update), decimals: 6)
        return row(update).json(after: [("time", JSON.string(time))])
    }

    // MARK: For both

    private func row(_ update: SessionUpdate) -> TraceRow {
        switch update {
        case .available(let snapshot): TraceRow(time: SystemClock.monotonic.now, event: "now", state: snapshot)
        case .event(let event): TraceRow(time: event.time, event: event.name, state: event.snapshot)
        case .unavailable: TraceRow(time: SystemClock.monotonic.now, event: "gone", state: nil)
        }
    }

    private func wallClock(_ update: SessionUpdate) -> Duration {
        if case .event(let event) = update { event.wallClock } else { SystemClock.wallClock }
    }
}
