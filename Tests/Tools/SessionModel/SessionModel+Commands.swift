import AudioSession

/// The users' commands.
extension SessionModel {
    mutating func command(_ command: Command) {
        var target: Duration?
        reaction.answer = .success
        switch command == .playPause ? (plays ? .pause : .play) : command {
        case .play:
            say("play")
            intent = .playing
            for index in signals.indices where signals[index].isStuck { drop(index) }
            reaction.answer = tracks.isEmpty ? .noActionableNowPlayingItem : nil
        case .pause:
            say("pause")
            if intent == .stopped { reaction.answer = .noActionableNowPlayingItem } else { intent = .paused }
        case .stop:
            say("stop")
            intent = .stopped
            target = .zero
        case .next: target = step(by: 1)
        case .previous: target = step(by: -1)
        case .seek(let to, _):
            if intent == .stopped || tracks.isEmpty {
                reaction.answer = .noActionableNowPlayingItem
            } else {
                target = to >= trackLength ? step(by: 1) : max(.zero, to)
            }
        case .announce(let announcement): announce(announcement.sound.rawValue)
        case .hush: hush()
        case .volume(let level): volume = level
        case .record: record(true)
        case .stopRecording: record(false)
        case .playPause: break
        }
        // A jump that silences the music fades out at the old position, and that fade-out cannot be reversed.
        settle(jump: target)
        reaction.answer = reaction.answer ?? (plays ? .success : .deferred)
    }

    private mutating func say(_ word: String) {
        episode?.lastCommand = word
        device.playedWhileLost = word == "play" && !device.isThere
    }

    private mutating func step(by step: Int) -> Duration? {
        guard !tracks.isEmpty else {
            reaction.answer = .noActionableNowPlayingItem
            return nil
        }
        if policy.repeats == .none, !tracks.indices.contains(playback.track + step) {
            intent = .stopped
            playback.track = 0
        } else {
            playback.track = (playback.track + step + tracks.count) % tracks.count
        }
        return .zero
    }
}
