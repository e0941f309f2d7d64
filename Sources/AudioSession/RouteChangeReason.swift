/// Why the route changed (Apple: `AVAudioSession.RouteChangeReason`).
public enum RouteChangeReason: String, Hashable, Sendable {
    /// The device that was playing is gone, and another is used in its place.
    case oldDeviceUnavailable
    /// A device earlier in the order of preference has returned, and is used again.
    case newDeviceAvailable
}
