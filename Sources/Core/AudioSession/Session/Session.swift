/// An audio session with the semantics of Apple's `AVAudioSession`, for a device whose interruptions arrive by wire.
///
/// A session is a pure value. Pass it each event and its time, and perform the actions that it returns. It does not use
/// a clock, files or threads, so any program can embed, copy, compare and save it, or explore its states exhaustively.
/// Only one thread at a time may modify a session. Copies are independent.
///
/// The output is *derived* from facts after every event and never accumulated, so a lost or duplicate event cannot
/// leave the session in a wrong state. The facts are the user's ``intent``, the active signals, and whether the media
/// services are available. <doc:Semantics> specifies the behaviour.
///
///     var session = Session(policy: Policy(signals: [SignalPolicy(id: "phone-call", effect: .pause)]))
///     session.handle(.boot(Boot(saved: nil, trackCount: 1)), at: .zero)           // … .apply(.play(0 dB))
///     session.handle(.edge(Edge("phone-call", asserted: true)), at: .seconds(2))  // … .apply(.silent), .post(began)
public struct Session: Sendable {
    private var sharedPolicy: SharedPolicy
    var facts: Facts

    /// The configured behaviour. See ``adopt(_:at:)``.
    public var policy: Policy { _read { yield sharedPolicy.policy } }

    /// Creates a session that waits for its boot event. It is stopped and has no track.
    public init(policy: Policy) {
        sharedPolicy = SharedPolicy(policy)
        facts = Facts(policy, volume: policy.volume)
    }

    /// Applies an event. The first event must be ``Event/boot(_:)``.
    ///
    /// This never fails. An event that does not apply changes nothing, and results in a ``NoOpReason`` if the journal
    /// should mention it.
    ///
    /// - Parameters:
    ///   - event: the event.
    ///   - now: the time of the event, on any monotonic clock. The times in the saved state must use the same clock.
    /// - Returns: the actions to perform, in this order. The array is empty if there is nothing to do.
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
        case .trackBegan(let track): note(track)
        case .choiceEnded, .choiceLost: leaveChoice(&reaction)
        case .playbackEnded: endPlayback(&reaction)
        case .tracksAvailable(let count): facts.library.trackCount = count
        case .idle(let choice):
            choose(choice, at: now, &reaction)
            reaction.answer = nil
        case .inputBegan(let input): begin(input, at: now, &reaction)
        case .inputCeased(let input): end(input, at: now, &reaction)
        case .player(let player, let report):
            handle(report, from: player, at: now)
            reaction.reportingPlayer = player
        case .playerFound(let player, let report): find(player, report, at: now, &reaction)
        }
        return settle(since: before, at: now, reaction)
    }

    /// Replaces the policy and derives the output again, as after an event.
    ///
    /// - Parameters:
    ///   - policy: the new policy. It must have the same signals, sounds, inputs and players in the same order.
    ///   - now: the time, on the clock of the events.
    /// - Returns: the actions to perform, in this order, or nil if the new policy has others. In that
    ///   case, the session is unchanged.
    public mutating func adopt(_ policy: Policy, at now: Duration) -> [Action]? {
        guard policy.signals.map(\.id) == self.policy.signals.map(\.id),
            policy.sounds.map(\.id) == self.policy.sounds.map(\.id), policy.inputs == self.policy.inputs,
            policy.players == self.policy.players
        else { return nil }
        let before = self
        sharedPolicy = SharedPolicy(policy)
        facts.volume = min(facts.volume, policy.maximumVolume)
        var reaction = Reaction()
        // A different cue is treated as a different sound, and so is a cue that did not repeat before.
        if let due = dueRequest, due == before.dueRequest,
            name(of: due) != before.name(of: due) || repeats(due) != before.repeats(due)
        {
            reaction.sounds.stop = .reloaded
        }
        return settle(since: before, at: now, reaction)
    }
}

/// A policy that all copies of a session share, because an exploration makes millions of copies.
private final class SharedPolicy: Sendable, Equatable {
    let policy: Policy

    init(_ policy: Policy) { self.policy = policy }

    static func == (a: SharedPolicy, b: SharedPolicy) -> Bool { a === b || a.policy == b.policy }
}

extension Session: Hashable {
    /// Hashes only the facts, because sessions that are compared usually share a policy, and hashing must be fast
    /// enough to explore every state.
    public func hash(into hasher: inout Hasher) { hasher.combine(facts) }
}

// MARK: - Current state

