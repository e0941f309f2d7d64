/// Decides which blocks of a capture device's audio count. This is a pure state machine.
///
/// The gate opens with the first block whose peak reaches the threshold. A block whose peak stays more than 6 dB below
/// the threshold is quiet, and quiet blocks close the gate after `hold`. After a short sound such as a click, the gate
/// already closes after `shortHold`, so that a click does not count for as long as a pause in music does.
struct LevelGate: Sendable {
    /// The time for which quiet audio counts, after audio that has lasted at least as long.
    static let hold = Duration.milliseconds(250)
    /// The time for which quiet audio counts after shorter audio.
    static let shortHold = Duration.milliseconds(30)

    enum Change: Sendable, Hashable { case opens, closes }

    /// The least peak that opens the gate, as a linear gain.
    let threshold: Float
    private(set) var isOpen = false
    /// The time of the end of the last block that was not quiet, in nanoseconds.
    private(set) var loudUntil = 0
    private var openedAt = 0

    init(threshold: Float) { self.threshold = threshold }

    /// Evaluates a block of audio.
    /// - Parameters:
    ///   - peak: the greatest absolute value in the block.
    ///   - start: the time of the beginning of the block in nanoseconds.
    ///   - end: the time of its end.
    mutating func pass(peak: Float, from start: Int, to end: Int) -> Change? {
        guard isOpen else {
            guard peak >= threshold else { return nil }
            isOpen = true
            openedAt = start
            loudUntil = end
            return .opens
        }
        if peak * 2 >= threshold, peak > 0 || threshold == 0 { loudUntil = end }
        return wait(until: end)
    }

    /// Lets time pass in which no audio is captured.
    mutating func wait(until now: Int) -> Change? {
        guard isOpen, now >= closesAt else { return nil }
        isOpen = false
        return .closes
    }

    /// The time at which the gate closes if nothing but quiet audio follows.
    private var closesAt: Int {
        let isShort = loudUntil - openedAt < Self.hold.wholeNanoseconds
        return loudUntil + (isShort ? Self.shortHold : Self.hold).wholeNanoseconds
    }
}
