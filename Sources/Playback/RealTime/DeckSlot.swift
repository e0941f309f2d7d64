import ALSA

/// What the render thread has of a deck: no references, only words and pointers, at an address of its own.
struct DeckSlot {
    let reader: RingReader
    let format: StreamFormat
    /// Readable frames below which the storage thread is to be woken.
    let lowWater: Int
    /// Ring index whose being heard control wants to know; `Int.max` for none. Control's.
    let boundary: SharedCounter
}