extension Session {
    /// The user's intent for the selected source.
    public var intent: Intent { intent(of: selectedOwner) }
    /// The reason why the intent last changed. Comparisons ignore it.
    public var intentCause: IntentCause {
        (selectedOwner.map { facts.sources.inputs[$0].intentCause } ?? facts.library.intentCause).value
    }
    /// The number of the current track, or nil if there is no track. The library's tracks are counted from 0.
    public var track: Int? { facts.library.choice?.track ?? (facts.library.trackCount > 0 ? facts.library.track : nil) }
    /// The level that the user has set for the music, which is never above the policy's maximum.
    public var volume: Level { facts.volume }
    /// True if the audio device is available.
    public var servicesAvailable: Bool { facts.servicesAvailable }
    /// True if another device replaces the preferred device, or its jack is empty.
    public var isOnFallback: Bool { facts.isOnFallback }
    /// The episode in progress, or nil if there is none.
    public var episode: Episode? { facts.episode }
    /// True if an episode is in progress.
    public var isInterrupted: Bool { facts.episode != nil }

    /// The required state of the music at the moment.
    public var directive: Directive {
        guard intent == .playing, hasContent, facts.servicesAvailable, facts.episode == nil else {
            return .silent
        }
        let level = duckLevel ?? .full
        guard let effect = announcementEffect else { return .play(level) }
        return policy.pauses(effect) ? .silent : .play(min(level, policy.ceiling(of: effect) ?? .full))
    }

    /// True if the library is selected and its music plays, even at the level `mute`.
    public var isLibraryPlaying: Bool { libraryDirective != .silent }

    /// True if the music plays, even at the level `mute`.
    var isPlaying: Bool { directive != .silent }

    /// The lowest active ducking level, or the level that a `ResumeDelay` holds, whether or not anything plays, or nil
    /// if nothing ducks.
    public var duckLevel: Level? { activeDuckLevel ?? facts.delay.heldDuck?.level }

    /// The lowest level of an active ducking signal, or nil if there is none.
    var activeDuckLevel: Level? {
        var lowest: Level?
        for signal in activeIndices {
            guard let level = policy.duckLevel(of: policy.signals[signal].effect) else { continue }
            lowest = min(level, lowest ?? level)
        }
        return lowest
    }

    /// True if an active signal mutes the microphone, regardless of the category.
    public var isMicrophoneMuted: Bool { activeIndices.contains { policy.signals[$0].effect == .muteMicrophone } }

    /// The active signals, in the order of the policy. They are asserted, and neither suppressed nor dropped as stuck.
    public var active: [SignalID] { activeIndices.map { policy.signals[$0].id } }

    /// The active signals that block, in the order of the policy.
    public var blocking: [SignalID] {
        activeIndices.map { policy.signals[$0] }.filter { policy.interruptionReason(of: $0.effect) != nil }.map(\.id)
    }

    /// The active signals that duck the music, in the order of the policy.
    public var ducking: [SignalID] {
        activeIndices.map { policy.signals[$0] }.filter { policy.duckLevel(of: $0.effect) != nil }.map(\.id)
    }

    /// All current faults, sorted by name and kind.
    public var faults: [Fault] {
        let ofSignals = zip(policy.signals, facts.signals).flatMap { signal, now in
            Fault.Kind.allCases.filter(now.has).map { Fault(signal.id, $0) }
        }
        let ofSounds = unreadableSounds.map { Fault(sound: $0) }
        let ofPlayback = facts.playbackFault.map { [Fault(playback: $0)] } ?? []
        let ofCapture: [Fault] = isCaptureLost ? [.capture] : []
        return (ofSignals + ofSounds + ofPlayback + ofCapture + playerFaults).sorted()
    }

    /// True if a sound server mutes everything that is played.
    public var isMutedFromOutside: Bool { facts.playbackFault == .muted }

    /// True if the music rewinds by `ResumeRewind` when it next plays.
    public var rewindsOnResume: Bool { facts.rewinds }

    /// The state to save, from which a later boot can start.
    public var saved: SavedSession {
        let held = zip(policy.signals, facts.signals).compactMap { signal, now in
            now.standing.map {
                SavedSession.Held(signal: signal.id, standing: $0, began: now.began, isStuck: now.has(.stuck))
            }
        }
        return SavedSession(
            intent: facts.library.intent, intentCause: facts.library.intentCause.value, track: facts.library.track,
            volume: facts.volume,
            held: held, episode: facts.episode, wasPlaying: libraryDirective != .silent,
            wantsRecording: policy.canRecord ? isRecordingWanted : nil, inputs: savedInputs, players: savedPlayers,
            choice: facts.library.choice)
    }

    /// The indices of the active signals in the policy.
    var activeIndices: some Sequence<Int> {
        facts.signals.indices.lazy.filter { [signals = facts.signals] in signals[$0].standing == .active }
    }

    /// The reason why active signals block, which is `default` if that is the reason of any of them, or nil if none
    /// blocks.
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
