/// The consumer's side of a `ProgrammeRing`: bare pointers, which a real-time thread can hand round without counting
/// references. For one thread at a time, and no longer than the ring lives.
public struct RingReader: @unchecked Sendable {
    public let capacity: Int
    public let channels: Int
    public let history: Int
    private let samples: UnsafeMutablePointer<Float>
    private let reading: SharedCounter
    let writing: SharedCounter
    let ending: SharedCounter
    /// The furthest the consumer has been; its own, but kept in the ring, as there may be copies of this.
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

    /// Index of the frame that is read next.
    public var readIndex: Int {
        @_noLocks @_noAllocation get { reading.value }
    }

    /// Frames that can be read.
    public var readableFrames: Int {
        @_noLocks @_noAllocation get { writing.value - reading.value }
    }

    /// The index after the programme's last frame; nil while it goes on.
    public var endIndex: Int? {
        @_noLocks @_noAllocation get {
            let index = ending.value
            return index == Int.max ? nil : index
        }
    }

    /// The next frames to read, and how many lie in one piece, `limit` at most.
    @_noLocks @_noAllocation
    public func readSegment(limit: Int) -> (start: UnsafePointer<Float>, frames: Int) {
        let offset = readIndex % capacity
        return (UnsafePointer(samples + offset * channels), min(min(limit, readableFrames), capacity - offset))
    }

    /// Gives back frames of the read segment to the producer, but for the history.
    @_noLocks @_noAllocation
    public func consume(_ frames: Int) {
        let index = readIndex + frames
        if index > furthest.value { furthest.value = index }
        reading.value = index
    }

    /// Goes to a frame that is still there or has just been written; returns false and stays where it is not.
    @discardableResult
    @_noLocks @_noAllocation
    public func rewind(to index: Int) -> Bool {
        guard index >= furthest.value - history && index >= 0 && index <= writing.value else { return false }
        reading.value = index
        return true
    }
}
