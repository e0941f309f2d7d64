import CALSA

/// Makes a device without a clock, such as ALSA's null PCM, play or capture in real time. Without it, the null PCM
/// accepts and delivers frames as fast as a program can write and read them. The buffer fills and empties like that of
/// a sound card.
///
/// The caller passes the time, in nanoseconds of CLOCK_MONOTONIC.
struct PCMPace {
    /// Frames per second, or 0 for a device that has a clock.
    var rate = 0
    /// The size of the buffer in frames.
    var buffer = 0
    /// The number of frames that have passed through the buffer since `start`.
    private var frames = 0
    /// The start time, or 0 while the device is stopped.
    private var start = 0

    init() {}

    init(_ configuration: PCMConfiguration) {
        rate = configuration.format.rate
        buffer = configuration.bufferFrames
    }

    var isActive: Bool {
        @_noLocks @_noAllocation get { rate > 0 }
    }

    /// Empties the buffer.
    @_noLocks @_noAllocation
    mutating func stop() { (frames, start) = (0, 0) }

    /// Returns the number of frames that would have been played or captured since `start`. The function moves `start`
    /// forward by whole seconds and subtracts their frames from `frames`, so that the product cannot overflow however
    /// long the device runs.
    @_noLocks @_noAllocation
    private mutating func clock(at now: Int) -> Int {
        let seconds = (now - start) / 1_000_000_000
        start += seconds * 1_000_000_000
        frames -= seconds * rate
        return (now - start) * rate / 1_000_000_000
    }

    /// For playback, returns the number of frames that have been written but not played.
    @_noLocks @_noAllocation
    mutating func queued(at now: Int) -> Int {
        guard start != 0 else { return 0 }
        // Advance the clock first because this changes `frames`.
        let played = clock(at: now)
        let rest = frames - played
        // The buffer has run dry.
        guard rest > 0 else {
            stop()
            return 0
        }
        return rest
    }

    /// For playback, returns the number of frames that can be written.
    @_noLocks @_noAllocation
    mutating func room(at now: Int) -> Int { max(0, buffer - queued(at: now)) }

    @_noLocks @_noAllocation
    mutating func write(_ count: Int, at now: Int) {
        if start == 0 { start = now }
        frames += count
    }

    @_noLocks @_noAllocation
    mutating func startCapturing(at now: Int) { (frames, start) = (0, now) }

    /// For capture, returns the number of frames that can be read. Frames that do not fit into the buffer are skipped.
    @_noLocks @_noAllocation
    mutating func captured(at now: Int) -> Int {
        guard start != 0 else { return 0 }
        let passed = clock(at: now)
        let count = passed - frames
        if count > buffer { frames += count - buffer }
        return min(count, buffer)
    }

    @_noLocks @_noAllocation
    mutating func read(_ count: Int) { frames += count }
}

extension PCM {
    /// Returns true if the PCM ends in ALSA's null PCM, directly or through plug-ins. The null PCM discards frames
    /// without a clock.
    func endsInNothing(_ handle: OpaquePointer) -> Bool {
        guard snd_pcm_type(handle) != SND_PCM_TYPE_HW else { return false }
        guard snd_pcm_type(handle) != SND_PCM_TYPE_NULL else { return true }
        var output: OpaquePointer?
        guard snd_output_buffer_open(&output) >= 0, let output else { return false }
        defer { snd_output_close(output) }
        var text: UnsafeMutablePointer<CChar>?
        guard snd_pcm_dump(handle, output) >= 0, case let count = snd_output_buffer_string(output, &text), count > 0,
            let text
        else { return false }
        let bytes = UnsafeRawBufferPointer(start: text, count: count)
        // Compare only the end of a line, because some plug-ins print a word before the name of the PCM to which they
        // pass frames.
        return String(decoding: bytes, as: UTF8.self).split(separator: "\n").contains { $0.hasSuffix("Null PCM") }
    }
}
