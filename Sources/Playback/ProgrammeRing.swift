import Synchronization

/// A ring of interleaved frames between one producer and one consumer, on two threads or one.
///
/// Frames carry absolute indices that only grow. Frames that have been read stay in the ring for another `history`
/// frames, so that the consumer can go back to them: what was played during a fade-out is played again afterwards.
///
/// The producer may call `writableFrames`, `writeSegment`, `produce` and `end`; the consumer everything else;
/// `discardUnread` while the producer holds still.
public final class ProgrammeRing: @unchecked Sendable {
    /// Frames that fit into the ring, read and unread.
    public let capacity: Int
    public let channels: Int
    /// Frames behind the read index that are kept.
    public let history: Int

    private let samples: UnsafeMutablePointer<Float>
    private let reading = Atomic<Int>(0)
    private let writing = Atomic<Int>(0)
    private let ending = Atomic<Int>(Int.max)
    /// The furthest the consumer has been, and the frame before which nothing belongs to the programme any more. The
    /// consumer's own.
    private var furthestRead = 0
    private var floor = 0

    /// - Parameters:
    ///   - capacity: frames, more than `history`.
    ///   - history: frames, 0 or more.
    ///   - channels: samples per frame, 1 or more.
    public init(capacity: Int, history: Int, channels: Int) {
        precondition(history >= 0 && capacity > history && channels > 0)
        self.capacity = capacity
        self.history = history
        self.channels = channels
        samples = .allocate(capacity: capacity * channels)
        samples.initialize(repeating: 0, count: capacity * channels)
    }

    deinit {
        samples.deallocate()
    }

    /// Index of the frame that is read next.
    public var readIndex: Int { reading.load(ordering: .acquiring) }
    /// Index of the frame that is written next.
    public var writeIndex: Int { writing.load(ordering: .acquiring) }
    /// Frames that can be read.
    public var readableFrames: Int { writeIndex - readIndex }
    /// The index after the programme's last frame; nil while it goes on.
    public var endIndex: Int? {
        let index = ending.load(ordering: .acquiring)
        return index == Int.max ? nil : index
    }

    // MARK: The producer's side

    /// Frames that can be written.
    public var writableFrames: Int {
        // After the consumer has gone back there may be more unread frames than usual.
        max(0, capacity - history - readableFrames)
    }

    /// Where the next frames go, and how many fit in one piece.
    public func writeSegment() -> (start: UnsafeMutablePointer<Float>, frames: Int) {
        let offset = writeIndex % capacity
        return (samples + offset * channels, min(writableFrames, capacity - offset))
    }

    /// Hands frames that have been put into the write segment to the consumer.
    public func produce(_ frames: Int) {
        writing.store(writeIndex + frames, ordering: .releasing)
    }

    /// Says that no frame follows those produced so far.
    public func end() {
        ending.store(writeIndex, ordering: .releasing)
    }

    // MARK: The consumer's side

    /// The next frames to read, and how many lie in one piece, `limit` at most.
    public func readSegment(limit: Int) -> (start: UnsafePointer<Float>, frames: Int) {
        let offset = readIndex % capacity
        return (
            UnsafePointer(samples + offset * channels), min(min(limit, readableFrames), capacity - offset)
        )
    }

    /// Gives back frames of the read segment to the producer, but for the history.
    public func consume(_ frames: Int) {
        let index = readIndex + frames
        furthestRead = max(furthestRead, index)
        reading.store(index, ordering: .releasing)
    }

    /// Whether the frame of that index is still there, or will be written.
    public func holds(_ index: Int) -> Bool {
        index >= max(floor, furthestRead - history) && index <= writeIndex
    }

    /// Goes to a frame that the ring holds; returns false and stays where it does not.
    @discardableResult
    public func rewind(to index: Int) -> Bool {
        guard holds(index) else { return false }
        reading.store(index, ordering: .releasing)
        return true
    }

    /// Drops what is unread and forgets the history: the next frame written is the next one read.
    public func discardUnread() {
        floor = writeIndex
        furthestRead = floor
        ending.store(Int.max, ordering: .releasing)
        reading.store(floor, ordering: .releasing)
    }
}
