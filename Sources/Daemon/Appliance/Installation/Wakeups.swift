import Systemd

/// What wakes an installation: its next deadline, the regular look for a stall, its player, and the threads that work for
/// it.
struct Wakeups {
    private let timer: EventTimer
    private let stallTimer: EventTimer
    /// Calls when the player has events.
    var player: EventSource?
    /// Those that call even during sleep.
    var threads: [EventSource] = []

    /// - Parameters:
    ///   - settle: called at the next deadline.
    ///   - lookForStall: called regularly while the music should be heard.
    init(in loop: EventLoop, settle: @escaping () -> Void, lookForStall: @escaping () -> Void) throws(SystemdError) {
        timer = try loop.timer(settle)
        stallTimer = try loop.timer(lookForStall)
    }

    /// - Parameter deadline: on CLOCK_MONOTONIC; nil: none.
    func settle(at deadline: Duration?) { timer.deadline = deadline }

    /// - Parameter isDue: whether the music should be heard.
    func watchForStall(_ isDue: Bool, at now: Duration) {
        if !isDue {
            stallTimer.deadline = nil
        } else if stallTimer.deadline.map({ $0 <= now }) ?? true {
            stallTimer.call(around: now + StallWatch.pace, tolerance: StallWatch.pace / 4)
        }
    }

    /// Nothing but the threads wakes it until `resume`.
    func pause() {
        timer.deadline = nil
        stallTimer.deadline = nil
        player?.isEnabled = false
    }

    func resume() { player?.isEnabled = true }
}
