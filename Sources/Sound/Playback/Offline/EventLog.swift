/// The pending events for the caller, in order.
final class EventLog {
    private var events: [PlaybackEvent] = []

    func append(_ event: PlaybackEvent) {
        events.append(event)
    }

    func take() -> [PlaybackEvent] {
        defer { events = [] }
        return events
    }
}
