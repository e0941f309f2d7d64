import ALSA
import CRealTime
import Threads

/// A queue of values between two threads, without a lock. Neither thread waits.
struct CaptureQueue<Element> {
    private let elements: UnsafeMutablePointer<Element>
    private let capacity: Int
    private let reading: SharedCounter
    private let writing: SharedCounter

    static var counters: Int { 2 }

    /// - Parameters:
    ///   - elements: memory for `capacity` elements, which must outlive this value.
    ///   - counters: `CaptureQueue.counters` words, which are initially zero and must outlive this value.
    init(_ elements: UnsafeMutablePointer<Element>, capacity: Int, counters: UnsafeMutablePointer<Int>) {
        self.elements = elements
        self.capacity = capacity
        reading = SharedCounter(counters)
        writing = SharedCounter(counters + 1)
    }
}

// These extensions are not generic because Swift requires specialised code in real-time threads.
extension CaptureQueue where Element == CaptureMark {
    /// True if there is room for a mark that is not caused by an order. Half of the room is reserved for marks that
    /// orders cause.
    var hasRoom: Bool {
        @_noLocks @_noAllocation get { writing.value - reading.value < capacity / 2 }
    }

    @_noLocks @_noAllocation
    func push(_ mark: CaptureMark) {
        let index = writing.value
        guard index - reading.value < capacity else { return }
        elements[index % capacity] = mark
        writing.value = index + 1
    }

    /// - Parameter offset: the offset, which is 0 for the oldest mark.
    func peek(_ offset: Int = 0) -> CaptureMark? {
        let index = reading.value + offset
        return index < writing.value ? elements[index % capacity] : nil
    }

    func drop() { reading.value += 1 }
}

extension CaptureQueue where Element == CaptureOrder {
    /// - Returns: false if there was no room.
    func push(_ order: CaptureOrder) -> Bool {
        let index = writing.value
        guard index - reading.value < capacity else { return false }
        elements[index % capacity] = order
        writing.value = index + 1
        return true
    }

    var isEmpty: Bool {
        @_noLocks @_noAllocation get { reading.value == writing.value }
    }

    /// The oldest order. There must be one.
    var first: CaptureOrder {
        @_noLocks @_noAllocation get { elements[reading.value % capacity] }
    }

    @_noLocks @_noAllocation
    func drop() { reading.value += 1 }
}

/// A ring buffer that passes samples from the capturing thread to the storage thread. Indices count samples and never
/// decrease.
struct CaptureRing {
    private let samples: UnsafeMutablePointer<Int32>
    private let capacity: Int
    private let reading: SharedCounter
    private let writing: SharedCounter

    init(_ samples: UnsafeMutablePointer<Int32>, capacity: Int, counters: UnsafeMutablePointer<Int>) {
        self.samples = samples
        self.capacity = capacity
        reading = SharedCounter(counters)
        writing = SharedCounter(counters + 1)
    }

    var readIndex: Int {
        @_noLocks @_noAllocation get { reading.value }
    }

    var writeIndex: Int {
        @_noLocks @_noAllocation get { writing.value }
    }

    /// The number of samples that can be written.
    var room: Int {
        @_noLocks @_noAllocation get { capacity - (writing.value - reading.value) }
    }

    /// Appends samples, for which there must be room.
    /// - Parameter isSilent: true to write zeros instead of the samples.
    @_noLocks @_noAllocation
    func write(_ source: UnsafePointer<Int32>, count: Int, isSilent: Bool) {
        let start = writing.value
        for index in 0..<count { samples[(start + index) % capacity] = isSilent ? 0 : source[index] }
        writing.value = start + count
    }

    /// Removes samples from the ring. They must have been written.
    func read(into destination: UnsafeMutablePointer<Int32>, count: Int) {
        let start = reading.value
        for index in 0..<count { destination[index] = samples[(start + index) % capacity] }
        reading.value = start + count
    }
}

/// The pointers and descriptors that connect the capturing thread with the other threads. They outlive the thread.
struct CaptureLines {
    let orders: CaptureQueue<CaptureOrder>
    let marks: CaptureQueue<CaptureMark>
    let ring: CaptureRing
    let status: Seqlock
    /// The action of the capturing thread on the device, and the time at which it began, in nanoseconds.
    let phase: SharedPhase
    let phaseSince: SharedCounter
    /// 1 once control has declared the device lost.
    let isGivenUp: SharedCounter
    /// 1 once the device has delivered frames since it was opened.
    let hasDelivered: SharedCounter
    /// The number of requests so far to try the device at once.
    let retries: SharedCounter
    /// The descriptors that wake the capturing thread, the storage thread and the control thread.
    let wakeUp: Int32
    let storage: Int32
    let control: Int32

