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
    /// The address of the rest that follows the frames in memory. Its indices count from the sound's first frame. The
    /// type is an address because Swift 6.0 cannot compile a stored optional in a noncopyable type.
    private let restAddress: Int

    @_noLocks @_noAllocation
    init(
        samples: UnsafePointer<Float>, channels: Int, frames: Int, repeats: Bool, gain: Float,
        rest: UnsafePointer<SoundRest>? = nil
    ) {
        self.samples = samples
        self.channels = channels
        self.frames = frames
        self.repeats = repeats
        self.gain = gain
        restAddress = Int(bitPattern: rest)
    }

    private var rest: UnsafePointer<SoundRest>? {
        @_noLocks @_noAllocation get { UnsafePointer(bitPattern: restAddress) }
    }

    /// Creates a reader of the same sound without its rest.
    @_noLocks @_noAllocation
    private init(inMemory reader: SoundReader) {
        samples = reader.samples
        channels = reader.channels
        frames = reader.frames
        repeats = reader.repeats
        gain = reader.gain
        restAddress = 0
    }

    var inMemory: SoundReader {
        @_noLocks @_noAllocation get { SoundReader(inMemory: self) }
    }

    /// The number of frames of the sound, or nil if the sound does not have an end or the end is not known yet.
    var end: Int? {
        @_noLocks @_noAllocation get {
            // A sound that repeats does not have an end, even if the file with its rest has disappeared.
            if repeats { return nil }
            guard let rest else { return frames }
            guard rest.pointee.isReady, let end = rest.pointee.ring.endIndex else { return nil }
            // The file may have become shorter since it was read into memory.
            return max(frames, end)
        }
    }

    /// Returns the number of frames from a position on that can be read now, or `Int.max` if there is no end.
    @_noLocks @_noAllocation
    func readable(at position: Int) -> Int {
        guard let rest else { return repeats ? Int.max : max(0, frames - position) }
        let inMemory = max(0, frames - position)
        return rest.pointee.isReady ? inMemory + max(0, rest.pointee.ring.readableFrames) : inMemory
    }

    /// Returns the next frames from a position on, and how many of them are contiguous in memory, at most `limit`.
    @_noLocks @_noAllocation
    func segment(at position: Int, limit: Int) -> (start: UnsafePointer<Float>, frames: Int) {
        let index = repeats && rest == nil ? position % frames : position
        if index < frames { return (samples + index * channels, min(limit, frames - index)) }
        guard let rest, rest.pointee.isReady else { return (samples, 0) }
        return rest.pointee.ring.readSegment(limit: limit)
    }

    /// Advances past frames of the segment at a position.
    @_noLocks @_noAllocation
    func consume(_ count: Int, at position: Int) {
        if let rest, position >= frames { rest.pointee.ring.consume(count) }
    }

    /// Moves back to a position that has been read, if the ring still holds it.
    @_noLocks @_noAllocation
    func rewind(to position: Int) {
        guard let rest, rest.pointee.isReady else { return }
        rest.pointee.ring.rewind(to: max(position, frames))
    }
}

/// The part of a long sound that is read while it plays.
struct SoundRest: @unchecked Sendable {
    let ring: RingReader
    /// 1 once the ring begins with the frame after those in memory. Until then, only the producer uses the ring.
    let readiness: SharedCounter

    var isReady: Bool {
        @_noLocks @_noAllocation get { readiness.value != 0 }
    }
}
