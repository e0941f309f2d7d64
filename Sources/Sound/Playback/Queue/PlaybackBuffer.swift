import ALSA

/// Music from one position on, read ahead in one format. It consists of a ring and its prefetcher.
final class PlaybackBuffer: BufferedPlayback {
    let format: StreamFormat
    let ring: PlaybackRing
    let prefetcher: Prefetcher

    /// - Parameters:
    ///   - ahead: the number of frames to read ahead.
    ///   - history: the number of played frames to keep for rewinding.
    init(format: StreamFormat, finder: TrackFinder, ahead: Int, history: Int) {
        self.format = format
        ring = PlaybackRing(capacity: history + ahead, history: history, channels: format.channels)
        prefetcher = Prefetcher(ring: ring, rate: format.rate, finder: finder)
    }

    var marks: [TrackMark] { prefetcher.marks }
    var endIndex: Int? { ring.endIndex }
}

/// A position in the music, which consists of a track and a frame of this track.
public struct Playhead: Sendable, Hashable {
    /// The index of the track in the engine's list of tracks.
    public let track: Int
    /// The frame of the track, at the track's own rate. The first frame is 0.
    public let frame: Int
    /// The rate of the track in Hz.
    public let rate: Int

    public init(track: Int, frame: Int, rate: Int) {
        self.track = track
        self.frame = frame
        self.rate = rate
    }

    /// The time from the track's start, rounded to the nanosecond. Converting it back to frames results in exactly
    /// `frame`.
    public var position: Duration {
        Duration(frames: frame, rate: rate)
    }
}
