/// The topic level that follows `PREFIX/BOARD/` in the topics of a board, such as `state`.
public enum FleetTopic: String, Hashable, Sendable, CaseIterable {
    // The board publishes these.
    case availability, state, event, health, answer
    // The board subscribes to these. The name of a signal follows as a separate level.
    case command, announce, signal
}
