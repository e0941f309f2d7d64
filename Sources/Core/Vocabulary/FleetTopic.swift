/// The last level of a board's topics at a broker: `PREFIX/BOARD/state`.
public enum FleetTopic: String, Hashable, Sendable, CaseIterable {
    // The board publishes these.
    case availability, state, event, health, answer
    // The board subscribes to these. A signal's name follows as a level of its own.
    case command, announce, signal
}
