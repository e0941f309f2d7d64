import Threads

/// A ring buffer of interleaved frames for one producer and one consumer, on two threads or on one.
///
/// Frames have absolute indices, which never decrease. Frames that have been read stay in the ring for another
/// `history` frames, so that the consumer can rewind to them. For example, the frames of a fade-out are played again
/// when playback resumes.
///
/// This type is the producer's side, which owns the memory. The consumer has a `RingReader`.
// The conformance is unchecked because this class holds pointers. This is safe because the atomic indices assign each
// frame to one thread at a time.
public final class PlaybackRing: @unchecked Sendable {
    /// The number of frames for which the ring has room, including frames that have been read.
    public let capacity: Int
    public let channels: Int
    /// The number of frames kept before the read index.
    public let history: Int

    private let samples: UnsafeMutablePointer<Float>
    private let counters: UnsafeMutablePointer<Int>
    private let writing: SharedCounter
    private let ending: SharedCounter
    /// The consumer's side. It must not be used after the ring has been deallocated.
    public let reader: RingReader

    /// - Parameters:
    ///   - capacity: the number of frames, which is more than `history`.
    ///   - history: the number of frames, which is 0 or more.
    ///   - channels: the number of samples per frame, which is 1 or more.
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
    /// The index after the last frame of the music, or nil until the end is known.
    public var endIndex: Int? { reader.endIndex }

    /// The number of frames that can be written.
    public var writableFrames: Int {
        // After the consumer has rewound, there may be more unread frames than usual.
        max(0, capacity - history - reader.readableFrames)
    }

    /// Returns the position at which to write the next frames, and the number of frames for which there is room before
    /// the ring wraps around.
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
