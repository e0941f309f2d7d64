import AudioSession
import Timeline

/// A line of a trace: an event, and what is so once all that follows from it at that instant has been handled.
public struct TraceRow: Hashable, Sendable {
    public let time: Duration
    public let event: String
    /// nil while the power is off, and for what changes while the system is asleep.
    public let state: Snapshot?
    /// Why nothing runs from here on, if nothing does; for the picture.
    let outage: Timeline.Outage?
    /// The asserted signals, in the policy's order; for the picture.
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
    /// The state that holds from here on; nil while nothing runs.
    var running: Snapshot? { outage == nil ? state : nil }

    /// One JSON object, without a newline. Its keys are always in the same order.
    public var json: String { json(after: []) }

    /// - Parameter first: other members, before all others.
    public func json(after first: [(String, String)]) -> String {
        let head = first + [("t", "\(Seconds(time))"), ("event", JSON.string(event))]
        return JSON.object(head + (state?.fields ?? []).map { ($0.key, JSON.value($0.value)) })
    }
}

extension JSON {
    fileprivate static func value(_ value: Snapshot.Value) -> String {
        switch value {
        case .text(let text): string(text)
        case .texts(let texts): array(texts)
        case .flag(let flag): flag ? "true" : "false"
        case .number(let number): Level.number(number)
        case .seconds(let time): "\(Seconds(time))"
        case .nothing: "null"
        }
    }
}
