import Threads

/// The memory through which the render thread and the other threads communicate. It outlives them.
// The conformance is unchecked because this type holds pointers. This is safe because `Seqlock`, `RenderEventQueue` and
// `SharedCounter` access the memory only with atomics.
final class RenderExchange: @unchecked Sendable {
    let lines: RenderLines
    /// The bells that wake the render thread, the control thread and the storage thread.
    let renderBell = WakeUp()
    let controlBell = WakeUp()
    let storageBell = WakeUp()
    /// The alarm that wakes the control thread if the device does not accept frames in time. The render thread postpones
    /// it whenever the device accepts frames.
    let deviceAlarm = SharedAlarm()
    private let storageTurns: SharedCounter
    private let words: UnsafeMutablePointer<Int>
    private let events: UnsafeMutablePointer<RenderEvent>

    init() {
        let count = (Orders.words + 1) + (RenderStatus.words + 1) + RenderEventQueue.counters + 2
        words = .allocate(capacity: count)
        words.initialize(repeating: 0, count: count)
        events = .allocate(capacity: RenderEventQueue.capacity)
        events.initialize(repeating: RenderEvent(kind: .faded), count: RenderEventQueue.capacity)
        let status = words + Orders.words + 1
        storageTurns = SharedCounter(words + count - 2)
        lines = RenderLines(
            orders: Seqlock(words, count: Orders.words), status: Seqlock(status, count: RenderStatus.words),
            events: RenderEventQueue(events: events, counters: status + RenderStatus.words + 1),
            phase: SharedPhase(words + count - 1),
            wakeUp: renderBell.descriptor, control: controlBell.descriptor, storage: storageBell.descriptor,
            deviceAlarm: deviceAlarm.handle)
    }

    deinit {
        words.deallocate()
        events.deallocate()
    }

    /// Counts a pass of the storage thread. Only that thread may call this.
    func countStorageTurn() {
        storageTurns.value += 1
    }

    /// The number of passes of the storage thread so far.
    var storageProgress: Int { storageTurns.value }

    /// Posts new orders and wakes the render thread. Only control may call this.
    func post(_ orders: Orders) {
        var orders = orders
        lines.orders.post(&orders)
        renderBell.ring()
    }

    /// Reads the newest orders. The render thread calls this outside its loop because the call can wait.
    func readOrders() -> Orders {
        var orders = Orders()
        // Do not spin, because on a single core this would keep the posting thread from running.
        while !lines.orders.read(into: &orders) { renderBell.wait(.milliseconds(1)) }
        return orders
    }

    /// Reads the newest status. If the status is being posted, which takes nanoseconds, the function reads again.
    func readStatus() -> RenderStatus {
        var status = RenderStatus()
        while !lines.status.read(into: &status) {}
        return status
    }
}
