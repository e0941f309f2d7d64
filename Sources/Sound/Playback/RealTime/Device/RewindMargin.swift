import ALSA

/// How many frames a rewind must leave in the device: a pure state machine.
///
/// The position that a device reports is older than the truth, as it moves in steps (a tick of the kernel, a burst of the
/// hardware), and the frames that follow are late by the time that rewinding takes. Both are measured on each device: the
/// first while it begins to play, the second at each rewind. Hardware also fetches frames before it plays them; that
/// cannot be measured, so a constant reserve covers it, and if a rewind comes too late nevertheless, the margin grows.
struct RewindMargin {
    /// The largest step of the reported position, and how long rewinding takes, both in frames.
    private(set) var largestStep = 0
    private var work: Int
    /// What cannot be measured. It grows by half at each fault.
    private var reserve: Int
    private let rate: Int
    /// Observations that are left until the step is known.
    private var observationsLeft = 100
    private var position = 0
    private var time = 0
    private var hasPosition = false

    init(rate: Int) {
        self.rate = rate
        // PulseAudio's value for what hardware fetches.
        reserve = rate / 750
        work = rate / 1000
    }

    /// Frames to leave in the device; until the step is known, enough for most devices.
    var frames: Int {
        @_noLocks @_noAllocation get {
            min((isKnown ? largestStep : rate / 100) + work + reserve, rate / 25)
        }
    }

    /// Whether the device's step has been measured.
    var isKnown: Bool {
        @_noLocks @_noAllocation get { observationsLeft <= 0 }
    }

    /// Nanoseconds until the next observation while the step is not known.
    static var interval: Int { @_noLocks @_noAllocation get { 500_000 } }

    /// Adds an observation of the playing device.
    /// - Parameters:
    ///   - played: frames played since it was opened, as it reports.
    ///   - now: nanoseconds.
    /// - Returns: whether this was the last one needed.
    @_noLocks @_noAllocation
    mutating func observe(played: Int, at now: Int) -> Bool {
        guard !isKnown else { return false }
        defer {
            position = played
            time = now
            hasPosition = true
        }
        guard hasPosition, played > position || observationsLeft < 100 else { return false }
        // What it has played since the last look is no step.
        let unexplained = played - position - (now - time) * rate / 1_000_000_000
        // A step that ends here began up to an interval before the last look.
        largestStep = max(largestStep, unexplained + RewindMargin.interval * rate / 1_000_000_000)
        observationsLeft -= 1
        return isKnown
    }

    /// Takes the time that a rewind took, from asking for the position until old frames could no longer be played.
    @_noLocks @_noAllocation
    mutating func took(_ nanoseconds: Int) {
        // A single delay on a busy machine is soon forgotten.
        work = max(nanoseconds * rate / 1_000_000_000, work - work / 8)
    }

    /// A rewind came too late: leave more.
    @_noLocks @_noAllocation
    mutating func grow() {
        reserve = min(reserve + max(reserve / 2, 1), rate / 25)
    }

    /// The margin in microseconds.
    var microseconds: Int {
        @_noLocks @_noAllocation get { frames * 1_000_000 / rate }
    }
}
