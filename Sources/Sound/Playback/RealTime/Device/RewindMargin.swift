import ALSA

/// The number of frames that a rewind must leave in the device. This is a pure state machine.
///
/// The reported position of a device lags behind the real one because it advances in steps, for example with a kernel
/// tick or a hardware burst. In addition, the new frames come later by the time that rewinding takes. Both are measured
/// on each device. The step is measured while the device begins to play, and the time during each rewind. Hardware also
/// fetches frames before it plays them. Because this cannot be measured, a reserve covers it. If a rewind nevertheless
/// comes too late, the reserve grows.
struct RewindMargin {
    /// The largest step of the reported position, and the time that rewinding takes, both in frames.
    private(set) var largestStep = 0
    private var work: Int
    /// The reserve for delays that cannot be measured. It grows by half each time a rewind comes too late.
    private var reserve: Int
    private let rate: Int
    /// The number of observations that are still needed to determine the step.
    private var observationsLeft = 100
    private var position = 0
    private var time = 0
    private var hasPosition = false

    init(rate: Int) {
        self.rate = rate
        // Use PulseAudio's value for the frames that hardware fetches.
        reserve = rate / 750
        work = rate / 1000
    }

    /// The number of frames to leave in the device. Until the step is known, a value that is enough for most devices is
    /// used.
    var frames: Int {
        @_noLocks @_noAllocation get {
            min((isKnown ? largestStep : rate / 100) + work + reserve, rate / 25)
        }
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
    ///   - now: the time in nanoseconds.
    /// - Returns: true if this was the last observation needed.
    @_noLocks @_noAllocation
    mutating func observe(played: Int, at now: Int) -> Bool {
        guard !isKnown else { return false }
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
        // Let the effect of a single delay on a busy machine decay soon.
        work = max(nanoseconds * rate / 1_000_000_000, work - work / 8)
    }

    /// Increases the margin because a rewind came too late.
    @_noLocks @_noAllocation
    mutating func grow() {
        reserve = min(reserve + max(reserve / 2, 1), rate / 25)
    }

    /// The margin in microseconds.
    var microseconds: Int {
        @_noLocks @_noAllocation get { frames * 1_000_000 / rate }
    }
}
