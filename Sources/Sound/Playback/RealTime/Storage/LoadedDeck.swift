import ALSA
import Synchronization
import Threads

/// A deck that the storage thread fills, as control sees it.
// Unchecked because it holds pointers. This is safe: they never change, and what changes behind them is atomic.
final class LoadedDeck: ProgrammeDeck, @unchecked Sendable {
    let format: StreamFormat
    let ring: ProgrammeRing
    /// The deck as the render thread sees it.
    let slot: UnsafeMutablePointer<DeckSlot>
    /// Ring index at which the render thread notifies control.
    let boundary: SharedCounter
    private let boundaryCell: UnsafeMutablePointer<Int>
    /// Where the tracks begin, oldest first; a copy of the feeder's marks.
    private let known: Mutex<[ProgrammeMark]>

    init(_ deck: Deck) {
        format = deck.format
        ring = deck.ring
        known = Mutex(deck.feeder.marks)
        boundaryCell = .allocate(capacity: 1)
        boundaryCell.initialize(to: Int.max)
        boundary = SharedCounter(boundaryCell)
        slot = .allocate(capacity: 1)
        slot.initialize(
            to: DeckSlot(
                reader: ring.reader, format: deck.format, lowWater: (ring.capacity - ring.history) / 2,
                boundary: boundary))
    }

    deinit {
        slot.deallocate()
        boundaryCell.deallocate()
    }

    var marks: [ProgrammeMark] { known.withLock { $0 } }

    /// Publishes new marks. For the storage thread only.
    func update(_ marks: [ProgrammeMark]) {
        known.withLock { $0 = marks }
    }

    var endIndex: Int? { ring.endIndex }
}

/// A deck as the render thread sees it: words and pointers at a fixed address, without references.
struct DeckSlot {
    let reader: RingReader
    let format: StreamFormat
    /// The number of readable frames below which to wake the storage thread.
    let lowWater: Int
    /// The render thread notifies control when this ring index is heard; `Int.max` for none. Only control writes it.
    let boundary: SharedCounter
}
