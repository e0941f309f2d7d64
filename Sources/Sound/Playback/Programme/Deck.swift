import ALSA

/// A programme from one position on, read ahead in one format: a ring and its feeder.
final class Deck: ProgrammeDeck {
    let format: StreamFormat
    let ring: ProgrammeRing
    let feeder: Feeder

    /// - Parameters:
    ///   - ahead: frames to read ahead.
    ///   - history: played frames to keep, for rewinding.
    init(format: StreamFormat, finder: TrackFinder, ahead: Int, history: Int) {
        self.format = format
        ring = ProgrammeRing(capacity: history + ahead, history: history, channels: format.channels)
        feeder = Feeder(ring: ring, rate: format.rate, finder: finder)
    }

    var marks: [ProgrammeMark] { feeder.marks }
    var endIndex: Int? { ring.endIndex }
}

/// A position in the programme: a frame of a track.
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
