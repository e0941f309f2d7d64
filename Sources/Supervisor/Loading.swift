/// What became of a wish for a track.
public enum Loading: Hashable, Sendable {
    /// This one is loaded.
    case loaded(Int)
    /// None can be read.
    case failed
    /// It is being looked for; the event `loaded` or `nothingToLoad` will tell.
    case pending
}
