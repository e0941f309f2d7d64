/// What tacet-stream receives.
public enum StreamReception {
    /// The most streams, each of which needs a thread and a megabyte. Those that come first in the configuration are
    /// received.
    public static let mostStreams = 8
}
