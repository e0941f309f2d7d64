import ResumeStore

/// A state passed to the writer.
struct LabSnapshot {
    let state: SavedState
    /// How much of the music had been heard by then.
    let heard: Duration
    /// Whether its write was ever started.
    var isTried = false
}
