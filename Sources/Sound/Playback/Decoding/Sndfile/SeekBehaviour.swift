/// The accuracy with which libsndfile seeks in a file.
enum SeekBehaviour {
    /// Seeking is accurate to the frame.
    case direct
    /// libsndfile 1.2 misses targets on the last page of an Ogg stream, and the first block after a seek may lack its
    /// overlap. Therefore, the reader must seek to an earlier frame and decode up to the target.
    case ogg
    /// Seeking is impossible.
    case sequential

    /// The number of frames to decode before the target, which is twice the longest Vorbis block. By then, every
    /// overlap is complete.
    private static let settling = 16_384
    /// The length of the longest Ogg page in frames. It contains 255 packets, each of half the longest block, plus
    /// another half block.
    private static let longestPage = 256 * 4096

    /// Returns the frame to which libsndfile should seek, or nil to decode the file from its start.
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
