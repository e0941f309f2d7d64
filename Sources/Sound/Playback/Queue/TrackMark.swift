import ALSA

/// The position at which a track begins in the ring. A mark consists of a ring index and the frame of the track at that
/// index.
public struct TrackMark: Sendable, Hashable {
    /// The index of the first device frame that belongs to the track.
    public internal(set) var ringIndex: Int
    /// The number of the track in its buffer, counted from 0. It identifies the track even if two tracks begin at the
    /// same index because one of them is empty.
    public let number: Int
    /// The index of the track in the list of tracks.
    public let track: Int
    /// The frame of the track at `ringIndex`, rounded down.
    public let frame: Int
    /// The fraction of a track frame that was lost when `frame` was rounded down. It is a numerator, and the device's
    /// rate is the denominator. It is rarely 0 if a track follows another one through the same resampler.
    public let fraction: Int
    /// The rate of the track in Hz.
    public let rate: Int
    /// The number of frames of the track, if it is known for certain.
    public let length: Int?
    /// The number of frames of the track, which may be an estimate, or nil if it is unknown.
    public let likelyLength: Int?

    /// Returns the frame of the track that is nearest to a device frame. The result is not beyond the track's length.
    /// - Parameters:
    ///   - index: the ring index of the device frame.
    ///   - deviceRate: the device's rate in Hz.
    public func playhead(at index: Int, deviceRate: Int) -> Playhead {
        let distance = max(0, index - ringIndex)
        let nearest = frame + (distance * rate + fraction + deviceRate / 2) / deviceRate
        return Playhead(track: track, frame: min(nearest, max(frame, length ?? nearest)), rate: rate)
    }

    /// Returns the length of the track, or nil if it is unknown or if playback has passed an estimated length.
    /// - Parameters:
    ///   - index: the ring index of the device frame being heard.
    ///   - deviceRate: the device's rate in Hz.
    func trackLength(at index: Int, deviceRate: Int) -> TrackLength? {
        let frame = playhead(at: index, deviceRate: deviceRate).frame
        if let length { return TrackLength(length: Duration(frames: length, rate: rate), isCertain: true) }
        guard let likelyLength, likelyLength >= frame else { return nil }
        return TrackLength(length: Duration(frames: likelyLength, rate: rate), isCertain: false)
    }
}

/// The length of a track, either from the header of its file or estimated.
struct TrackLength {
    let length: Duration
    let isCertain: Bool

    var ifCertain: Duration? { isCertain ? length : nil }
}
