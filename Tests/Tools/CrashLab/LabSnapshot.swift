import ResumeStore

/// A state passed to the writer.
struct LabSnapshot {
    let state: SavedState
    /// The length of the music that had been played by then.
    let heard: Duration
    /// True if writing the state was ever started.
    var isTried = false
}
