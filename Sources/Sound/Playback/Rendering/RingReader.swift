import Threads

/// The consumer's side of a `PlaybackRing`. It consists of plain pointers, which a real-time thread can pass around
/// without reference counting. Use it from one thread at a time, and only while the ring exists.
// The conformance is unchecked because this structure holds a pointer. This is safe because the atomic indices assign
// each frame to one thread at a time.
public struct RingReader: @unchecked Sendable {
    public let capacity: Int
    public let channels: Int
    public let history: Int
    private let samples: UnsafeMutablePointer<Float>
    private let reading: SharedCounter
    let writing: SharedCounter
    let ending: SharedCounter
    /// The highest read index so far. Only the consumer uses it, but it is stored in the ring because a `RingReader`
    /// may be copied.
    private let furthest: SharedCounter

    static let counters = 4

    init(
        samples: UnsafeMutablePointer<Float>, capacity: Int, channels: Int, history: Int,
        counters: UnsafeMutablePointer<Int>
    ) {
        self.samples = samples
        self.capacity = capacity
        self.channels = channels
        self.history = history
        reading = SharedCounter(counters)
        writing = SharedCounter(counters + 1)
        ending = SharedCounter(counters + 2)
        furthest = SharedCounter(counters + 3)
    }

    /// The index of the next frame to read.
    public var readIndex: Int {
        @_noLocks @_noAllocation get { reading.value }
    }

    /// The number of frames that can be read.
    public var readableFrames: Int {
        @_noLocks @_noAllocation get { writing.value - reading.value }
    }

    /// The index after the last frame of the music, or nil until the end is known.
    public var endIndex: Int? {
        @_noLocks @_noAllocation get {
            let index = ending.value
            return index == Int.max ? nil : index
        }
    }

    /// Returns the next frames to read, and how many of them can be read before the ring wraps around, at most `limit`.
    @_noLocks @_noAllocation
    public func readSegment(limit: Int) -> (start: UnsafePointer<Float>, frames: Int) {
        let offset = readIndex % capacity
        return (UnsafePointer(samples + offset * channels), min(min(limit, readableFrames), capacity - offset))
    }

    /// Advances past frames of the read segment. The producer may overwrite these frames once they are older than the
    /// history.
    @_noLocks @_noAllocation
    public func consume(_ frames: Int) {
        let index = readIndex + frames
        if index > furthest.value { furthest.value = index }
        reading.value = index
    }

    /// Moves to a frame that is still in the ring. If the ring does not contain the frame, the function returns false
    /// and does not move.
    @discardableResult
    @_noLocks @_noAllocation
    public func rewind(to index: Int) -> Bool {
        guard index >= furthest.value - history && index >= 0 && index <= writing.value else { return false }
        reading.value = index
        return true
    }
}
