import CRealTime

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

/// A value of a few words that one thread posts and others read whole, without a lock: only the newest counts.
///
/// Whoever posts must be faster than readers wait for: a reader that comes in the middle gets nothing, and comes again.
struct Bulletin {
    private let words: UnsafeMutablePointer<Int>
    private let count: Int

    /// - Parameter words: `count` + 1 of them, all zero at first; they outlive this.
    init(_ words: UnsafeMutablePointer<Int>, count: Int) {
        self.words = words
        self.count = count
    }

    @_noLocks @_noAllocation
    func post(_ value: UnsafeRawPointer) {
        realtime_post(words, value, count)
    }

    /// - Returns: false, with `value` spoilt, where somebody is posting.
    @_noLocks @_noAllocation
    func read(into value: UnsafeMutableRawPointer) -> Bool {
        realtime_read(words, value, count) != 0
    }
}

/// What connects the render thread with the others: pointers and descriptors, which outlive it.
struct RenderLines {
    let orders: Bulletin
    let status: Bulletin
    let notes: NoteRing
    let phase: SharedPhase
    /// Descriptors: what wakes the render thread, control, and the storage thread.
    let wakeUp: Int32
    let control: Int32
    let storage: Int32
}
