/// An audio session with the semantics of Apple's `AVAudioSession`, for a device whose interruptions arrive by wire.
///
/// A session is a pure value: pass it each event and its time, and carry out the actions that it returns. It uses no
/// clock, no file and no thread, so any program can embed, copy, compare and save it, or explore its states exhaustively.
/// One thread at a time may modify a session; copies are independent.
///
/// The output is *derived* from facts after every event and never accumulated, so no lost or duplicate event can
/// unbalance it. The facts are the user's ``intent``, the active signals, and whether the media services are available.
/// <doc:Semantics> specifies the behaviour.
///
///     var session = Session(policy: Policy(signals: [SignalPolicy(id: "phone-call", effect: .pause)]))
///     session.handle(.boot(Boot(saved: nil, trackCount: 1)), at: .zero)           // … .apply(.play(0 dB))
///     session.handle(.edge(Edge("phone-call", asserted: true)), at: .seconds(2))  // … .apply(.silent), .post(began)
public struct Session: Sendable {
    /// The configured behaviour; see ``adopt(_:at:)``.
    public private(set) var policy: Policy
    var facts: Facts

    /// A session that waits for its boot event: stopped, without a track.
    public init(policy: Policy) {
        self.policy = policy
        facts = Facts(signals: policy.signals.count, sounds: policy.sounds.count, volume: policy.volume)
    }

    /// Applies an event. The first event must be ``Event/boot(_:)``.
    ///
    /// Never fails: an event that makes no sense changes nothing, and is returned as a ``Remark`` if it belongs in the
    /// journal.
    ///
    /// - Parameters:
    ///   - event: what happened.
    ///   - now: when it happened, on any clock that never goes back. The saved state's instants must be on the same clock.
    /// - Returns: the actions to carry out, in this order; empty if there is nothing to do.
    @discardableResult
    public mutating func handle(_ event: Event, at now: Duration) -> [Action] {
        let before = self
        var reaction = Reaction()
        switch event {
        case .boot(let boot): return start(boot, at: now)
        case .edge(let edge): handle(edge, at: now, &reaction)
        case .edges(let edges): handle(edges, at: now, &reaction)
        case .awoke(let edges, let devices): wake(edges, devices, at: now, &reaction)
        case .soundEnded: endSound(&reaction)
        case .soundBroken: breakSound(&reaction)
        case .announcementExpired: dropExpired(by: now, &reaction)
        case .soundReadable(let sound, let isReadable): note(sound, isReadable: isReadable, &reaction)
        case .delayElapsed(let end): return finish(end, since: before, at: now)
        case .fault(let fault): handle(fault, at: now, &reaction)
        case .cleared(let fault): clear(fault, &reaction)
        case .command(let command): handle(command, at: now, &reaction)
        case .mediaServicesLost, .mediaServicesReset, .configurationChanged, .captureLost, .captureReturned, .routeLost,
            .routeBack, .routeFound:
            handleDevice(event, &reaction)
        case .trackBegan(let track): facts.track = track
        case .playbackEnded: endPlayback(&reaction)
        case .tracksAvailable(let count): facts.trackCount = count
        }
        return settle(since: before, at: now, reaction)
    }

    /// Replaces the policy, and derives the output again, as after an event.
    ///
    /// - Parameters:
    ///   - policy: the new policy. It must have the same signals and sounds in the same order.
    ///   - now: the time, on the clock of the events.
    /// - Returns: the actions to carry out, in this order; nil if the new policy has other signals or sounds, and then the
    ///   session is unchanged.
    public mutating func adopt(_ policy: Policy, at now: Duration) -> [Action]? {
        guard policy.signals.map(\.id) == self.policy.signals.map(\.id),
            policy.sounds.map(\.id) == self.policy.sounds.map(\.id)
        else { return nil }
        let before = self
        self.policy = policy
        var reaction = Reaction()
        // Another cue, or one that repeats from now on, is another sound.
        if let due = dueRequest, due == before.dueRequest,
            name(of: due) != before.name(of: due) || repeats(due) != before.repeats(due)
        {
            reaction.sounds.stop = .reloaded
        }
        return settle(since: before, at: now, reaction)
    }
}

extension Session: Hashable {
    /// Hashes only the facts: sessions that are compared usually share a policy, and hashing must be fast enough to
    /// explore every state.
    public func hash(into hasher: inout Hasher) { hasher.combine(facts) }
}

// MARK: - Current state

