import Threads

/// A sound as the render thread reads it. It consists of plain pointers, which a real-time thread can pass around
/// without reference counting. Use it from one thread at a time, and only while the memory and the ring exist.
// The conformance is unchecked because this structure holds pointers. This is safe because the frames in memory never
// change, and the ring is used through a `RingReader`, which is safe.
public struct SoundReader: @unchecked Sendable {
    private let samples: UnsafePointer<Float>
    private let channels: Int
    /// The number of frames in memory, which is 1 or more. If there is no rest, these frames are the whole sound.
    let frames: Int
    /// True if the sound repeats without a gap until it is stopped.
    let repeats: Bool
    /// The linear gain, 0…1.
    let gain: Float
    /// The frame of the sound with which it starts. The positions that this type takes are counted from that frame.
    let start: Int
    /// The place at which to note where the sound stops.
    let mark: SoundMark
    /// The address of the rest that follows the frames in memory. The type is an address because Swift 6.0 cannot compile a stored optional in a noncopyable type.
    private let restAddress: Int

    @_noLocks @_noAllocation
    init(
        samples: UnsafePointer<Float>, channels: Int, frames: Int, repeats: Bool, gain: Float,
        rest: UnsafePointer<SoundRest>? = nil, start: Int = 0, mark: SoundMark = SoundMark()
    ) {
        self.samples = samples
        self.channels = channels
        self.frames = frames
        self.repeats = repeats
        self.gain = gain
        self.start = start
        self.mark = mark
        restAddress = Int(bitPattern: rest)
    }

    private var rest: UnsafePointer<SoundRest>? {
        @_noLocks @_noAllocation get { UnsafePointer(bitPattern: restAddress) }
    }

    /// Creates a reader of the same sound from its first frame, without its rest.
    @_noLocks @_noAllocation
    private init(inMemory reader: SoundReader) {
        samples = reader.samples
        channels = reader.channels
        frames = reader.frames
        repeats = reader.repeats
        gain = reader.gain
        start = 0
        mark = reader.mark
        restAddress = 0
    }

    var inMemory: SoundReader {
        @_noLocks @_noAllocation get { SoundReader(inMemory: self) }
    }

    /// The position of the end of the sound, or nil if the sound does not have an end or the end is not known yet.
    var end: Int? {
        @_noLocks @_noAllocation get {
            // A sound that repeats does not have an end, even if the file with its rest has disappeared.
            if repeats { return nil }
            guard let rest else { return max(0, frames - start) }
            guard rest.pointee.isReady, let end = rest.pointee.ring.endIndex else { return nil }
            // The file may have become shorter since it was read into memory.
            return max(0, max(frames, rest.pointee.first + end) - start)
        }
    }

    /// Notes the frame at a position, from which a later order can continue the sound. A negative position is that of a
    /// sound that still waits.
    @_noLocks @_noAllocation
    func note(_ position: Int, rate: Int) {
        let frame = start + max(0, min(position, end ?? position))
        mark.write(frame: repeats && rest == nil ? frame % frames : frame, rate: rate)
    }

    /// Returns the number of frames from a position on that can be read now, or `Int.max` if there is no end.
    @_noLocks @_noAllocation
    func readable(at position: Int) -> Int {
        let inMemory = max(0, frames - start - position)
        guard let rest else { return repeats ? Int.max : inMemory }
        return rest.pointee.isReady ? inMemory + max(0, rest.pointee.ring.readableFrames) : inMemory
    }

    /// Returns the next frames from a position on, and how many of them are contiguous in memory, at most `limit`.
    @_noLocks @_noAllocation
    func segment(at position: Int, limit: Int) -> (start: UnsafePointer<Float>, frames: Int) {
        let index = repeats && rest == nil ? (start + position) % frames : start + position
        if index < frames { return (samples + index * channels, min(limit, frames - index)) }
        guard let rest, rest.pointee.isReady else { return (samples, 0) }
        return rest.pointee.ring.readSegment(limit: limit)
    }

    /// Advances past frames of the segment at a position.
    @_noLocks @_noAllocation
    func consume(_ count: Int, at position: Int) {
        if let rest, start + position >= frames { rest.pointee.ring.consume(count) }
    }

    /// Moves back to a position that has been read, if the ring still holds it.
    @_noLocks @_noAllocation
    func rewind(to position: Int) {
        guard let rest, rest.pointee.isReady else { return }
        let earliest = max(frames, rest.pointee.first)
        rest.pointee.ring.rewind(to: max(start + position, earliest) - rest.pointee.first)
    }
}

/// The part of a long sound that is read while it plays.
struct SoundRest: @unchecked Sendable {
    let ring: RingReader
    /// The frame of the sound that has the ring index 0. It does not change after the rest has become ready.
    var first = 0
    /// 1 once the ring begins with the frame after those in memory, or with a later one with which the sound starts. Until
    /// then, only the producer uses the ring.
    let readiness: SharedCounter

    var isReady: Bool {
        @_noLocks @_noAllocation get { readiness.value != 0 }
    }
}
