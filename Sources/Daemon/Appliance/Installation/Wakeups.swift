import Systemd

/// The sources that wake an installation. They are its next deadline, the regular check for a stall, its player, and
/// the threads that work for it.
struct Wakeups {
    private let timer: EventTimer
    private let stallTimer: EventTimer
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

    /// - Parameter isDue: True if the music should play.
    func watchForStall(_ isDue: Bool, at now: Duration) {
        if !isDue {
            stallTimer.deadline = nil
        } else if stallTimer.deadline.map({ $0 <= now }) ?? true {
            stallTimer.call(around: now + StallWatch.pace, tolerance: StallWatch.pace / 4)
        }
    }

    /// Disables all sources except the threads until `resume`.
    func pause() {
        timer.deadline = nil
        stallTimer.deadline = nil
        player?.isEnabled = false
    }

    func resume() { player?.isEnabled = true }
}
