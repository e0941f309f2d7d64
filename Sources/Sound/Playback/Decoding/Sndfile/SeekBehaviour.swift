/// How accurately libsndfile seeks in a file.
enum SeekBehaviour {
    /// Exact to the frame.
    case direct
    /// libsndfile 1.2 misses targets on the last page of an Ogg stream, and the first block after a seek can lack its
    /// overlap. So seek to an earlier frame, and decode up to the target.
    case ogg
    /// Seeking is impossible.
    case sequential

    /// Twice the longest Vorbis block, in frames: by then, every overlap is complete.
    private static let settling = 16_384
    /// The longest Ogg page, in frames: 255 packets of half the longest block each, and another half.
    private static let longestPage = 256 * 4096

    /// The frame for libsndfile to seek to; nil to decode the file from its start.
    func entry(for target: Int, of frameCount: Int?) -> Int? {
        switch self {
        case .direct: return target
        case .sequential: return nil
        case .ogg:
            guard let frameCount else { return nil }
            let entry = min(target - Self.settling, frameCount - Self.longestPage)
            return entry > 0 ? entry : nil
        }
    }
}
