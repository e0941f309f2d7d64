import ALSA

/// The number of frames that a rewind must leave in the device, as a pure state machine.
///
/// The position that a device reports lags behind its real position because it moves in steps, such as a tick of the
/// kernel or a burst of the hardware. The frames that follow a rewind are late by the time that rewinding takes. Both
/// are measured on each device, the first while it begins to play and the second at each rewind. Hardware also fetches
/// frames before it plays them. Because this cannot be measured, a constant reserve covers it. If a rewind nevertheless
/// comes too late, the margin grows.
struct RewindMargin {
    /// The largest step of the reported position, and the time that rewinding takes, both in frames.
    private(set) var largestStep = 0
    private var work: Int
    /// The reserve for delays that cannot be measured. It grows by half at each fault.
    private var reserve: Int
    private let rate: Int
    /// The number of observations that are left until the step is known.
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

    /// The number of frames to leave in the device. Until the step is known, it is enough for most devices.
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
    ///   - played: the number of frames played since the device was opened, as it reports.
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
        // A step that ends here may have begun up to an interval before the last observation.
        largestStep = max(largestStep, unexplained + RewindMargin.interval * rate / 1_000_000_000)
        observationsLeft -= 1
        return isKnown
    }

    /// Records the time that a rewind took. It lasts from querying the position until old frames could no longer be
    /// played.
    @_noLocks @_noAllocation
    mutating func took(_ nanoseconds: Int) {
        // The effect of a single delay on a busy machine soon decays.
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
