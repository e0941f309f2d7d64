/// A ring of interleaved frames between one producer and one consumer, on two threads or one.
///
/// Frames carry absolute indices that only grow. Frames that have been read stay in the ring for another `history`
/// frames, so that the consumer can go back to them: what was played during a fade-out is played again afterwards.
///
/// This is the producer's side and owns the memory; the consumer has a `RingReader`.
public final class ProgrammeRing: @unchecked Sendable {
    /// Frames that fit into the ring, read and unread.
    public let capacity: Int
    public let channels: Int
    /// Frames behind the read index that are kept.
    public let history: Int

    private let samples: UnsafeMutablePointer<Float>
    private let counters: UnsafeMutablePointer<Int>
    private let writing: SharedCounter
    private let ending: SharedCounter
    /// The consumer's side; not to be used any more when the ring is gone.
    public let reader: RingReader

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
        counters = .allocate(capacity: RingReader.counters)
        counters.initialize(repeating: 0, count: RingReader.counters)
        reader = RingReader(
            samples: samples, capacity: capacity, channels: channels, history: history, counters: counters)
        writing = reader.writing
        ending = reader.ending
        ending.value = Int.max
    }

    deinit {
        samples.deallocate()
        counters.deallocate()
    }

    /// Index of the frame that is written next.
    public var writeIndex: Int { writing.value }
    /// The index after the programme's last frame; nil while it goes on.
    public var endIndex: Int? { reader.endIndex }

    /// Frames that can be written.
    public var writableFrames: Int {
        // After the consumer has gone back there may be more unread frames than usual.
        max(0, capacity - history - reader.readableFrames)
    }

    /// Where the next frames go, and how many fit in one piece.
    public func writeSegment() -> (start: UnsafeMutablePointer<Float>, frames: Int) {
        let offset = writeIndex % capacity
        return (samples + offset * channels, min(writableFrames, capacity - offset))
    }

    /// Hands frames that have been put into the write segment to the consumer.
    public func produce(_ frames: Int) {
        writing.value = writeIndex + frames
    }

    /// Says that no frame follows those produced so far.
    public func end() {
        ending.value = writeIndex
    }
}
