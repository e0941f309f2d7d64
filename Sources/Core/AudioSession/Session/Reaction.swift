/// The direct effects of an event, collected before the consequences for the directive, the episode and the saved state
/// are derived.
struct Reaction {
    /// The actions that load a track, seek, or tear down or rebuild the playback.
    var playback: [Action] = []
    var notifications: [SessionNotification] = []
    /// The reason for the episode if one begins.
    private(set) var cause: InterruptionReason?
    var savesUrgently = false
    var answer: Answer?
    /// True if the command requests playback, so that its answer is `deferred` while the directive is silent.
    var requestsSound = false
    var noOpReasons: [NoOpReason] = []
    /// True if the music fell silent although the user wanted it to play, or nil to derive this from the intent after
    /// the event.
    var stopsAgainstWish: Bool?
    var sounds = SoundReaction()
    /// The player whose report is the event, or nil if it is another event.
    var reportingPlayer: PlayerID?
    /// The command for the player of the selected input.
    var playerCommand: (player: PlayerID, command: PlayerCommand)?
    /// The announcement that the event requested.
    var announced: Announcement.ID?

    /// Records that a signal began. If there is a reason, the signal blocks. If several signals begin at once, the
    /// reason for the episode is `default` if that is the reason of any of them.
    mutating func interrupts(for reason: InterruptionReason?) {
        guard let reason, cause == nil || reason == .default else { return }
        cause = reason
    }

    /// Records that the interruptions began while the system was asleep.
    mutating func interruptsFromSuspension() {
        if cause != nil { cause = .appWasSuspended }
    }
}

extension Session {
    /// Derives all consequences of the facts that an event changed, and orders the actions.
    mutating func settle(since before: Session, at now: Duration, _ reaction: Reaction) -> [Action] {
        var reaction = reaction
        let soundChanges = settleSounds(since: before, at: now, &reaction)
        var notifications = reaction.sounds.endings + reaction.notifications
        if source != before.source { notifications.append(.sourceChanged(source)) }
        notifications += settleEpisode(cause: reaction.cause, at: now)
        holdDuck(since: before.activeDuckLevel, at: now)
        notifications += duckNotifications(since: before.duckLevel)
        let due = soundChanges ? dueRequest : nil
        if let due { notifications.append(.soundBegan(name(of: due), id: due.announcement ?? 0)) }

        let players = settlePlayers(
            since: before.facts.sources.players, at: now, reporting: reaction.reportingPlayer)
        let apply = settleDirective(since: before, reaction)
        // If the music falls silent, it does so at its old position, before it jumps.
        var actions = directive == .silent ? apply + reaction.playback : reaction.playback + apply
        // The music is ducked or silenced before the sound plays.
        if soundChanges {
            let restarts = reaction.sounds.stop == .restarted
            actions.append(
                due.map { .playSound(order(for: $0, since: before.directive, restarts: restarts)) } ?? .stopSound)
        }
        if facts.volume != before.facts.volume { actions.append(.setVolume(facts.volume)) }
        actions += players
        if let (player, command) = reaction.playerCommand { actions.append(.player(player, command)) }
        if isMicrophoneMuted != before.isMicrophoneMuted { actions.append(.muteMicrophone(isMicrophoneMuted)) }
        if recordingDirective != before.recordingDirective { actions.append(.record(recordingDirective)) }
        let savedStateChanged =
            !facts.savesLike(before.facts) || isPlaying != before.isPlaying
            || libraryDirective.isSilent != before.libraryDirective.isSilent
        if reaction.savesUrgently || !reaction.playback.isEmpty || savedStateChanged {
            actions.append(.save(urgently: reaction.savesUrgently))
        }
        actions += notifications.map(Action.post) + reaction.noOpReasons.map(Action.log)
        if let announced = reaction.announced {
            actions.append(.answer(dueRequest == .announcement(announced) ? .success : .deferred))
        } else if let answer = reaction.answer {
            actions.append(.answer(reaction.requestsSound && directive == .silent ? .deferred : answer))
        }
        return actions
    }

