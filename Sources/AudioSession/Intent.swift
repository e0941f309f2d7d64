/// What the user wants, whatever happens to be possible.
public enum Intent: String, Hashable, Sendable, CaseIterable { case playing, paused, stopped }
