import ALSA

/// Music from one position on, read ahead in one format: a ring and its feeder.
final class PlaybackBuffer: BufferedPlayback {
    let format: StreamFormat
    let ring: PlaybackRing
    let prefetcher: Prefetcher

    /// - Parameters:
    ///   - ahead: frames to read ahead.
    ///   - history: played frames to keep, for rewinding.
    init(format: StreamFormat, finder: TrackFinder, ahead: Int, history: Int) {
        self.format = format
        ring = PlaybackRing(capacity: history + ahead, history: history, channels: format.channels)
        prefetcher = Prefetcher(ring: ring, rate: format.rate, finder: finder)
    }

    var marks: [TrackMark] { prefetcher.marks }
    var endIndex: Int? { ring.endIndex }
}

/// A position in the music: a frame of a track.
public struct Playhead: Sendable, Hashable {
    /// Index into the engine's tracks.
    public let track: Int
    /// Frame of the track, at the track's own rate; the first is 0.
    public let frame: Int
    /// Rate of the track, Hz.
    public let rate: Int

    public init(track: Int, frame: Int, rate: Int) {
        self.track = track
        self.frame = frame
        self.rate = rate
    }

    /// Time from the track's start, rounded to the nanosecond. Converted back to frames, it is exactly `frame`.
    public var position: Duration {
        Duration(frames: frame, rate: rate)
    }
}
