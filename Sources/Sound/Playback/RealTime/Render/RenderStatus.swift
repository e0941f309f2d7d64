import Threads

/// The render thread's progress. The structure consists of words only, so that a `Seqlock` can carry it.
struct RenderStatus {
    /// The numbers of the orders that have been executed.
    var done = OrderNumbers()
    /// 1 if the buffer in the orders is being played, or was being played when the device was closed. The following
    /// indices refer to that buffer.
    var hasSlot = 0
    /// The ring index of the frame that is rendered next, or with which silenced music resumes.
    var continueIndex = 0
    var output = OutputPosition()
    /// The number of written frames that had not been heard at `time`, which is in nanoseconds of CLOCK_MONOTONIC.
    var delay = 0
    var time = 0
    /// 1 while the device is running.
    var isRunning = 0
    /// 1 if nothing is playing and any fade-out has been written completely.
    var isStopped = 0
    var signs = SignsOfLife()
    /// The number of underruns since the start.
    var underruns = 0
    /// The number of rewinds since the start that came too late.
    var lateRewinds = 0
    /// A time shortly after the last music frames in the device are heard, in nanoseconds of CLOCK_MONOTONIC, or 0 if
    /// the device does not contain music.
    var advancesUntil = 0

    static let words = MemoryLayout<RenderStatus>.size / MemoryLayout<Int>.size

    /// Returns the ring index of the frame that is being heard, or with which the music resumes.
    /// - Parameters:
    ///   - now: the time in nanoseconds of CLOCK_MONOTONIC. While the device is running, the result includes the frames
    ///     heard since `time`.
    ///   - rate: the device's rate.
    @_noLocks @_noAllocation
    func heardIndex(at now: Int, rate: Int) -> Int {
        let frame = heardFrame(at: now, rate: rate)
        return min(output.runIndex + max(0, frame - output.runFrame), continueIndex)
    }

    /// Returns true if the silence before the music has been heard, so that a track without a further frame has ended.
    @_noLocks @_noAllocation
    func hasWaited(at now: Int, rate: Int) -> Bool { heardFrame(at: now, rate: rate) >= output.waitEnd }

    /// Returns the frame of the device that is being heard.
    @_noLocks @_noAllocation
    func heardFrame(at now: Int, rate: Int) -> Int {
        let elapsed = isRunning == 0 ? 0 : max(0, min(now - time, 10_000_000_000)) * rate / 1_000_000_000
        return min(output.written, output.written - delay + elapsed)
    }

    /// Resets the status to that of a buffer that has not been played.
    mutating func forgetPlayback() {
        hasSlot = 0
        continueIndex = 0
        output = OutputPosition()
        delay = 0
    }
}

/// The numbers of the orders in an `Orders`.
struct OrderNumbers {
    var buffer = 0
    var source = 0
    var playback = 0
    var sound = 0
    var page = 0
}

/// The signs by which control and the watchdog judge the device and the thread. Times are in nanoseconds of
/// CLOCK_MONOTONIC.
struct SignsOfLife {
    /// The number of the thread's turns.
    var turns = 0
    /// The time of the thread's last turn with the device.
    var turnedAt = 0
    /// The time at which the device last accepted frames, or at which its opening or closing began.
    var acceptedAt = 0
}

/// The progress of the output, and the mapping of its frames to the music. A rewind of the device restores this value.
struct OutputPosition {
    /// The number of frames written to the device since it was opened.
    private(set) var written = 0
    /// The number of frames written since the output became silent.
    var silentFrames = 0
    /// A frame of the device and the ring index from which it came. Since this frame, the music has continued without a
    /// gap.
    private(set) var runFrame = 0
    private(set) var runIndex = 0
    /// 1 if frames that do not belong to the music have been written since `runFrame`.
    var isRunBroken = 0
    /// The frame of the device with which the music begins after it has waited for an amplifier.
    private(set) var waitEnd = 0

    /// Records that the music begins after this many frames of silence.
    @_noLocks @_noAllocation
    mutating func wait(_ count: Int) { waitEnd = written + count }

    /// Begins a run, in which the music continues with this ring index in the next frame written.
    @_noLocks @_noAllocation
    mutating func beginRun(at index: Int) {
        runFrame = written
        runIndex = index
        isRunBroken = 0
    }

    /// Counts frames that have been rendered and written.
    /// - Parameters:
    ///   - taken: the number of these frames that belong to the music.
    ///   - index: the ring index before these frames.
    ///   - isPlaying: true if these frames are audible or an order to play is in effect.
    @_noLocks @_noAllocation
    mutating func pass(_ count: Int, taken: Int, from index: Int, isPlaying: Bool) {
        silentFrames = isPlaying ? 0 : silentFrames + count
        if isRunBroken != 0, taken > 0 {
            runFrame = written
            runIndex = index
        }
        // The previous run is still being heard, so the next one begins only with the music's next frame.
        isRunBroken = taken != count ? 1 : 0
        written += count
    }

    /// Counts silent frames before the run.
    @_noLocks @_noAllocation
    mutating func passLeadIn(_ count: Int) {
        written += count
        runFrame = written
    }

    /// Counts silent frames that interrupt the run.
    @_noLocks @_noAllocation
    mutating func passGap(_ count: Int) {
        written += count
        isRunBroken = 1
    }
}
