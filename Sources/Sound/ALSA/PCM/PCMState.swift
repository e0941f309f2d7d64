import CALSA

/// The state of a PCM, as in `snd_pcm_state_t`.
public enum PCMState: Int, Sendable, Hashable {
    /// Opened, but not configured.
    case open
    /// Configured, but not prepared.
    case setup
    /// Ready for writing and starting.
    case prepared
    case running
    /// Stopped by an underrun.
    case underrun
    case draining
    case paused
    /// Stopped because the system or the device was suspended.
    case suspended
    /// The device has disappeared.
    case disconnected

    @_noLocks @_noAllocation
    init(_ state: snd_pcm_state_t) {
        self =
            switch state {
            case SND_PCM_STATE_OPEN: .open
            case SND_PCM_STATE_SETUP: .setup
            case SND_PCM_STATE_PREPARED: .prepared
            case SND_PCM_STATE_RUNNING: .running
            case SND_PCM_STATE_XRUN: .underrun
            case SND_PCM_STATE_DRAINING: .draining
            case SND_PCM_STATE_PAUSED: .paused
            case SND_PCM_STATE_SUSPENDED: .suspended
            default: .disconnected
            }
    }
}
