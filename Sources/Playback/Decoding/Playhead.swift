import ALSA

/// A place in the programme: a frame of a track.
public struct Playhead: Sendable, Hashable {
    /// Index into the engine's tracks.
    public let track: Int
    /// Frame of the track, at the track's own rate; 0 is its first.
    public let frame: Int
    /// Rate of the track, Hz.
    public let rate: Int

    public init(track: Int, frame: Int, rate: Int) {
        self.track = track
        self.frame = frame
        self.rate = rate
    }

    /// Time from the track's start, rounded to the nanosecond; turned back into frames it gives `frame` exactly.
    public var position: Duration {
        Duration(frames: frame, rate: rate)
    }
}
