/// What the programme should sound like, as a function of the facts.
public enum Directive: Hashable, Sendable {
    case silent
    /// Play, turned down by this much (0 dB when nothing ducks). The user's volume comes on top.
    case play(Level)
}
