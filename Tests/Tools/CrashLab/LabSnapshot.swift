import ResumeStore

/// A state passed to the writer.
struct LabSnapshot {
    let state: SavedState
    /// The amount of music that had been played by then.
    let heard: Duration
    /// True if its write was ever started.
    var isTried = false
}
