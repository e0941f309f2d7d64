import ALSA
import Synchronization

/// What control knows of a deck that the storage thread fills.
final class LoadedDeck: ProgrammeDeck, @unchecked Sendable {
    let format: StreamFormat
    let ring: ProgrammeRing
    /// For the render thread.
    let slot: UnsafeMutablePointer<DeckSlot>
    /// Ring index at which control wants to be told.
    let boundary: SharedCounter
    private let boundaryCell: UnsafeMutablePointer<Int>
    /// Where the tracks begin, oldest first.
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

    /// For the storage thread.
    func update(_ marks: [ProgrammeMark]) {
        known.withLock { $0 = marks }
    }

    var endIndex: Int? { ring.endIndex }
}

/// What the render thread has of a deck: no references, only words and pointers, at an address of its own.
struct DeckSlot {
    let reader: RingReader
    let format: StreamFormat
    /// Readable frames below which the storage thread is to be woken.
    let lowWater: Int
    /// Ring index whose being heard control wants to know; `Int.max` for none. Control's.
    let boundary: SharedCounter
}
