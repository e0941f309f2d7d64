import ALSA

/// Where a track begins in the ring: a ring index beside the track's frame that belongs there.
public struct ProgrammeMark: Sendable, Hashable {
    /// Index of the first device frame that belongs to the track.
    public internal(set) var ringIndex: Int
    /// Counts the tracks of a deck, from 0. Two of them can begin at the same index, as a track can be empty.
    public let number: Int
    public let track: Int
    /// Frame of the track at `ringIndex`, rounded down.
    public let frame: Int
    /// What `frame` lacks, in fractions of a track frame: numerator over the device rate. Where a track follows another
    /// through the same resampler, its first frame seldom falls on a frame of the device.
    public let fraction: Int
    /// Rate of the track, Hz.
    public let rate: Int
    /// Frames of the track, if they are known for certain.
    public let length: Int?
    /// Frames of the track, as well as they are known.
    public let likelyLength: Int?

    /// The track's frame nearest to a device frame, not beyond the track's length.
    public func playhead(at index: Int, deviceRate: Int) -> Playhead {
        let distance = max(0, index - ringIndex)
        let nearest = frame + (distance * rate + fraction + deviceRate / 2) / deviceRate
        return Playhead(track: track, frame: min(nearest, max(frame, length ?? nearest)), rate: rate)
    }

    /// Length of the track, if it is known: nil as well once an estimate has turned out too short.
    /// - Parameter index: of the device frame being heard.
    public func trackLength(at index: Int, deviceRate: Int) -> Duration? {
        let frame = playhead(at: index, deviceRate: deviceRate).frame
        return (length ?? likelyLength.flatMap { $0 < frame ? nil : $0 }).map { Duration(frames: $0, rate: rate) }
    }
}
