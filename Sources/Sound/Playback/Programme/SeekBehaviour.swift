/// How far libsndfile's own seeking is to be trusted.
enum SeekBehaviour {
    /// To the frame.
    case direct
    /// libsndfile 1.2 lands beside the target on the last page of an Ogg stream, and the first block after a seek may
    /// lack its overlap. So the seek goes to a place before, and what lies between is decoded.
    case ogg
    /// To the frame, but what follows is off for a while, as an MP3's frames borrow bits from those before them. So the
    /// seek goes to a place before, here too.
    case mpeg
    /// Not at all.
    case sequential

    /// Twice the longest Vorbis block, frames: after it every overlap is complete.
    private static let settling = 16_384
    /// Frames after which no bit is borrowed from before an MP3 seek any more, with much to spare.
    private static let reservoir = 32_768
    /// The longest an Ogg page can last, frames: 255 packets of half the longest block each, and a half.
    private static let longestPage = 256 * 4096

    /// The frame to let libsndfile seek to; nil where the file is to be decoded from its start.
    func entry(for target: Int, of frameCount: Int?) -> Int? {
        switch self {
        case .direct: return target
        case .sequential: return nil
        case .mpeg: return target > Self.reservoir ? target - Self.reservoir : nil
        case .ogg:
            guard let frameCount else { return nil }
            let entry = min(target - Self.settling, frameCount - Self.longestPage)
            return entry > 0 ? entry : nil
        }
    }
}
