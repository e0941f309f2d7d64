import Threads

/// The render thread's progress. Consists of words only, so that a `Seqlock` can carry it.
struct RenderStatus {
    /// The numbers of the orders that have been carried out.
    var done = OrderNumbers()
    /// 1 if that deck is being played, or was when the device was closed. The following indices refer to it.
    var hasSlot = 0
    /// Ring index of the frame that is handed over next, or with which a silenced music resumes.
    var continueIndex = 0
    var output = OutputPosition()
    /// How many of the frames written had not been heard yet, and when that was known (nanoseconds).
    var delay = 0
    var time = 0
    /// 1 while the device runs.
    var isRunning = 0
    /// 1 if nothing plays, and a fade-out has been handed over completely.
    var isStopped = 0
    var signs = SignsOfLife()
    /// Underruns since the start.
    var underruns = 0
    /// Rewinds since the start that came too late.
    var lateRewinds = 0
    /// When the frames of the music have been heard that the device took last, in nanoseconds of CLOCK_MONOTONIC, and a
    /// little longer; 0: it has taken none.
    var advancesUntil = 0

    static let words = MemoryLayout<RenderStatus>.size / MemoryLayout<Int>.size

    /// Ring index of the frame that is being heard, or with which the music resumes.
    /// - Parameters:
    ///   - now: nanoseconds; what has been heard since `time` counts as long as the device runs.
    ///   - rate: the device's.
    @_noLocks @_noAllocation
    func heardIndex(at now: Int, rate: Int) -> Int {
        let frame = heardFrame(at: now, rate: rate)
        return min(output.runIndex + max(0, frame - output.runFrame), continueIndex)
    }

    /// The device's frame that is being heard.
    @_noLocks @_noAllocation
    func heardFrame(at now: Int, rate: Int) -> Int {
        let elapsed = isRunning == 0 ? 0 : max(0, min(now - time, 10_000_000_000)) * rate / 1_000_000_000
        return min(output.written, output.written - delay + elapsed)
    }

    /// Whether the music is being heard, as far as is known. The device takes more of it long before this ends.
    /// - Parameter now: nanoseconds of CLOCK_MONOTONIC.
    func isAdvancing(at now: Int) -> Bool { now < advancesUntil }

    /// As for a deck of which nothing has been played.
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
    var directive = 0
    var sound = 0
}

/// By which control and the watchdog judge device and thread. Times are nanoseconds of CLOCK_MONOTONIC.
struct SignsOfLife {
    /// Counts the thread's turns.
    var turns = 0
    /// When it had its last turn with the device.
    var turnedAt = 0
    /// When the device last accepted frames, or its opening or closing began.
    var acceptedAt = 0
}

/// How far the output has come, and which of its frames are the music's: what a rewind of the device restores.
struct OutputPosition {
    /// Frames written to the device since it was opened.
    private(set) var written = 0
    /// Frames written since the output became silent.
    var silentFrames = 0
    /// A frame of the device and the ring index it came from. Since then the music has run without a gap.
    private(set) var runFrame = 0
    private(set) var runIndex = 0
    /// 1 if the device has taken frames since then that are not the music's.
    var isRunBroken = 0

    /// Begins a run: the music continues with this ring index, in the next frame written.
    @_noLocks @_noAllocation
    mutating func beginRun(at index: Int) {
        runFrame = written
        runIndex = index
        isRunBroken = 0
    }

    /// Counts frames that have been rendered and written.
    /// - Parameters:
    ///   - taken: how many of them are the music's.
    ///   - index: the ring index before them.
    ///   - isPlaying: whether they are audible, or playing was ordered.
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
