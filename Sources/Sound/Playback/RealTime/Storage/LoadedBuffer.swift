import ALSA
import Synchronization
import Threads

/// A buffer that the storage thread fills, as control sees it.
// The conformance is unchecked because this class holds pointers. This is safe because the pointers never change, and
// everything that changes in the memory behind them is atomic.
final class LoadedBuffer: BufferedPlayback, @unchecked Sendable {
    let format: StreamFormat
    let ring: PlaybackRing
    /// The buffer as the render thread sees it.
    let slot: UnsafeMutablePointer<BufferSlot>
    /// The ring index whose frame causes the render thread to notify control when it is heard.
    let boundary: SharedCounter
    private let boundaryCell: UnsafeMutablePointer<Int>
    /// The positions at which the tracks begin, oldest first. This is a copy of the prefetcher's marks.
    private let known: Mutex<[TrackMark]>

    init(_ buffer: PlaybackBuffer) {
        format = buffer.format
        ring = buffer.ring
        known = Mutex(buffer.prefetcher.marks)
        boundaryCell = .allocate(capacity: 1)
        boundaryCell.initialize(to: Int.max)
        boundary = SharedCounter(boundaryCell)
        slot = .allocate(capacity: 1)
        slot.initialize(
            to: BufferSlot(
                reader: ring.reader, format: buffer.format, lowWater: (ring.capacity - ring.history) / 3,
                boundary: boundary))
    }

    deinit {
        slot.deallocate()
        boundaryCell.deallocate()
    }

    var marks: [TrackMark] { known.withLock { $0 } }

    /// Publishes new marks. Only the storage thread may call this.
    func update(_ marks: [TrackMark]) {
        known.withLock { $0 = marks }
    }

    var endIndex: Int? { ring.endIndex }
}

/// A buffer as the render thread sees it. It consists of words and pointers at a fixed address, without references.
struct BufferSlot {
    let reader: RingReader
    let format: StreamFormat
    /// The number of readable frames below which the storage thread is woken.
    let lowWater: Int
    /// The ring index whose frame causes the render thread to notify control when it is heard, or `Int.max` if there is
    /// none. Only control sets it.
    let boundary: SharedCounter
}
