import AudioSession

/// The tracks that the user has chosen in place of the library's list.
extension SessionModel {
    struct Chosen {
        let tracks: [(name: String, length: Duration)]
        let then: ChoiceRequest.Ending
        /// The place at which the library was left.
        let left: (track: Int, position: Duration)
    }

    /// The tracks that are played one after another.
    var list: [(name: String, length: Duration)] { chosen?.tracks ?? tracks }
    /// True if the list ends with its last track.
    private var ends: Bool { chosen.map { $0.then != .repeat } ?? (policy.repeats == .none) }
    var isLastTrack: Bool { ends && playback.track == list.count - 1 }
    /// True if the library follows the current track.
    var isLibraryNext: Bool { isLastTrack && chosen?.then == .continue }

    /// - Parameter found: The tracks that the request names, which are empty if nothing of it can be read.
    public mutating func choose(_ request: ChoiceRequest, _ found: [(name: String, length: Duration)]) {
        lastCommand = now
        guard !found.isEmpty else {
            reaction.answer = .noSuchContent
            return settle()
        }
        let before = source
        for index in inputs.all.indices where inputs.all[index].sounds { inputs.all[index].isPassedOver = true }
        if source != before { reaction.notifications.append("sourceChanged(\(source))") }
        let left = chosen?.left ?? (playback.track, playback.reached(by: now))
        chosen = Chosen(tracks: found, then: request.then, left: left)
        playback.track = 0
        play(.library)
        settle(jump: request.position)
        reaction.answer = plays ? .success : .deferred
    }

    /// Selects a neighbour of the current track.
    /// - Returns: The position at which it begins.
    mutating func step(by step: Int) -> Duration? {
        guard !list.isEmpty else {
            reaction.answer = .noActionableNowPlayingItem
            return nil
        }
        let target = playback.track + step
        if list.indices.contains(target) || !ends {
            playback.track = (target + list.count) % list.count
            return .zero
        }
        if chosen?.then == .continue { return leaveChoice() }
        library.intent = .stopped
        playback.track = 0
        return .zero
    }

    /// Continues the library.
    /// - Returns: The position at which it was left.
    mutating func leaveChoice() -> Duration {
        guard let left = chosen?.left else { return .zero }
        chosen = nil
        playback.track = left.track
        return left.position
    }

    // MARK: Idle times

    /// The time at which the playlist for idle times is chosen, or nil while something prevents it.
    var idleEnd: Duration? {
        guard let lastCommand, let after = configuration.playback.idleAfter, episode == nil else { return nil }
        guard !inputs.all.contains(where: \.sounds) else { return nil }
        guard library.intent == .playing || library.intent == .stopped && !library.isHeld else { return nil }
        return lastCommand + after
    }

    mutating func chooseIdlePlaylist() {
        choose(ChoiceRequest("", then: .repeat), idleTracks)
        lastCommand = nil
        reaction.answer = nil
    }
}
