import AudioSession

/// What is put to the proof: a session's behaviour. A test puts a broken one in its place, to see the rules bite.
public struct Subject {
    public var handle: (inout AudioSession, Event, Duration) -> [Action]
    /// The order in which edges that were read together count.
    public var order: ([Edge]) -> [Edge]

    public init(
        handle: @escaping (inout AudioSession, Event, Duration) -> [Action] = { $0.handle($1, at: $2) },
        order: @escaping ([Edge]) -> [Edge] = { Edge.inOrder($0) }
    ) {
        self.handle = handle
        self.order = order
    }
}
