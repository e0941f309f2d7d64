/// What an event asks for by itself, before the consequences for the directive, the episode and the saved state
/// are derived.
struct Reaction {
    /// Changes of the programme: load, seek, tear down, rebuild.
    var programme: [Action] = []
    var notifications: [SessionNotification] = []
    /// Why an episode begins, if one does.
    private(set) var cause: InterruptionReason?
    var savesUrgently = false
    var answer: Answer?
    /// The command asked for sound: `deferred` if there is none yet.
    var asksForSound = false
    var remarks: [Remark] = []

    /// A blocking signal began. If several begin at once, `default` is the reason if any of them has it.
    mutating func interrupts(for reason: InterruptionReason?) {
        guard let reason, cause == nil || reason == .default else { return }
        cause = reason
    }

    /// Whatever began has done so while nobody watched.
    mutating func interruptsFromSuspension() {
        if cause != nil { cause = .appWasSuspended }
    }
}

extension Session {
    /// Derives all consequences of the facts that an event changed, and puts the actions in order.
    mutating func settle(since before: Session, at now: Duration, _ reaction: Reaction) -> [Action] {
        var notifications = reaction.notifications
        notifications += settleEpisode(cause: reaction.cause, at: now)
        holdDuck(since: before.activeDuckLevel, at: now)
        notifications += duckNotifications(since: before.duckLevel)

        let apply = settleDirective(since: before.directive, jumped: reaction.programme.contains { $0.isJump })
        // What is to fall silent does so where it is, before it is moved elsewhere.
        var actions = directive == .silent ? apply + reaction.programme : reaction.programme + apply
        if facts.volume != before.facts.volume { actions.append(.setVolume(facts.volume)) }
        if isMicrophoneMuted != before.isMicrophoneMuted { actions.append(.muteMicrophone(isMicrophoneMuted)) }
        let savesOtherwise = !facts.savesLike(before.facts) || isPlaying != before.isPlaying
        if reaction.savesUrgently || !reaction.programme.isEmpty || savesOtherwise {
            actions.append(.save(urgently: reaction.savesUrgently))
        }
        actions += notifications.map(Action.post) + reaction.remarks.map(Action.log)
        if let answer = reaction.answer {
            actions.append(.answer(reaction.asksForSound && directive == .silent ? .deferred : answer))
        }
        return actions
    }

    /// Opens or closes the episode, so that there is one iff something blocks, or has blocked until less than a
    /// `ResumeDelay` ago.
    private mutating func settleEpisode(cause: InterruptionReason?, at now: Duration) -> [SessionNotification] {
        guard let blocking = blockingReason else { return delayEpisodeEnd(from: now) ? [] : closeEpisode() }
        facts.unblockedAt = nil
        guard facts.episode == nil else { return [] }
        let reason = cause ?? blocking
        facts.episode = Episode(reason: reason)
        return [.began(reason)]
    }

    /// - Parameter now: when nothing blocked any more, unless that is known already.
    /// - Returns: whether the episode, if there is one, continues for now.
    mutating func delayEpisodeEnd(from now: Duration) -> Bool {
        guard facts.episode != nil, policy.resumeDelay > .zero else { return false }
        facts.unblockedAt = facts.unblockedAt ?? now
        return true
    }

    /// Holds the level at which the last duck has just ended for a `ResumeDelay`, unless another one begins.
    /// - Parameter before: the lowest level of an active duck before the event.
    mutating func holdDuck(since before: Level?, at now: Duration) {
        if activeDuckLevel != nil || policy.resumeDelay == .zero {
            facts.heldDuck = nil
        } else if let before {
            facts.heldDuck = Facts.HeldDuck(level: before, since: now)
        }
    }

    /// What resumes when an episode is over (contract, section 4): the intent, as the user left it; but an end that
    /// does not recommend resuming pauses what nobody asked for meanwhile.
    mutating func closeEpisode() -> [SessionNotification] {
        guard let episode = facts.episode else { return [] }
        facts.episode = nil
        facts.unblockedAt = nil
        if !episode.recommendsResuming, episode.lastWord == nil, facts.intent == .playing, policy.hasPlaybackInterface {
            facts.intent = .paused
        }
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

    private mutating func settleDirective(since before: Directive, jumped: Bool) -> [Action] {
        if jumped { facts.rewinds = false }
        let now = directive
        guard now != before else { return [] }
        guard now == .silent else {
            defer { facts.rewinds = false }
            return [.apply(now, rewinding: facts.rewinds)]
        }
        // Stopped against the user's wish: what was just heard has been missed.
        facts.rewinds = facts.intent == .playing
        return [.apply(now, rewinding: false)]
    }
}

extension Action {
    /// Whether it moves the programme to another place.
    var isJump: Bool {
        switch self {
        case .load, .seek: true
        default: false
        }
    }
}
