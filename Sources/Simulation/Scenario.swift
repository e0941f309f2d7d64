/// What is going to happen, in the order of time.
public struct Scenario: Hashable, Sendable {
    public struct Entry: Hashable, Sendable {
        public let time: Duration
        public let event: ScenarioEvent
        /// The event as it was written, its words a space apart.
        public let text: String
        /// From 1.
        public let line: Int
    }

    /// What people call it: the file's name.
    public let name: String
    public let entries: [Entry]
    /// What is so before the first boot.
    var beforeBoot: [Entry] = []

    /// The instant of the last event.
    public var end: Duration { entries.last?.time ?? .zero }
}

extension Scenario {
    public init(name: String, entries: [(time: Duration, event: ScenarioEvent)]) {
        self.init(
            name: name,
            entries: entries.enumerated().map { index, entry in
                Entry(time: entry.time, event: entry.event, text: "\(entry.event)", line: index + 1)
            })
    }
}