    /// Opens or closes the episode, so that there is one if and only if something blocks or a `ResumeDelay` runs.
    private mutating func settleEpisode(cause: InterruptionReason?, at now: Duration) -> [SessionNotification] {
        guard let blocking = blockingReason else { return delayEpisodeEnd(from: now) ? [] : closeEpisode() }
        facts.delay.unblockedAt = nil
        guard facts.episode == nil else { return [] }
        let reason = cause ?? blocking
        facts.episode = Episode(reason: reason)
        return [.began(reason)]
    }

    /// Starts the `ResumeDelay` of the episode in progress, unless it already runs.
    ///
    /// - Returns: true if the episode continues for now, or false if there is no episode or no delay.
    mutating func delayEpisodeEnd(from now: Duration) -> Bool {
        guard facts.episode != nil, policy.resumeDelay > .zero else { return false }
        facts.delay.unblockedAt = facts.delay.unblockedAt ?? now
        return true
    }

    /// Holds the level of the last duck for a `ResumeDelay` after its end, until another duck begins.
    ///
    /// - Parameter before: the lowest level of an active duck before the event.
    mutating func holdDuck(since before: Level?, at now: Duration) {
        if activeDuckLevel != nil || policy.resumeDelay == .zero {
            facts.delay.heldDuck = nil
        } else if let before {
            facts.delay.heldDuck = DelayFacts.HeldDuck(level: before, since: now)
        }
    }

    /// Ends the episode, if there is one. The intent stays as the user left it, with one exception. If the end does not
    /// recommend resuming and the user has not sent a command during the episode, the music pauses (see
    /// <doc:Semantics#Resuming>).
    mutating func closeEpisode() -> [SessionNotification] {
        guard let episode = facts.episode else { return [] }
        facts.episode = nil
        facts.delay.unblockedAt = nil
        let waits = !episode.recommendsResuming && policy.hasPlaybackInterface
        let commands = facts.sources.inputs.map(\.lastCommand)
        func lastCommand(_ owner: Int?) -> Episode.LastCommand? {
            owner.map { commands[$0] } ?? episode.lastCommand
        }
        if waits {
            pauseSources(because: .interruptionEnded(facts.discouraging.value)) { lastCommand($0) != nil }
        }
        releasePlayers(waits: waits, lastCommand)
        endRecordingEpisode(episode)
        for input in facts.sources.inputs.indices { facts.sources.inputs[input].lastCommand = nil }
        facts.discouraging.value = []
        return [.ended(episode.recommendsResuming ? .shouldResume : [])]
    }

    func duckNotifications(since before: Level?) -> [SessionNotification] {
        switch (before, duckLevel) {
        case (nil, nil): []
        case (nil, let level?): [.duckBegan(level)]
        case (_?, nil): [.duckEnded]
        case (let old?, let new?): old == new ? [] : [.duckChanged(new)]
        }
    }

    private mutating func settleDirective(since before: Session, _ reaction: Reaction) -> [Action] {
        if reaction.playback.contains(where: \.isJump) { facts.rewinds = false }
        let selection: [Action] = source == before.source ? [] : [.select(source)]
        guard directive != before.directive || !selection.isEmpty else { return [] }
        let rewinds = settleRewind(since: before.libraryDirective, reaction)
        return selection + [.apply(directive, rewinding: rewinds)]
    }

    /// Records whether the library's music rewinds when it next plays.
    ///
    /// - Returns: true if it plays now and rewinds.
    private mutating func settleRewind(since before: Directive, _ reaction: Reaction) -> Bool {
        let now = libraryDirective
        guard now != before else { return false }
        if now.isSilent {
            // If the music stopped against the user's wish, the listener probably missed the last moments before that.
            facts.rewinds = reaction.stopsAgainstWish ?? (facts.library.intent == .playing)
            return false
        }
        defer { facts.rewinds = false }
        return facts.rewinds
    }
}

extension Action {
    /// True if the action moves the music to another position.
    var isJump: Bool {
        switch self {
        case .load, .seek, .choose, .leaveChoice: true
        default: false
        }
    }
}
