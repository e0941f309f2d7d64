/// What a user asks for: from D-Bus, the command line or a button (Apple: `MPRemoteCommandCenter`).
public enum Command: Hashable, Sendable {
    case play, pause, playPause, stop, next, previous
    /// A position of the current track, from its start. `trackLength` says where it ends, if that is known.
    case seek(to: Duration, trackLength: Duration? = nil)
    case volume(Level)
}
