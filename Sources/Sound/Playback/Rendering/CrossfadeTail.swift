import CRealTime

/// The end of the music before a jump. It consists of frames that are already faded out and that are mixed over the
/// music that follows. Its size is fixed, so that nothing is allocated after `init`. Use it from the render thread
/// only.
struct CrossfadeTail: ~Copyable {
    /// The number of frames for which there is room.
    let capacity: Int
    /// The position of the first frame that has not been mixed yet.
    private(set) var position = 0
    private var length = 0
    private let channels: Int
    private let samples: UnsafeMutablePointer<Float>

    init(capacity: Int, channels: Int) {
        self.capacity = capacity
        self.channels = channels
        samples = .allocate(capacity: max(1, capacity * channels))
        samples.initialize(repeating: 0, count: max(1, capacity * channels))
    }

    deinit {
        samples.deallocate()
    }

    /// The number of frames still to be mixed.
    var remaining: Int {
        @_noLocks @_noAllocation get { length - position }
    }

    /// Makes room for `frames` frames (at most `capacity`) in addition to the remaining ones, and returns the position
    /// at which to add them.
    @_noLocks @_noAllocation
    mutating func open(frames: Int) -> UnsafeMutablePointer<Float> {
        let kept = remaining
        realtime_copy(samples, samples + position * channels, kept * channels)
        position = 0
        length = max(kept, min(frames, capacity))
        (samples + kept * channels).update(repeating: 0, count: (length - kept) * channels)
        return samples
    }

    /// Adds the next frames to `output`.
    @_noLocks @_noAllocation
    mutating func mix(into output: UnsafeMutablePointer<Float>, frames: Int) {
        let count = min(frames, remaining)
        let source = samples + position * channels
        for index in 0..<count * channels { output[index] += source[index] }
        position += count
    }

    @_noLocks @_noAllocation
    mutating func clear() {
        position = 0
        length = 0
    }

    /// Moves back to a position. `open` and `clear` must not have been called since this position.
    @_noLocks @_noAllocation
    mutating func rewind(to position: Int) {
        self.position = position
    }
}
