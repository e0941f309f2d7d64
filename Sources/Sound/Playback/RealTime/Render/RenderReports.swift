/// The orders that the render thread still has to report because they have not been heard yet.
struct UnheardOrders {
    /// The number of the playback order whose first frame has not been written yet, or 0 if there is none.
    var playback = 0
    /// True if that playback order starts music that waits for the amplifier.
    var isWaiting = false
    /// The numbers of the calls to `playSound` whose first frame has not been written yet and whose end has not been
    /// heard yet, or 0 if there is none.
    var soundStart = 0
    var soundEnd = 0

    /// True if the playback order takes effect with the next frame written.
    var isEffectDue: Bool {
        @_noLocks @_noAllocation get { playback != 0 && !isWaiting }
    }
}

/// The last reports of the render thread. They ensure that each change wakes another thread only once.
struct LastReports {
    /// The ring index of the boundary that has been reported.
    var boundary = Int.max
    var isStarving = false
    var isStorageAwake = false
    /// The `code` of the device's `DeviceAudibility`.
    var audibility = 0
    /// True if the buffer or the sound has changed since the last status was posted.
    var hasChanged = false
    /// The number of the last playback order if the output has become silent since the last status was posted, or nil.
    var faded: Int?
}
