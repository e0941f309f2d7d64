import Threads

/// The render thread's progress. Consists of words only, so that a `Seqlock` can carry it.
struct RenderStatus {
    /// As in the orders that have been carried out.
    var slotNumber = 0
    var directive = 0
    var soundNumber = 0
    /// 1 if that slot is being played, or was when the device was closed. The following indices refer to it.
    var hasSlot = 0
    /// Ring index of the frame that is handed over next, or with which a silenced programme resumes.
    var continueIndex = 0
    /// A frame of the device and the ring index it came from. Since then the programme has run without a gap.
    var runFrame = 0
    var runIndex = 0
    /// Frames written to the device since it was opened, how many of them had not been heard yet, and when both numbers
    /// were taken (nanoseconds).
    var written = 0
    var delay = 0
    var time = 0
    /// 1 while the device runs.
    var isRunning = 0
    /// 1 if nothing plays, and a fade-out has been handed over completely.
    var isStopped = 0
    /// When the device last accepted frames, or its opening or closing began (nanoseconds).
    var acceptedAt = 0
    /// When the render thread had its last turn with the device (nanoseconds).
    var turnedAt = 0
    /// Counts the thread's turns, for the watchdog.
    var turns = 0
    /// Underruns since the start.
    var underruns = 0
    /// Rewinds since the start that came too late.
    var lateRewinds = 0
    /// When the frames of the programme have been heard that the device took last, in nanoseconds of CLOCK_MONOTONIC, and a
    /// little longer; 0: it has taken none.
    var advancesUntil = 0

    static let words = MemoryLayout<RenderStatus>.size / MemoryLayout<Int>.size

    /// Ring index of the frame that is being heard, or with which the programme resumes.
    /// - Parameters:
    ///   - now: nanoseconds; what has been heard since `time` counts as long as the device runs.
    ///   - rate: the device's.
    @_noLocks @_noAllocation
    func heardIndex(at now: Int, rate: Int) -> Int {
        let frame = heardFrame(at: now, rate: rate)
        return min(runIndex + max(0, frame - runFrame), continueIndex)
    }

    /// The device's frame that is being heard.
    @_noLocks @_noAllocation
    func heardFrame(at now: Int, rate: Int) -> Int {
        let elapsed = isRunning == 0 ? 0 : max(0, min(now - time, 10_000_000_000)) * rate / 1_000_000_000
        return min(written, written - delay + elapsed)
    }

    /// Whether the programme is being heard, as far as is known. The device takes more of it long before this ends.
    /// - Parameter now: nanoseconds of CLOCK_MONOTONIC.
    func isAdvancing(at now: Int) -> Bool { now < advancesUntil }

    /// As for a deck of which nothing has been played.
    mutating func forgetProgramme() {
        hasSlot = 0
        continueIndex = 0
        runFrame = 0
        runIndex = 0
        written = 0
        delay = 0
    }
}
