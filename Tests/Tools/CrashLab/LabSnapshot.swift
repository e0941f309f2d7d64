import ResumeStore

/// A state that was handed over to be saved.
struct LabSnapshot {
    let state: SavedState
    /// How much programme had been heard by then.
    let heard: Duration
    /// Whether it ever got as far as to the disk.
    var isTried = false
}
