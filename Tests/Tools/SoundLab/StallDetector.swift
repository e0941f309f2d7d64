import CRealTime
import Glibc
import Synchronization
import Threads

/// Detects stalls of the machine itself, for example because a virtual machine's host is busy or because other programs
/// run. A recording made during a stall does not show anything about the program under test.
public final class StallDetector: Sendable {
    /// The longest delay that does not spoil a recording, in nanoseconds.
    private static let limit = 8_000_000
    private let probe = Probe()

    /// Runs a probe on each available processor, because a single processor may stall.
    public init() {
        var usable = cpu_set_t()
        sched_getaffinity(0, MemoryLayout<cpu_set_t>.size, &usable)
        let words = withUnsafeBytes(of: usable) { Array($0.bindMemory(to: UInt.self)) }
        for processor in 0..<words.count * UInt.bitWidth
        where words[processor / UInt.bitWidth] & 1 << UInt(processor % UInt.bitWidth) != 0 {
            _ = NativeThread("stall-detector") { [probe] in probe.run(on: processor) }
        }
    }

    deinit { probe.isOver.store(true, ordering: .relaxed) }

    /// True if any processor has stalled since this object was created.
    public var hasStalled: Bool { count > 0 }
    /// The number of stalls.
    public var count: Int { probe.count.load(ordering: .relaxed) }
    /// The longest delay.
    public var worst: Duration { .nanoseconds(probe.worst.load(ordering: .relaxed)) }

    /// The threads' shared state, which outlives the detector.
    private final class Probe: Sendable {
        let worst = Atomic(0)
        let count = Atomic(0)
        let isOver = Atomic(false)

        func run(on processor: Int) {
            var only = cpu_set_t()
            withUnsafeMutableBytes(of: &only) { bytes in
                bytes.bindMemory(to: UInt.self)[processor / UInt.bitWidth] = 1 << UInt(processor % UInt.bitWidth)
            }
            sched_setaffinity(0, MemoryLayout<cpu_set_t>.size, &only)
            var last = Int(realtime_now())
            while !isOver.load(ordering: .relaxed) {
                poll(nil, 0, 1)
                let now = Int(realtime_now())
                // The call to `poll` should have taken a millisecond.
                let late = now - last - 1_000_000
                worst.max(late, ordering: .relaxed)
                if late > StallDetector.limit { count.add(1, ordering: .relaxed) }
                last = now
            }
        }
    }
}
