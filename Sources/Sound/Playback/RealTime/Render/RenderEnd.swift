import ALSA

/// Why a `RenderLoop` ended.
enum RenderEnd: Hashable {
    /// The engine stops.
    case quit
    /// Silent for `DeviceHandling.closeAfter`: the device can be closed.
    case idle
    /// Another device is to be opened, and everything written has been heard.
    case moved
    /// The device is lost.
    case fault(PCMFault)
    /// The device that control gave up had only stalled, and has played the frames it held: reopen it to continue.
    case resumed(HeardPlayback)
}

/// How much of music was heard before a loss, as known in the end.
struct HeardPlayback: Hashable, Sendable {
    /// The slot's number; 0 if no music was played.
    let slotNumber: Int
    /// Ring index of the frame after the last one heard.
    let index: Int

    @_noLocks @_noAllocation
    init(slotNumber: Int, index: Int) {
        self.slotNumber = slotNumber
        self.index = index
    }
}
