import Threads

/// The memory through which the render thread and the others talk; outlives them.
final class RenderExchange: @unchecked Sendable {
    let lines: RenderLines
    /// Wake the render thread, control, and the storage thread.
    let renderBell = WakeUp()
    let controlBell = WakeUp()
    let storageBell = WakeUp()
    private let storageTurns: SharedCounter
    private let words: UnsafeMutablePointer<Int>
    private let notes: UnsafeMutablePointer<Note>

    init() {
        let count = (Orders.words + 1) + (RenderStatus.words + 1) + NoteRing.counters + 2
        words = .allocate(capacity: count)
        words.initialize(repeating: 0, count: count)
        notes = .allocate(capacity: NoteRing.capacity)
        notes.initialize(repeating: Note(kind: .faded), count: NoteRing.capacity)
        let status = words + Orders.words + 1
        storageTurns = SharedCounter(words + count - 2)
        lines = RenderLines(
            orders: Bulletin(words, count: Orders.words), status: Bulletin(status, count: RenderStatus.words),
            notes: NoteRing(notes: notes, counters: status + RenderStatus.words + 1),
            phase: SharedPhase(words + count - 1),
            wakeUp: renderBell.descriptor, control: controlBell.descriptor, storage: storageBell.descriptor)
    }

    deinit {
        words.deallocate()
        notes.deallocate()
    }

    /// For the storage thread.
    func countStorageTurn() {
        storageTurns.value += 1
    }

    /// Turns of the storage thread.
    var storageProgress: Int { storageTurns.value }

    /// For control alone.
    func post(_ orders: Orders) {
        var orders = orders
        lines.orders.post(&orders)
        renderBell.ring()
    }

    /// For the render thread outside of its loop, which has time; the newest orders.
    func readOrders() -> Orders {
        var orders = Orders()
        // Not a busy wait: on one core, nobody else would run meanwhile.
        while !lines.orders.read(into: &orders) { renderBell.wait(.milliseconds(1)) }
        return orders
    }

    /// The newest status; whoever posts it is done in a moment.
    func readStatus() -> RenderStatus {
        var status = RenderStatus()
        while !lines.status.read(into: &status) {}
        return status
    }
}