    @_noLocks @_noAllocation
    func enter(_ phase: DevicePhase) {
        phaseSince.value = Int(realtime_now())
        self.phase.set(phase)
    }
}

/// The memory through which the threads of a recorder communicate. It outlives them.
// The conformance is unchecked because this class holds pointers. This is safe because the memory behind them is only
// accessed with atomics or by one thread at a time.
final class CaptureExchange: @unchecked Sendable {
    let lines: CaptureLines
    let captureBell = WakeUp()
    let storageBell = WakeUp()
    let controlBell = WakeUp()
    /// The values that the storage thread sets. They are the number of its turns, the number of frames recorded, the
    /// last order that it has completed, and the time since which it has been waiting for the disk, in nanoseconds, or
    /// 0 if it is not waiting.
    let storageTurns, recorded, doneOrder, busySince: SharedCounter
    /// The values that control sets. They are the value of `busySince` for which control has reported a slow disk, and
    /// the time at which the storage thread ends even if the capturing thread does not answer, in nanoseconds, or 0 if
    /// there is no such time.
    let reportedBusy, endBy: SharedCounter
    private let words: UnsafeMutablePointer<Int>
    private let samples: UnsafeMutablePointer<Int32>
    private let marks: UnsafeMutablePointer<CaptureMark>
    private let orders: UnsafeMutablePointer<CaptureOrder>

    /// The maximum number of orders in transit.
    static let mostOrders = 256
    /// The maximum number of marks. An order causes at most two marks, which need half of this number. The other half
    /// is for gaps.
    static let mostMarks = 4 * mostOrders

    /// - Parameter settings: the settings. In the format of the settings, the ring buffer holds frames for the time
    ///   `ring`. In a larger format, it holds them for less time.
    init(_ settings: RecorderSettings) {
        let status = CaptureStatus.words + 1
        let count = status + 2 * 3 + 11
        words = .allocate(capacity: count)
        words.initialize(repeating: 0, count: count)
        let capacity =
            settings.ring.frames(atRate: max(settings.format.rate, 48_000)) * max(settings.format.channels, 2)
        samples = .allocate(capacity: capacity)
        samples.initialize(repeating: 0, count: capacity)
        marks = .allocate(capacity: Self.mostMarks)
        marks.initialize(repeating: CaptureMark(.note), count: Self.mostMarks)
        orders = .allocate(capacity: Self.mostOrders)
        orders.initialize(repeating: CaptureOrder(kind: .wake), count: Self.mostOrders)
        let queues = words + status
        let cells = queues + 6
        lines = CaptureLines(
            orders: CaptureQueue(orders, capacity: Self.mostOrders, counters: queues),
            marks: CaptureQueue(marks, capacity: Self.mostMarks, counters: queues + 2),
            ring: CaptureRing(samples, capacity: capacity, counters: queues + 4),
            status: Seqlock(words, count: CaptureStatus.words),
            phase: SharedPhase(cells), phaseSince: SharedCounter(cells + 1), isGivenUp: SharedCounter(cells + 2),
            hasDelivered: SharedCounter(cells + 10), retries: SharedCounter(cells + 3),
            wakeUp: captureBell.descriptor, storage: storageBell.descriptor, control: controlBell.descriptor)
        storageTurns = SharedCounter(cells + 4)
        recorded = SharedCounter(cells + 5)
        doneOrder = SharedCounter(cells + 6)
        busySince = SharedCounter(cells + 7)
        reportedBusy = SharedCounter(cells + 8)
        endBy = SharedCounter(cells + 9)
    }

    deinit {
        words.deallocate()
        samples.deallocate()
        marks.deallocate()
        orders.deallocate()
    }

    /// Reads the newest status. If the status is being posted, which takes nanoseconds, the function reads again.
    func readStatus() -> CaptureStatus {
        var status = CaptureStatus()
        while !lines.status.read(into: &status) {}
        return status
    }
}
