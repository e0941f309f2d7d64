import AudioSession

/// The signals, and the episodes and ducks that they cause.
extension SessionModel {
    func blocks(_ signal: Signal) -> Bool {
        switch signal.policy.effect {
        case .pause: true
        case .duck: policy.mode == .spokenAudio
        case .muteMicrophone:
            policy.category != .playback && !policy.options.contains(.overrideMutedMicrophoneInterruption)
        case .checkpoint, .ignore: false
        }
    }

    var activeDuck: Level? {
        active.compactMap { signal in
            if case .duck(let level) = signal.policy.effect, policy.mode == .default { level } else { nil }
        }.min()
    }

    var duck: Level? { activeDuck ?? heldDuck?.level }

    // MARK: Edges and faults

    mutating func edge(_ index: Int, _ isAsserted: Bool) {
        edges([index], isAsserted)
        settle(reason: signals[index].policy.effect == .muteMicrophone ? "builtInMicMuted" : "default")
    }

    /// Applies edges that belong to one event.
    mutating func edges(_ indices: [Int], _ isAsserted: Bool) {
        for index in indices {
            signals[index].isHigh = isAsserted
            if isAsserted { begin(index) } else { end(index) }
        }
    }

    /// Reads the lines after a boot or on waking. Signals begin before others end, and they end after their
    /// `ReleaseDelay`.
    mutating func readLines() {
        for index in signals.indices where signals[index].isHigh { begin(index) }
        for index in signals.indices where !signals[index].isHigh && signals[index].standing != nil {
            let delay = signals[index].releaseDelay
            if delay == .zero { end(index) } else { signals[index].releases = signals[index].releases ?? now + delay }
        }
    }

    private mutating func begin(_ index: Int) {
        signals[index].releases = nil
        guard signals[index].standing == nil else { return }
        signals[index].began = now
        (signals[index].isCueDone, signals[index].cuePlayed) = (false, .zero)
        let hasEffect = ![.ignore, .checkpoint].contains(signals[index].policy.effect)
        let isSuppressed =
            policy.prefersNoInterruptionsFromSystemAlerts && signals[index].policy.isAlert && hasEffect
        signals[index].standing = isSuppressed ? .suppressed : .active
    }

    private mutating func end(_ index: Int) {
        signals[index].releases = nil
        if signals[index].standing == .active { advise(signals[index]) }
        signals[index].standing = nil
        if signals[index].isStuck { signals[index].isCleared = true }
        signals[index].isStuck = false
    }

    mutating func release(_ index: Int) {
        end(index)
        settle()
    }

    mutating func getStuck(_ index: Int) {
        signals[index].isStuck = true
        if signals[index].policy.whenStuck == .release { drop(index) }
        settle()
    }

    mutating func drop(_ index: Int) {
        guard signals[index].standing == .active else { return }
        advise(signals[index])
        signals[index].standing = .dropped
    }

    /// Determines whether the episode still recommends resuming. Call this when a signal's interruption is over.
    private mutating func advise(_ signal: Signal) {
        guard blocks(signal) else { return }
        let isLate = signal.policy.resumeWithin.map { now - signal.began > $0 } ?? false
        if signal.policy.resume == .manual || isLate { episode?.recommends = false }
    }

    // MARK: Episodes and ducks

    mutating func endEpisode() {
        guard let episode else { return }
        let waits = !episode.recommends && policy.hasPlaybackInterface
        for owner in owners where waits && episode.lastCommands[owner] == nil { pauseUnasked(owner) }
        releasePlayers(waits: waits, episode)
        // The same table applies to recording. For a recording, “paused” means that it is not wanted.
        if waits, episode.recordingWord == nil, recorder?.ignoresEpisodes == false { recorder?.wanted = false }
        self.episode = nil
        episodeEnds = nil
        reaction.notifications.append(episode.recommends ? "ended(shouldResume)" : "ended()")
    }

    mutating func noteDuck() {
        switch (reaction.duckBefore, duck) {
        case (nil, let level?): reaction.notifications.append("duckBegan(\(level))")
        case (_?, nil): reaction.notifications.append("duckEnded")
        case (let old?, let new?) where old != new: reaction.notifications.append("duckChanged(\(new))")
        default: break
        }
    }
}
