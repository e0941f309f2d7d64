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

    /// Renders frames, and ends the track if the last frame was its last one.
    func run(frames: Int) throws(PCMError) -> Int {
        defer { passBoundaries() }
        return try render(frames: frames)
    }
}

extension OfflineEngine {
    /// Loads a track, and removes the answer from the events.
    /// - Returns: the track that was loaded, or nil if none can be.
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
