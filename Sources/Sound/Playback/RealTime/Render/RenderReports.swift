/// What has been ordered and is not heard yet, so that the render thread still has to report it.
struct UnheardOrders {
    /// A directive whose first frame has not been written yet; 0 for none.
    var directive = 0
    /// Whether that directive begins music that waits for the amplifier.
    var isWaiting = false
    /// The number of the sound whose first frame has not been written yet, and of the one whose end has not been heard
    /// yet; 0 for none.
    var soundStart = 0
    var soundEnd = 0

    /// Whether the directive takes effect with the next frame written.
    var isEffectDue: Bool {
        @_noLocks @_noAllocation get { directive != 0 && !isWaiting }
    }
}

/// What the render thread has reported, so that each change wakes another thread once.
struct LastReports {
    /// The ring index of the boundary that has been heard.
    var boundary = Int.max
    var isStarving = false
    var isStorageAwake = false
    /// Whether the deck or the sound has changed since the last status was posted.
    var hasChanged = false
}
