import ALSA

/// A sound in the orders of the render thread, with everything that its reader refers to.
// The conformance is unchecked because this class holds a pointer. This is safe because the memory behind it never
// changes.
final class OrderedSound: @unchecked Sendable {
    /// The number of the call to `playSound`.
    let call: Int
    /// The time at which the command was given, in nanoseconds of CLOCK_MONOTONIC.
    let given: Int
    /// The time at which `playSound` was called, on the same clock.
    let requested: Int
    let stream: SoundStream?
    /// The sound as the render thread sees it.
    let slot: UnsafeMutablePointer<SoundSlot>
    private let memory: SoundMemory

    /// The place that the render thread writes, or nil if it is not kept.
    private let place: SoundPlace?

    /// - Parameters:
    ///   - start: the frame with which the sound starts.
    ///   - place: the place at which to note where the sound stops, or nil.
    init(
        _ memory: SoundMemory, stream: SoundStream?, request: SoundControl.Request, repeats: Bool, gain: Float,
        start: Int = 0, place: SoundPlace? = nil
    ) {
        self.memory = memory
        self.place = place
        self.stream = stream
        call = request.call
        given = request.given
        requested = request.requested
        slot = .allocate(capacity: 1)
        slot.initialize(
            to: SoundSlot(
                reader: SoundReader(
                    samples: memory.samples, channels: memory.format.channels, frames: memory.frames, repeats: repeats,
                    gain: gain, rest: stream?.rest, start: start, mark: place?.mark ?? SoundMark()),
                format: memory.format, call: call))
    }

    deinit {
        slot.deallocate()
    }
}

/// A sound as the render thread sees it. It consists of words and pointers at a fixed address, without references.
struct SoundSlot {
    let reader: SoundReader
    let format: StreamFormat
    /// The number of the call to `playSound`.
    let call: Int
}
