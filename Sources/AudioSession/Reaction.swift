/// What an event asks for by itself, before the consequences for the directive, the episode and the saved state
/// are derived.
struct Reaction {
    /// Changes of the programme: load, seek, tear down, rebuild.
    var programme: [Action] = []
    var notifications: [Notification] = []
    /// Why an episode begins, if one does.
    var cause: InterruptionReason?
    var savesUrgently = false
    var answer: Answer?
    /// The command asked for sound: `deferred` if there is none yet.
    var asksForSound = false
    var remarks: [Remark] = []
}

extension AudioSession {
    /// Derives all consequences of the facts that an event changed, and puts the actions in order.
    mutating func settle(since before: AudioSession, _ reaction: Reaction) -> [Action] {
        var notifications = reaction.notifications
        notifications += settleEpisode(cause: reaction.cause)
        notifications += duckNotifications(since: before.duckLevel)

        let apply = settleDirective(since: before.directive, jumped: reaction.programme.contains { $0.isJump })
        // What is to fall silent does so where it is, before it is moved elsewhere.
        var actions = directive == .silent ? apply + reaction.programme : reaction.programme + apply
        if facts.volume != before.facts.volume { actions.append(.setVolume(facts.volume)) }
        if isMicrophoneMuted != before.isMicrophoneMuted { actions.append(.muteMicrophone(isMicrophoneMuted)) }
        if reaction.savesUrgently || !reaction.programme.isEmpty || !facts.savesLike(before.facts) {
            actions.append(.save(urgently: reaction.savesUrgently))
        }
        actions += notifications.map(Action.post) + reaction.remarks.map(Action.log)
        if let answer = reaction.answer {
            actions.append(.answer(reaction.asksForSound && directive == .silent ? .deferred : answer))
        }
        return actions
    }

    /// Opens or closes the episode, so that there is one iff something blocks.
    private mutating func settleEpisode(cause: InterruptionReason?) -> [Notification] {
        guard let blocking = blockingReason else { return closeEpisode() }
        guard facts.episode == nil else { return [] }
        let reason = cause ?? blocking
        facts.episode = Episode(reason: reason)
        return [.began(reason)]
    }

    /// What resumes when an episode is over (contract, section 4): the intent, as the user left it; but an end that
    /// does not recommend resuming pauses what nobody asked for meanwhile.
    mutating func closeEpisode() -> [Notification] {
        guard let episode = facts.episode else { return [] }
        facts.episode = nil
        if !episode.recommendsResuming, episode.lastWord == nil, facts.intent == .playing, policy.hasPlaybackInterface {
            facts.intent = .paused
        }
        return [.ended(episode.recommendsResuming ? .shouldResume : [])]
    }

    func duckNotifications(since before: Level?) -> [Notification] {
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
