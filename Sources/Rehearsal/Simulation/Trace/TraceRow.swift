import AudioSession
import Spelling
import Time
import Timeline

/// A line of a trace: an event, and the state once all its consequences at that instant have been handled.
public struct TraceRow: Hashable, Sendable {
    public let time: Duration
    public let event: String
    /// nil while the power is off or the system is asleep.
    public let state: Snapshot?
    /// Why nothing runs from here on; nil if Tacet runs. For the timeline.
    let outage: Timeline.Outage?
    /// The asserted signals in the policy's order, for the timeline.
    let held: [SavedSession.Held]

    public init(time: Duration, event: String, state: Snapshot?) {
        self.init(time: time, event: event, state: state, outage: nil, held: [])
    }

    init(
        time: Duration, event: String, state: Snapshot?, outage: Timeline.Outage?, held: [SavedSession.Held]
    ) {
        self.time = time
        self.event = event
        self.state = state
        self.outage = outage
        self.held = held
    }
}

extension TraceRow {
    /// The state from here on; nil while nothing runs.
    var running: Snapshot? { outage == nil ? state : nil }

    /// One JSON object without a line feed. Its keys are always in the same order.
    public var json: String { json(after: []) }

    /// - Parameter first: additional members, as JSON, before all others.
    public func json(after first: [(String, String)]) -> String {
        let head = first + [("t", "\(Seconds(time))"), ("event", JSON.string(event))]
        return JSON.object(head + (state?.fields ?? []).map { ($0.key.rawValue, $0.value.json(quoting: JSON.string)) })
    }
}
