import ALSA

/// The reason why a `RenderLoop` ended.
enum RenderEnd: Hashable {
    /// The engine is stopping.
    case quit
    /// The output has been silent for `DeviceHandling.closeAfter`, so the device can be closed.
    case idle
    /// Another device is to be opened, and all written frames have been played on this one.
    case moved
    /// The device has been lost.
    case fault(PCMFault)
    /// The device that control had declared lost was only stalled. It has now played the frames that it held, so it can
    /// be reopened.
    case resumed(HeardPlayback)
}

/// The part of the music that was actually heard before a loss.
struct HeardPlayback: Hashable, Sendable {
    /// The slot's number, or 0 if no music was played.
    let slotNumber: Int
    /// The ring index of the frame after the last one that was heard.
    let index: Int

    @_noLocks @_noAllocation
    init(slotNumber: Int, index: Int) {
        self.slotNumber = slotNumber
        self.index = index
    }
}
