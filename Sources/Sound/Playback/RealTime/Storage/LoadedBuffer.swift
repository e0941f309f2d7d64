import ALSA
import Synchronization
import Threads

/// A deck that the storage thread fills, as control sees it.
// Unchecked because it holds pointers. This is safe: they never change, and what changes behind them is atomic.
final class LoadedBuffer: BufferedPlayback, @unchecked Sendable {
    let format: StreamFormat
    let ring: PlaybackRing
    /// The deck as the render thread sees it.
    let slot: UnsafeMutablePointer<BufferSlot>
    /// Ring index at which the render thread notifies control.
    let boundary: SharedCounter
    private let boundaryCell: UnsafeMutablePointer<Int>
    /// Where the tracks begin, oldest first; a copy of the feeder's marks.
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
                reader: ring.reader, format: buffer.format, lowWater: (ring.capacity - ring.history) / 2,
                boundary: boundary))
    }

    deinit {
        slot.deallocate()
        boundaryCell.deallocate()
    }

    var marks: [TrackMark] { known.withLock { $0 } }

    /// Publishes new marks. For the storage thread only.
    func update(_ marks: [TrackMark]) {
        known.withLock { $0 = marks }
    }

    var endIndex: Int? { ring.endIndex }
}

/// A deck as the render thread sees it: words and pointers at a fixed address, without references.
struct BufferSlot {
    let reader: RingReader
    let format: StreamFormat
    /// The number of readable frames below which to wake the storage thread.
    let lowWater: Int
    /// The render thread notifies control when this ring index is heard; `Int.max` for none. Only control writes it.
    let boundary: SharedCounter
}
