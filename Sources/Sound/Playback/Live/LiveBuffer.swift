import ALSA
import Glibc
import Threads

/// A ring of live audio between the thread that receives it and the render thread, in the device's format.
///
/// Every frame has an index, and the index that is heard increases with time, whether or not anything is played. So the
/// index of a frame determines when it is heard. While the render thread does not play the buffer, its frames pass
/// unheard, so that the audio is live when it is played again. The receiving thread may write at most `room` frames ahead
/// of the index that is being heard. Older frames stay in the ring for a while, because the card's queue can be rewound.
///
/// This type is the producer's side, which owns the memory. The consumer has a `LiveReader`.
// The conformance is unchecked because this class holds pointers. This is safe because the atomic indices assign each
// frame to one thread at a time.
public final class LiveBuffer: @unchecked Sendable {
    public let format: StreamFormat
    /// The delay between the arrival of a frame and its playback, in frames.
    public let latency: Int
    /// The number of frames that may be written ahead of the index that is being heard.
    public let room: Int
    /// The consumer's side. It must not be used after the buffer has been deallocated.
    public let reader: LiveReader
    /// The buffer as the render thread sees it.
    let slot: UnsafeMutablePointer<LiveSlot>
    private let samples: UnsafeMutablePointer<Float>
    private let words: UnsafeMutablePointer<Int>

    /// The time for which a sender may be ahead of the delay, for example because it sends in bursts.
    public static let margin = Duration.milliseconds(100)
    /// The time by which the delay may be longer than the latency because the device's delay is long.
    private static let deviceTime = Duration.milliseconds(300)
    /// The longest queue of a device while it plays live audio, unless its periods are longer.
    static let longestQueue = Duration.milliseconds(200)
    /// The time for which frames that have been heard are kept, which is longer than a device can hold live audio.
    private static let history = Duration.milliseconds(500)
    /// The longest delay.
    public static let longestLatency = Duration.seconds(10)

    /// - Parameters:
    ///   - latency: the delay, which is at most `longestLatency`.
    ///   - now: the time in nanoseconds. The frame with the index 0 is heard at this time.
    public init(format: StreamFormat, latency: Duration, at now: Int) {
        self.format = format
        self.latency = min(latency, Self.longestLatency).frames(atRate: format.rate)
        room = self.latency + (Self.margin + Self.deviceTime).frames(atRate: format.rate)
        let capacity = room + Self.history.frames(atRate: format.rate)
        // The pages of an input that is never used are never touched.
        let count = capacity * format.channels
        guard let memory = calloc(count, MemoryLayout<Float>.size) else {
            preconditionFailure("not enough memory for \(capacity) frames of \(format): raise MemoryMax=")
        }
        samples = memory.bindMemory(to: Float.self, capacity: count)
        words = .allocate(capacity: LiveReader.words)
        words.initialize(repeating: 0, count: LiveReader.words)
        reader = LiveReader(
            samples: samples, capacity: capacity, rate: format.rate, channels: format.channels, words: words)
        slot = .allocate(capacity: 1)
        slot.initialize(to: LiveSlot(reader: reader, format: format))
        reader.post(LiveClock(index: 0, time: now))
    }

    deinit {
        slot.deallocate()
        free(samples)
        words.deallocate()
    }

    /// The index after the last frame that has been written.
    public var writeIndex: Int { reader.written.value }

    /// The time at which frames are heard, and what the render thread has reported.
    public var clock: LiveClock { reader.clock }

    /// Begins a stream, whose first frame has this index. Frames between the previous stream and this one are silent.
    /// - Parameter index: at least `writeIndex`.
    public func begin(at index: Int) {
        precondition(index >= writeIndex)
        reader.start.value = index
        reader.written.value = index
    }

