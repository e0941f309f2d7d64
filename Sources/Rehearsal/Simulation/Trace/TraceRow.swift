import AudioSession
import Spelling
import Time
import Timeline

/// A line of a trace, which is an event and the state after all its consequences at that instant have been handled.
public struct TraceRow: Hashable, Sendable {
    public let time: Duration
    public let event: String
    /// The state, or nil while the power is off or the system is asleep.
    public let state: Snapshot?
    /// The reason why nothing runs from here on, or nil if Tacet runs. It is for the timeline.
    let outage: Timeline.Outage?
    /// The asserted signals in the order of the policy, for the timeline.
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
    /// The state from here on, or nil while nothing runs.
    var running: Snapshot? { outage == nil ? state : nil }

    /// The row as one JSON object without a line feed. Its keys are always in the same order.
    public var json: String { json(after: []) }

    /// Returns the row as one JSON object.
    /// - Parameter first: additional members, as JSON, before all others.
    public func json(after first: [(String, String)]) -> String {
        let head = first + [("t", "\(Seconds(time))"), ("event", JSON.string(event))]
        return JSON.object(head + (state?.fields ?? []).map { ($0.key.rawValue, $0.value.json(quoting: JSON.string)) })
    }
}
