import AudioSession
import Configuration
import ResumeStore

/// Power cuts and boots. Values in a saved state do not change while the power is off.
extension SessionModel {
    mutating func cutPower() {
        // While the system sleeps, the device may have changed unnoticed.
        if wakes == nil { device.isBack = device.isThere }
        playback.wasPlaying = playback.since != nil
        inputs.audible = nil
        playback.position = reported
        playback.since = nil
        isOn = false
        wakes = nil
        recorder?.cutPower()
        for index in outputs.indices { (outputs[index].ready, outputs[index].off) = (nil, nil) }
        announcements = []
        accepted = [:]
        fellAsleep = nil
        heard = nil
    }

    mutating func boot() {
        isOn = true
        lastCommand = now
        (hearing.since, hearing.fault) = (now, nil)
        (device.isThere, device.isOnFallback) = (device.isBack, false)
        (episodeEnds, heldDuck) = (nil, nil)
        forgetFades()
        (playback.owesRewind, playback.rampEnds) = (false, now)
        let played = bootPlayers() + bootInputs().map { .input($0) }
        recorder?.boot()
        for index in signals.indices {
            signals[index].releases = nil
            (signals[index].isCueDone, signals[index].cuePlayed) = (false, .zero)
            guard !signals[index].isHigh, signals[index].standing != .active else { continue }
            (signals[index].standing, signals[index].isStuck) = (nil, false)
        }
        readLines()
        for index in signals.indices { signals[index].isCleared = false }
        if !device.isThere { reaction.notifications.append("mediaServicesWereLost") }
        if selected != nil { reaction.notifications.append("sourceChanged(\(source))") }
        if isBlocked { episode = episode ?? Episode() }
        for owner in played { play(owner, dropsStuckSignals: false) }
        // The sources are known before the device is, so that nothing was played while it was lost.
        for owner in owners { self[owner].playedWhileLost = false }
        if isBlocked {
            reaction.notifications.append("began(appWasSuspended)")
        } else {
            endEpisode()
        }
        noteDuck()
    }

    /// Starts the music that a boot has found at this position, which already includes the rewind. The store determines
    /// how much of the last interval was saved. Therefore, the saved position of playing music may be up to an interval
    /// before the power cut, and the rewind starts from that position.
    /// - Returns: The reason why the position is wrong, or nil if it is possible.
    mutating func begin(at found: Duration) -> String? {
        let latest = playback.position
        var range = latest...latest
        if playback.wasPlaying {
            let bounds = [max(latest - configuration.state.interval, min(playback.anchor, latest)), latest].map {
                playback.position = $0
                return rewound
            }
            range = bounds[0]...bounds[1]
        }
        playback.position = found
        playback.anchor = min(playback.anchor, found)
        move()
        return range.contains(found) ? nil : "resumes at \(found), not within \(range)"
    }

    /// Creates a board that has booted.
    /// - Parameters:
    ///   - state: The saved state, or nil if there was none.
    ///   - elapsed: The time since it was saved, according to the wall clock.
    public init(
        _ configuration: Configuration, tracks: [(name: String, length: Duration)], from state: SavedState?,
        elapsed: Duration, levels: [SignalID: Bool], isDeviceAvailable: Bool
    ) {
        self.init(configuration, tracks: tracks)
        device.isBack = isDeviceAvailable
        for index in signals.indices { signals[index].isHigh = levels[signals[index].policy.id] ?? false }
        if let state { restore(state, elapsed: elapsed) }
        boot()
    }

    private mutating func restore(_ state: SavedState, elapsed: Duration) {
        library.intent = Intent(rawValue: state.intent) ?? library.intent
        volume = Level(decibels: state.volume).map(limited) ?? volume
        (playback.track, playback.position, playback.anchor) = (
            state.trackNumber, state.position, state.continuedFrom
        )
        episode = state.episode.map {
            Episode(
                lastCommands: $0.lastCommand.map { [.library: $0] } ?? [:], recordingWord: $0.recordingWord,
                recommends: $0.recommendsResuming)
        }
        if let wanted = state.wantsRecording { recorder?.wanted = wanted }
        for held in state.held {
            guard let index = signals.firstIndex(where: { $0.name == held.signal }) else { continue }
            signals[index].standing = Signal.Standing(rawValue: held.standing)
            signals[index].began = now - held.age - elapsed
            signals[index].isStuck = held.isStuck
        }
    }
}
