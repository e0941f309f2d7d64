/// The bounds of the frame that a device is really playing. This is a pure state machine.
///
/// A device reports its position in steps, for example with a kernel tick, a USB transfer or a DMA burst. Between two
/// steps, the reported position lags behind the frame being played by up to a step. However, that frame advances
/// steadily, and the report is exact when the position has just moved. Each observation therefore limits the offset
/// between the frame being played and the clock: it is at least the one observed, and larger by at most a step.
/// Observations at many phases of a step leave a narrow range, and with it the lag of any later report is known.
///
/// The range grows with time, because the clock of the device deviates from the processor's. If the device turns out to
/// be ahead of the range, the range is discarded. If it is further behind than the range allows, it may only have moved
/// late once. Therefore, an upper bound counts only if the next observation confirms it. Until then, the lag is
/// overestimated, which is harmless. Times are in nanoseconds, and offsets in frames.
struct PositionClock {
    private let rate: Int
    /// The range of the offset at `time`. It is empty before the first observation.
    private var low = 0
    private var high = -1
    private var time = 0
    /// The upper bound of the last observation, which counts from the next one on.
    private var unconfirmed = 0
    /// The assumed deviation of the device's clock, in millionths. It grows if the device turns out to be faster.
    private var deviation = 100
    private static let largestDeviation = 10_000

    init(rate: Int) {
        self.rate = rate
    }

    /// Adds an observation.
    /// - Parameters:
    ///   - played: the reported position.
    ///   - step: the largest step of the position.
    ///   - earliest: the time before the device was queried.
    ///   - latest: the time after the device was queried. The thread may have been suspended in between.
    @_noLocks @_noAllocation
    mutating func observe(played: Int, step: Int, from earliest: Int, to latest: Int) {
        widen(until: latest)
        let (lowest, highest) = (played - frames(latest) - 1, played - frames(earliest) + step)
        let isFaster = high >= low && lowest > high
        if isFaster { deviation = min(2 * deviation, Self.largestDeviation) }
        let confirmed = max(unconfirmed, highest)
        if high < low || isFaster || confirmed < low {
            (low, high) = (lowest, highest)
            time = latest
        } else {
            (low, high) = (max(low, lowest), max(min(high, confirmed), lowest))
        }
        unconfirmed = highest
    }

    /// Discards all observations. Call this if the device has stood still.
    @_noLocks @_noAllocation
    mutating func forget() {
        (low, high) = (0, -1)
    }

    /// Returns the number of frames by which the frame being played is uncertain, which is at most a step.
    @_noLocks @_noAllocation
    func uncertainty(step: Int) -> Int {
        high >= low ? min(highest(step) - low, step) : step
    }

    /// Returns the number of frames by which a report can lag behind the frame being played, which is at most a step.
    @_noLocks @_noAllocation
    func lag(played: Int, step: Int, at now: Int) -> Int {
        guard high >= low else { return step }
        let latest = highest(step) + grown(until: now) + frames(now) + 1
        return min(max(latest - played, 0), step)
    }

    /// The upper bound of the offset. It is kept at a distance from the lower one, which is never too high, in case the
    /// device has moved late more than once.
    @_noLocks @_noAllocation
    private func highest(_ step: Int) -> Int { max(high, low + step / 4) }

    @_noLocks @_noAllocation
    private mutating func widen(until now: Int) {
        let growth = grown(until: now)
        // Fractions of a frame must add up, so the time advances only with whole frames.
        guard growth > 0 else { return }
        low -= growth
        high += growth
        time = now
    }

    @_noLocks @_noAllocation
    private func grown(until now: Int) -> Int {
        high < low ? 0 : frames((now - time) / 1000 * deviation / 1000)
    }

    @_noLocks @_noAllocation
    private func frames(_ nanoseconds: Int) -> Int {
        // The seconds are converted separately, because the product of a long time would not fit into a word.
        nanoseconds / 1_000_000_000 * rate + nanoseconds % 1_000_000_000 * rate / 1_000_000_000
    }
}
