/// What the render thread is to do, as a whole: an order that was overtaken by a newer one before the thread saw it
/// has never been. Words only, as a `Bulletin` carries it.
struct Orders {
    /// Address of the `DeckSlot` to play; 0 for none.
    var slot = 0
    /// Counts the slots ordered.
    var slotNumber = 0
    /// Counts the calls of play and silence.
    var directive = 0
    /// 1 to play, 0 to be silent.
    var plays = 0
    /// Bits of the gain.
    var gain = 0
    /// Nanoseconds of the ramp.
    var ramp = 0
    /// Counts the wishes to have the device open, though it be silent.
    var openings = 0
    /// How often control has seen the device lost: orders from before the last loss are void.
    var losses = 0
    /// 1 when all is over.
    var quits = 0

    static let words = 9

    @_noLocks @_noAllocation
    init() {}
}
