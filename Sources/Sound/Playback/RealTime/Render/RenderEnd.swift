import ALSA

/// Why a `RenderLoop` came to an end.
enum RenderEnd: Hashable {
    case quit
    /// Silent for so long that the device had better be closed.
    case idle
    /// The device is gone.
    case fault(PCMFault)
    /// The device that control gave up had only stood still, and has played what it held: opened again, it will play.
    case resumed(HeardProgramme)
}

/// How much of a programme was heard in the end.
struct HeardProgramme: Hashable, Sendable {
    /// The slot's number; 0 if no programme was played.
    let slotNumber: Int
    /// Ring index of the frame after the last one heard.
    let index: Int

    @_noLocks @_noAllocation
    init(slotNumber: Int, index: Int) {
        self.slotNumber = slotNumber
        self.index = index
    }
}
