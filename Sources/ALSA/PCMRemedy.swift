import CALSA

/// What brings a running PCM back after a call failed.
public enum PCMRemedy: Sendable, Hashable {
    /// The call was interrupted: try again at once.
    case tryAgain
    /// It takes nothing at the moment: try again later.
    case wait
    /// What was queued has been played or is lost: prepare, fill and start anew.
    case prepare
    /// The system slept: resume, and where the hardware cannot, prepare.
    case resume
    /// It is gone, or broken in a way that only opening it anew may mend.
    case reopen

    /// - Parameters:
    ///   - code: `errno` code, positive.
    ///   - state: the PCM's state after the call.
    @_noLocks @_noAllocation
    public init(for code: Int32, in state: PCMState) {
        switch (code, state) {
        case (_, .disconnected), (ENODEV, _): self = .reopen
        case (EINTR, _): self = .tryAgain
        case (EAGAIN, .running), (EAGAIN, .prepared): self = .wait
        case (ESTRPIPE, _), (_, .suspended): self = .resume
        // An underrun; or somebody stopped it behind our back (EBADFD: not in the right state).
        case (EPIPE, _), (_, .underrun), (EBADFD, .setup), (EBADFD, .draining), (EBADFD, .paused): self = .prepare
        case (EAGAIN, _): self = .wait
        default: self = .reopen
        }
    }
}
