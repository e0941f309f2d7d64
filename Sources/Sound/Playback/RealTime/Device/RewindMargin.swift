import ALSA

/// The number of frames that a rewind must leave in the device. This is a pure state machine.
///
/// The reported position of a device lags behind the real one because it advances in steps, for example with a kernel
/// tick or a hardware burst. In addition, the new frames come later by the time that rewinding takes. Both are measured
/// on each device. The step is measured while the device begins to play, the lag at a certain time with each later
/// observation (`PositionClock`), and the time during each rewind. Hardware also fetches frames before it plays them.
/// Because this cannot be measured, a reserve covers it. If a rewind nevertheless comes too late, the reserve grows. It
/// shrinks again after an hour without late rewinds, and after two hours, four hours and so on if it has grown again.
struct RewindMargin {
    /// The largest step of the reported position, and the time that rewinding takes, both in frames.
    private(set) var largestStep = 0
    private var work: Int
    /// The reserve for delays that cannot be measured, and its smallest value. It grows by half each time a rewind comes
    /// too late.
    private var reserve: Int
    private let least: Int
    /// The time at which the reserve last changed, and the time without late rewinds after which it shrinks.
    private var changedAt = 0
    private var calmTime = 1_800_000_000_000
    private var clock: PositionClock
    private let rate: Int
    /// The number of observations that are still needed to determine the step.
    private var observationsLeft = 100
    private var position = 0
    private var time = 0
    private var hasPosition = false

    init(rate: Int) {
        self.rate = rate
        // Use PulseAudio's value for the frames that hardware fetches.
        least = rate / 750
        reserve = least
        clock = PositionClock(rate: rate)
        // The first rewinds of a process take longer than later ones, because their code is not in the processor's caches
        // yet.
        work = rate / 250
    }

    /// Returns the number of frames to leave in the device. Until the step is known, a value that is enough for most
    /// devices is used.
    /// - Parameters:
    ///   - played: the number of frames played since the device was opened, as the device reports it.
    ///   - now: the time in nanoseconds.
    @_noLocks @_noAllocation
    func frames(played: Int, at now: Int) -> Int {
        let lag = isKnown ? clock.lag(played: played, step: step, at: now) : step
        return min(lag + work + reserve, rate / 25)
    }

    /// The number of frames ahead of the one being played that cannot be replaced.
    var frames: Int {
        @_noLocks @_noAllocation get {
            min((isKnown ? clock.uncertainty(step: step) : step) + work + reserve, rate / 25)
        }
    }

    /// The largest step, or a value that few devices exceed until it is known.
    private var step: Int {
        @_noLocks @_noAllocation get { isKnown ? largestStep : rate / 100 }
    }

    /// True if the device's step has been measured.
    var isKnown: Bool {
        @_noLocks @_noAllocation get { observationsLeft <= 0 }
    }

    /// The time until the next observation while the step is not known, in nanoseconds.
    static var interval: Int { @_noLocks @_noAllocation get { 500_000 } }

    /// Adds an observation of the playing device.
    /// - Parameters:
    ///   - played: the number of frames played since the device was opened, as the device reports it.
    ///   - start: the time before the device was queried, in nanoseconds.
    ///   - now: the time after the device was queried.
    /// - Returns: true if the margin is known from now on, or has shrunk.
    @_noLocks @_noAllocation
    mutating func observe(played: Int, from start: Int, at now: Int) -> Bool {
        clock.observe(played: played, step: step, from: start, to: now)
        guard !isKnown else { return relax(at: now) }
        defer {
            position = played
            time = now
            hasPosition = true
        }
        guard hasPosition, played > position || observationsLeft < 100 else { return false }
        // Subtract the frames that the device has played since the last observation, because they are not part of the
        // step.
        let unexplained = played - position - (now - time) * rate / 1_000_000_000
        // A step that ends now may have begun up to an interval before the last observation.
        largestStep = max(largestStep, unexplained + RewindMargin.interval * rate / 1_000_000_000)
        observationsLeft -= 1
        return isKnown
    }

    /// Records the time that a rewind took. It lasts from querying the position until old frames could no longer be
    /// played.
    @_noLocks @_noAllocation
    mutating func took(_ nanoseconds: Int) {
        // Delays on a busy machine recur, so let their effect decay slowly. Always take at least one frame away.
        work = max(nanoseconds * rate / 1_000_000_000, work - (work + 15) / 16)
    }

    /// Increases the margin because a rewind came too late.
    @_noLocks @_noAllocation
    mutating func grow(at now: Int) {
        reserve = min(reserve + max(reserve / 2, 1), rate / 25)
        changedAt = now
        calmTime = min(2 * calmTime, 86_400_000_000_000)
        clock.forget()
    }

    /// Discards what is known about the lag. Call this if the device has stood still.
    @_noLocks @_noAllocation
    mutating func forgetLag() { clock.forget() }

    /// Shrinks the reserve by half of what it has grown, if no rewind has come too late for long enough.
    /// - Returns: true if the reserve has shrunk.
    @_noLocks @_noAllocation
    private mutating func relax(at now: Int) -> Bool {
        guard reserve > least, now - changedAt >= calmTime else { return false }
        reserve = least + (reserve - least) / 2
        changedAt = now
        return true
    }

    /// The margin in microseconds.
    var microseconds: Int {
        @_noLocks @_noAllocation get { frames * 1_000_000 / rate }
    }
}