extension Session {
    /// What the user wants.
    public var intent: Intent { facts.intent }
    /// Why the intent last changed. Sessions that differ only in it are equal.
    public var intentCause: IntentCause { facts.intentCause.value }
    /// The number of the current track, from 0; nil if there is no track.
    public var track: Int? { facts.trackCount > 0 ? facts.track : nil }
    /// The level that the user has set for the music.
    public var volume: Level { facts.volume }
    /// Whether the audio device is available.
    public var servicesAvailable: Bool { facts.servicesAvailable }
    /// Whether another device, or an empty jack, is in the place of the preferred device.
    public var isOnFallback: Bool { facts.isOnFallback }
    /// The episode in progress; nil if there is none.
    public var episode: Episode? { facts.episode }
    /// Whether an episode is in progress.
    public var isInterrupted: Bool { facts.episode != nil }

    /// What should be heard of the music now.
    public var directive: Directive {
        guard facts.intent == .playing, facts.trackCount > 0, facts.servicesAvailable, facts.episode == nil else {
            return .silent
        }
        let level = duckLevel ?? .full
        guard let effect = announcementEffect else { return .play(level) }
        return policy.pauses(effect) ? .silent : .play(min(level, policy.ceiling(of: effect) ?? .full))
    }

    /// Whether the music plays, even at the level `mute`.
    var isPlaying: Bool { directive != .silent }

    /// The lowest active ducking level, or the one that a `ResumeDelay` holds, whether or not anything plays; nil if
    /// nothing ducks.
    public var duckLevel: Level? { activeDuckLevel ?? facts.heldDuck?.level }

    /// The lowest level of an active ducking signal; nil if there is none.
    var activeDuckLevel: Level? {
        var lowest: Level?
        for signal in activeIndices {
            guard let level = policy.duckLevel(of: policy.signals[signal].effect) else { continue }
            lowest = min(level, lowest ?? level)
        }
        return lowest
    }

    /// Whether an active signal mutes the microphone, whatever the category.
    public var isMicrophoneMuted: Bool { activeIndices.contains { policy.signals[$0].effect == .muteMicrophone } }

    /// The active signals, in the policy's order: asserted, and neither suppressed nor dropped as stuck.
    public var active: [SignalID] { activeIndices.map { policy.signals[$0].id } }

    /// The active signals that block, in the policy's order.
    public var blocking: [SignalID] {
        activeIndices.map { policy.signals[$0] }.filter { policy.interruptionReason(of: $0.effect) != nil }.map(\.id)
    }

    /// The active signals that duck the music, in the policy's order.
    public var ducking: [SignalID] {
        activeIndices.map { policy.signals[$0] }.filter { policy.duckLevel(of: $0.effect) != nil }.map(\.id)
    }

    /// All current faults, sorted by signal and kind.
    public var faults: [Fault] {
        let ofSignals = zip(policy.signals, facts.signals).flatMap { signal, now in
            Fault.Kind.allCases.filter(now.has).map { Fault(signal.id, $0) }
        }
        let ofSounds = unreadableSounds.map { Fault(sound: $0) }
        return (ofSignals + ofSounds + (isCaptureLost ? [.capture] : [])).sorted()
    }

    /// Whether the music rewinds by `ResumeRewind` when it next plays.
    public var rewindsOnResume: Bool { facts.rewinds }

    /// The state to save, so that a later boot can start from it.
    public var saved: SavedSession {
        let held = zip(policy.signals, facts.signals).compactMap { signal, now in
            now.standing.map {
                SavedSession.Held(signal: signal.id, standing: $0, began: now.began, isStuck: now.has(.stuck))
            }
        }
        return SavedSession(
            intent: facts.intent, intentCause: intentCause, track: facts.track, volume: facts.volume, held: held,
            episode: facts.episode, wasPlaying: isPlaying, wantsRecording: policy.canRecord ? isRecordingWanted : nil)
    }

    /// The indices of the active signals in the policy.
    var activeIndices: some Sequence<Int> {
        facts.signals.indices.lazy.filter { [facts] in facts.signals[$0].standing == .active }
    }

    /// Why active signals block: `default` if any of them blocks for that reason; nil if none blocks.
    var blockingReason: InterruptionReason? {
        var found: InterruptionReason?
        for signal in facts.signals.indices where facts.signals[signal].standing == .active {
            guard let reason = policy.interruptionReason(of: policy.signals[signal].effect) else { continue }
            if reason == .default { return reason }
            found = reason
        }
        return found
    }
}
