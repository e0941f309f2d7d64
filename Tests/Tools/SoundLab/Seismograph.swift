import CRealTime
import Glibc
import Synchronization
import Threads

/// Notices when the machine itself stands still: a virtual one whose host is busy, or one that something else keeps busy.
/// What is heard then says nothing about the programme under test.
public final class Seismograph: Sendable {
    /// Being late by more than this spoils a recording, in nanoseconds.
    private static let limit = 8_000_000
    private let tremor = Tremor()

    /// Listens on each processor that there is for it: one may stand still while the others go on.
    public init() {
        var usable = cpu_set_t()
        sched_getaffinity(0, MemoryLayout<cpu_set_t>.size, &usable)
        let words = withUnsafeBytes(of: usable) { Array($0.bindMemory(to: UInt.self)) }
        for processor in 0..<words.count * UInt.bitWidth
        where words[processor / UInt.bitWidth] & 1 << UInt(processor % UInt.bitWidth) != 0 {
            _ = NativeThread("seismograph") { [tremor] in tremor.listen(on: processor) }
        }
    }

    deinit { tremor.isOver.store(true, ordering: .relaxed) }

    /// Whether the machine has stood still since it was made.
    public var hasMoved: Bool { count > 0 }
    /// How often a processor has.
    public var count: Int { tremor.count.load(ordering: .relaxed) }
    /// For how long at most.
    public var worst: Duration { .nanoseconds(tremor.worst.load(ordering: .relaxed)) }

    /// What the threads have; they end after the seismograph.
    private final class Tremor: Sendable {
        let worst = Atomic(0)
        let count = Atomic(0)
        let isOver = Atomic(false)

        func listen(on processor: Int) {
            var only = cpu_set_t()
            withUnsafeMutableBytes(of: &only) { bytes in
                bytes.bindMemory(to: UInt.self)[processor / UInt.bitWidth] = 1 << UInt(processor % UInt.bitWidth)
            }
            sched_setaffinity(0, MemoryLayout<cpu_set_t>.size, &only)
            var last = Int(realtime_now())
            while !isOver.load(ordering: .relaxed) {
                poll(nil, 0, 1)
                let now = Int(realtime_now())
                // It asked for a millisecond.
                let late = now - last - 1_000_000
                worst.max(late, ordering: .relaxed)
                if late > Seismograph.limit { count.add(1, ordering: .relaxed) }
                last = now
            }
        }
    }
}
