import Threads

/// A ring of interleaved frames between one producer and one consumer, on two threads or one.
///
/// Frames have absolute indices that only grow. Frames that have been read stay in the ring for another `history`
/// frames, so that the consumer can rewind to them: the frames of a fade-out are played again when playback resumes.
///
/// This is the producer's side, which owns the memory; the consumer has a `RingReader`.
// Unchecked because it holds pointers. This is safe: the atomic indices assign each frame to one thread at a time.
public final class PlaybackRing: @unchecked Sendable {
    /// The number of frames that fit into the ring, read and unread.
    public let capacity: Int
    public let channels: Int
    /// The number of frames kept before the read index.
    public let history: Int

    private let samples: UnsafeMutablePointer<Float>
    private let counters: UnsafeMutablePointer<Int>
    private let writing: SharedCounter
    private let ending: SharedCounter
    /// The consumer's side; must not be used after the ring has been deallocated.
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

    /// The index of the next frame to write.
    public var writeIndex: Int { writing.value }
    /// The index after the music's last frame; nil until the end is known.
    public var endIndex: Int? { reader.endIndex }

    /// The number of frames that can be written.
    public var writableFrames: Int {
        // After the consumer has rewound, there can be more unread frames than usual.
        max(0, capacity - history - reader.readableFrames)
    }

    /// Where to write the next frames, and how many fit without a wrap.
    public func writeSegment() -> (start: UnsafeMutablePointer<Float>, frames: Int) {
        let offset = writeIndex % capacity
        return (samples + offset * channels, min(writableFrames, capacity - offset))
    }

    /// Makes frames in the write segment available to the consumer.
    public func produce(_ frames: Int) {
        writing.value = writeIndex + frames
    }

    /// Marks the frames produced so far as the end of the music.
    public func end() {
        ending.value = writeIndex
    }
}
