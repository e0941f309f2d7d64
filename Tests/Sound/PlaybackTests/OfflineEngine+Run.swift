import ALSA
import Playback

extension OfflineEngine {
    convenience init(
        tracks: [Track], successor: @escaping (Int) -> Int?, predecessor: @escaping (Int) -> Int?,
        jumpFade: Duration = .milliseconds(20)
    ) {
        self.init(
            tracks: tracks, order: TrackOrder(successor: successor, next: successor, previous: predecessor),
            jumpFade: jumpFade)
    }

    /// Renders, and ends the track whose last frame that was.
    func run(frames: Int) throws(PCMError) -> Int {
        defer { passBoundaries() }
        return try render(frames: frames)
    }
}
