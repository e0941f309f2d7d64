import ALSA

@testable import Playback

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

extension OfflineEngine {
    /// Loads, and takes the answer out of the events.
    /// - Returns: the track loaded; nil if none can be.
    @discardableResult
    func loadNow(track: Int, at position: Duration, searching direction: SearchDirection = .forward) -> Int? {
        load(track: track, at: position, searching: direction)
        return events.takeAnswer()
    }
}

extension EventLog {
    fileprivate func takeAnswer() -> Int? {
        var answer: Int?
        for event in take() {
            switch event {
            case .loaded(let track): answer = track
            case .nothingToLoad: break
            default: append(event)
            }
        }
        return answer
    }
}
