import AudioSession

/// The users' commands.
extension SessionModel {
    mutating func command(_ command: Command) {
        lastCommand = now
        var target: Duration?
        reaction.answer = .success
        switch command == .playPause ? (plays ? .pause : .play) : command {
        case .play:
            play(owner)
            reaction.answer = selected == nil && list.isEmpty ? .noActionableNowPlayingItem : nil
        case .pause:
            say("pause", to: owner)
            if intent == .stopped { reaction.answer = .noActionableNowPlayingItem } else { hold(.paused) }
        case .stop:
            say("stop", to: owner)
            hold(.stopped)
            target = owner == .library ? .zero : nil
        case .next where selected != nil, .previous where selected != nil, .seek where selected != nil:
            let player = players.first { $0.input == selected }
            reaction.answer = player.map { $0.state != .gone } ?? false ? .success : .noActionableNowPlayingItem
        case .next: target = step(by: 1)
        case .previous: target = step(by: -1)
        case .seek(let to, _):
            if intent == .stopped || list.isEmpty {
                reaction.answer = .noActionableNowPlayingItem
            } else {
                target = to >= trackLength ? step(by: 1) : max(.zero, to)
            }
        case .announce(let announcement): announce(announcement)
        case .hush: hush()
        case .volume(let level): volume = limited(level)
        case .record: record(true)
        case .stopRecording: record(false)
        // A scenario contains the request for a choice, and does not contain the numbers of tracks.
        case .playPause, .choose, .goTo: break
        }
        // A jump that silences the music fades out at the old position, and that fade-out cannot be reversed.
        settle(jump: target)
        reaction.answer = reaction.answer ?? (plays ? .success : .deferred)
    }

    /// Pauses or stops the selected source as the user wishes.
    private mutating func hold(_ intent: Intent) {
        let owner = owner
        self[owner].intent = intent
        self[owner].isHeld = true
        pausePlayers(of: owner)
    }

    /// Returns the level that applies if this volume is requested.
    func limited(_ level: Level) -> Level { level > policy.maximumVolume ? policy.maximumVolume : level }
}
