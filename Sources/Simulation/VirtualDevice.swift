import ALSA
import Playback

/// The sound device of a rehearsal: it plays every frame at its exact time, and comes, goes and changes as the
/// scenario says.
struct VirtualDevice {
    var isThere = true
    /// What most boards have.
    var format = StreamFormat(rate: 48_000, channels: 2)
}
