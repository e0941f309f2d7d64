import Systemd

/// The sources that wake an installation. They are its next deadline, the regular check for a stall, its player, and
/// the threads that work for it.
struct Wakeups {
    private let timer: EventTimer
    private let stallTimer: EventTimer
    /// The times at which to check for a stall while the music advances.
    private var stallCheck = RegularCheck(at: .zero)
    /// The source that calls back when the player has events.
    var player: EventSource?
    /// The sources that call back even during sleep.
    var threads: [EventSource] = []

    /// - Parameters:
    ///   - settle: Called at the next deadline.
    ///   - lookForStall: Called regularly while the music should play.
    init(in loop: EventLoop, settle: @escaping () -> Void, lookForStall: @escaping () -> Void) throws(SystemdError) {
        timer = try loop.timer(settle)
        stallTimer = try loop.timer(lookForStall)
    }

    /// - Parameter deadline: The time on CLOCK_MONOTONIC, or nil for none.
    func settle(at deadline: Duration?) { timer.deadline = deadline }

    /// Schedules the next check for a stall. It comes soon unless the music advances.
    /// - Parameter isDue: True if the music should play.
    mutating func watchForStall(_ isDue: Bool, isAdvancing: Bool, at now: Duration) {
        guard isDue else { return stallTimer.deadline = nil }
        guard stallTimer.deadline.map({ $0 <= now }) ?? true else { return }
        stallCheck.pass(at: now)
        stallTimer.deadline = isAdvancing ? stallCheck.deadline : now + StallWatch.pace
    }

    /// Cancels the next check for a stall if it is nearly due, so that it can be performed now.
    /// - Returns: True if it was nearly due.
    mutating func takeStallCheck(at now: Duration) -> Bool {
        guard stallTimer.deadline != nil, stallCheck.isDue(at: now) else { return false }
        stallTimer.deadline = nil
        return true
    }

    /// Disables all sources except the threads until `resume`.
    func pause() {
        timer.deadline = nil
        stallTimer.deadline = nil
        player?.isEnabled = false
    }

    func resume() { player?.isEnabled = true }
}
