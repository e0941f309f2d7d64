/// The position of a stream in a sound server, estimated between the server's answers. This is a pure state machine.
///
/// Positions are numbers of frames since the stream was created. Times are in nanoseconds of CLOCK_MONOTONIC.
struct StreamPosition {
    private let rate: Int
    /// The number of frames that were heard at `time`.
    private var heard = 0
    private var time = 0
    private var isPlaying = false
    /// The maximum number of frames that the server takes before they are heard.
    private(set) var lead: Int
    // The following times are not optional because Swift 6.0 crashes on optional integers in a function that must not
    // allocate.
    /// The time at which the server was last asked, or 0 if it has answered.
    private var askedAt = 0
    /// The time at which frames were first written after the stream had stopped, or 0 if the server has started since.
    private var startedAt = 0

    /// - Parameter lead: the server's latency that was requested, in frames.
    init(rate: Int, lead: Int) {
        self.rate = rate
        self.lead = lead
    }

    /// The time after which a server that has not answered is treated as stopped.
    private static var timeout: Int { @_noLocks @_noAllocation get { 250_000_000 } }

    /// Adds an answer of the server.
    /// - Parameters:
    ///   - taken: the number of frames that the server had taken from the stream.
    ///   - latency: the number of these frames that had not been heard.
    ///   - configured: the maximum of this latency that the server has configured.
    ///   - isPlaying: true if the server was playing the stream.
    ///   - at: the time to which the answer refers.
    @_noLocks @_noAllocation
    mutating func observe(taken: Int, latency: Int, configured: Int, isPlaying: Bool, at time: Int) {
        heard = max(0, taken - latency)
        // Some servers have taken more than they have configured, so use the largest value that has been seen. A server
        // that continues after a stall may report any latency.
        lead = min(max(max(configured, lead - lead / 16), taken - heard), rate / 4)
        self.time = time
        self.isPlaying = isPlaying
        askedAt = 0
        if isPlaying { startedAt = 0 }
    }

    /// Records that frames have been written.
    @_noLocks @_noAllocation
    mutating func wrote(at now: Int) {
        if !isPlaying, startedAt == 0 { startedAt = now }
    }

    /// Records that the stream has stopped because it ran dry, or because the device was suspended.
    @_noLocks @_noAllocation
    mutating func stop(at now: Int) {
        heard = heard(at: now)
        time = now
        isPlaying = false
        startedAt = 0
    }

    /// Returns true if the server should be asked, because its last answer is old, because the stream has just started,
    /// or because it is about to run dry and nobody must believe that it has if the server has stopped.
    /// - Parameter written: the number of frames written.
    @_noLocks @_noAllocation
    func isAnswerDue(written: Int, at now: Int) -> Bool {
        guard askedAt == 0 else { return false }
        let interval = !isPlaying ? 2_000_000 : written - taken(at: now) < rate / 10 ? 20_000_000 : 900_000_000
        return now - time > interval
    }

    @_noLocks @_noAllocation
    mutating func asked(at now: Int) { askedAt = now }

    /// Returns the number of frames that have been heard.
    @_noLocks @_noAllocation
    func heard(at now: Int) -> Int { isPlaying ? heard + elapsed(since: time, now) : heard }

    /// Returns the maximum number of frames that the server may have taken.
    @_noLocks @_noAllocation
    func taken(at now: Int) -> Int {
        if isPlaying { return heard(at: now) + lead }
        guard startedAt != 0 else { return heard }
        // Until the first answer, the server may have started when the first frames were written.
        return heard + min(elapsed(since: startedAt, now), rate / 10) + lead
    }

    /// Returns the number of frames that a playing stream plays between two times.
    @_noLocks @_noAllocation
    private func elapsed(since time: Int, _ now: Int) -> Int {
        let end = askedAt == 0 ? now : min(now, askedAt + Self.timeout)
        return max(0, min(end - time, 10_000_000_000)) * rate / 1_000_000_000
    }
}