    /// Writes frames.
    /// - Parameter heard: the index that is being heard.
    /// - Returns: the number of frames that were written, which is smaller if there is no room for more.
    public func append(_ frames: UnsafePointer<Float>, count: Int, heard: Int) -> Int {
        let channels = format.channels
        let index = writeIndex
        let count = min(count, heard + room - index)
        guard count > 0 else { return 0 }
        var done = 0
        while done < count {
            let offset = (index + done) % reader.capacity
            let part = min(count - done, reader.capacity - offset)
            (samples + offset * channels).update(from: frames + done * channels, count: part * channels)
            done += part
        }
        reader.written.value = index + count
        return count
    }
}

/// A buffer as the render thread sees it. It consists of words and pointers at a fixed address, without references.
struct LiveSlot {
    let reader: LiveReader
    let format: StreamFormat
}

/// The relation between the frames of a `LiveBuffer` and the time, as the render thread last reported it.
public struct LiveClock: Sendable, Hashable {
    /// The index that is heard at `time`, which is in nanoseconds of CLOCK_MONOTONIC.
    public var index: Int
    public var time: Int
    /// The number of frames in the device, which have been rendered but not heard.
    public var delay = 0
    /// The number of times that the render thread has run out of frames.
    public var starvations = 0
    /// The number of frames that passed unheard because the input was not played.
    public var discarded = 0
    /// The number of frames that have been played, or that passed because the amplifier was being switched on.
    public var played = 0

    static let words = 6

    @_noLocks @_noAllocation
    public init(index: Int, time: Int, delay: Int = 0, starvations: Int = 0, discarded: Int = 0, played: Int = 0) {
        self.index = index
        self.time = time
        self.delay = delay
        self.starvations = starvations
        self.discarded = discarded
        self.played = played
    }

    /// Returns the index that is heard at a time in nanoseconds of CLOCK_MONOTONIC.
    @_noLocks @_noAllocation
    public func heard(at now: Int, rate: Int) -> Int {
        // Seconds and their rest are converted separately, so that years do not overflow.
        let elapsed = now - time
        return index + elapsed / 1_000_000_000 * rate + elapsed % 1_000_000_000 * rate / 1_000_000_000
    }
}

/// The consumer's side of a `LiveBuffer`. It consists of plain pointers, which a real-time thread can pass around
/// without reference counting. Use it from one thread at a time, and only while the buffer exists.
// The conformance is unchecked because this structure holds pointers. This is safe because the atomic indices assign
// each frame to one thread at a time.
public struct LiveReader: @unchecked Sendable {
    let capacity: Int
    let rate: Int
    let channels: Int
    private let samples: UnsafePointer<Float>
    let written: SharedCounter
    package let start: SharedCounter
    private let lock: Seqlock

    static let words = 2 + LiveClock.words + 1

    init(
        samples: UnsafePointer<Float>, capacity: Int, rate: Int, channels: Int, words: UnsafeMutablePointer<Int>
    ) {
        self.samples = samples
        self.capacity = capacity
        self.rate = rate
        self.channels = channels
        written = SharedCounter(words)
        start = SharedCounter(words + 1)
        lock = Seqlock(words + 2, count: LiveClock.words)
    }

    /// Reports the time at which frames are heard. Only one thread may call this at a time.
    @_noLocks @_noAllocation
    func post(_ clock: LiveClock) {
        var clock = clock
        lock.post(&clock)
    }

    /// The time at which frames are heard, as it was last posted.
    var clock: LiveClock {
        @_noLocks @_noAllocation get {
            var clock = LiveClock(index: 0, time: 0)
            // A post takes nanoseconds.
            while !lock.read(into: &clock) {}
            return clock
        }
    }

    /// Returns the next frames from an index on, and how many of them are contiguous in memory, at most `limit`.
    @_noLocks @_noAllocation
    package func segment(at index: Int, limit: Int) -> (start: UnsafePointer<Float>, frames: Int) {
        let offset = index % capacity
        return (samples + offset * channels, min(limit, capacity - offset))
    }

    /// True if both readers belong to the same buffer.
    @_noLocks @_noAllocation
    func isSame(as other: LiveReader) -> Bool { samples == other.samples }

    /// The oldest index that may be read. Older frames may be overwritten at any time.
    @_noLocks @_noAllocation
    func oldest(before end: Int) -> Int { end - capacity }
}
