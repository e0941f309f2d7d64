import CRealTime
import Glibc
import Synchronization

/// Notices when the machine itself stands still: a virtual one whose host is busy, or one that something else keeps busy.
/// What is heard then says nothing about the programme under test.
public final class Seismograph: Sendable {
    /// Being late by more than this spoils a recording, in nanoseconds.
    private static let limit = 8_000_000
    private let worst = Atomic(0)
    private let isOver = Atomic(false)

    public init() {
        var thread = pthread_t()
        let box = Unmanaged.passRetained(self)
        pthread_create(
            &thread, nil,
            { argument in
                if let argument { Unmanaged<Seismograph>.fromOpaque(argument).takeRetainedValue().run() }
                return nil
            }, box.toOpaque())
        pthread_detach(thread)
    }

    /// Ends it.
    public func stop() { isOver.store(true, ordering: .relaxed) }

    /// Whether the machine has stood still since it was made.
    public var hasMoved: Bool { worst.load(ordering: .relaxed) > Self.limit }

    private func run() {
        var last = Int(realtime_now())
        while !isOver.load(ordering: .relaxed) {
            poll(nil, 0, 1)
            let now = Int(realtime_now())
            // It asked for a millisecond.
            let late = now - last - 1_000_000
            if late > worst.load(ordering: .relaxed) { worst.store(late, ordering: .relaxed) }
            last = now
        }
    }
}
