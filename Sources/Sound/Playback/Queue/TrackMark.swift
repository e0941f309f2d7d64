import ALSA

/// Where a track begins in the ring: a ring index, and the frame of the track at that index.
public struct TrackMark: Sendable, Hashable {
    /// Index of the first device frame that belongs to the track.
    public internal(set) var ringIndex: Int
    /// The number of the track in its deck, from 0. Two tracks can begin at the same index, as a track can be empty.
    public let number: Int
    /// Index into the tracks.
    public let track: Int
    /// Frame of the track at `ringIndex`, rounded down.
    public let frame: Int
    /// The fraction of a track frame that rounding `frame` down cut off, as a numerator over the device's rate. If a
    /// track follows another through the same resampler, its first frame rarely coincides with a frame of the device.
    public let fraction: Int
    /// Rate of the track, Hz.
    public let rate: Int
    /// Frames of the track, if they are known for certain.
    public let length: Int?
    /// Frames of the track, possibly estimated; nil if unknown.
    public let likelyLength: Int?

    /// The track's frame nearest to a device frame, not beyond the track's length.
    /// - Parameters:
    ///   - index: ring index of the device frame.
    ///   - deviceRate: the device's rate, Hz.
    public func playhead(at index: Int, deviceRate: Int) -> Playhead {
        let distance = max(0, index - ringIndex)
        let nearest = frame + (distance * rate + fraction + deviceRate / 2) / deviceRate
        return Playhead(track: track, frame: min(nearest, max(frame, length ?? nearest)), rate: rate)
    }

    /// The length of the track, if it is known; nil, too, if playback has passed an estimated length.
    /// - Parameters:
    ///   - index: ring index of the device frame being heard.
    ///   - deviceRate: the device's rate, Hz.
    func trackLength(at index: Int, deviceRate: Int) -> TrackLength? {
        let frame = playhead(at: index, deviceRate: deviceRate).frame
        if let length { return TrackLength(length: Duration(frames: length, rate: rate), isCertain: true) }
        guard let likelyLength, likelyLength >= frame else { return nil }
        return TrackLength(length: Duration(frames: likelyLength, rate: rate), isCertain: false)
    }
}

/// The length of a track: as the header of its file says, or an estimate.
struct TrackLength {
    let length: Duration
    let isCertain: Bool

    var ifCertain: Duration? { isCertain ? length : nil }
}
