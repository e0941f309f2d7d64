import Playback

extension OfflineEngine {
    /// Renders, and ends the track whose last frame that was.
    func run(frames: Int) throws(PCMError) -> Int {
        defer { passBoundaries() }
        return try render(frames: frames)
    }
}
