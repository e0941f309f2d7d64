import CALSA

/// State of a PCM, as `snd_pcm_state` has it.
public enum PCMState: Int, Sendable, Hashable {
    /// Opened, not configured.
    case open
    /// Configured, not prepared.
    case setup
    /// Ready to be written to and started.
    case prepared
    case running
    /// Stopped by an underrun.
    case underrun
    case draining
    case paused
    /// Stopped by a suspend of the system or the device.
    case suspended
    /// The device is gone.
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
