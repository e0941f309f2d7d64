/// Boots with and without a saved state, and reloads (see <doc:Semantics#Power>).
extension Session {
    mutating func start(_ boot: Boot, at now: Duration) -> [Action] {
        restore(boot, at: now)
        let begun = restoreInputs(boot, at: now)
        let players = facts.sources.players
        var reaction = Reaction()
        // Assertions are applied before deassertions, as with edges that were read together. An interruption that
        // replaced another one while the power was off therefore continues the episode.
        for signal in facts.signals.indices where [.asserted, .assumed].contains(line(of: signal, in: boot)) {
            begin(signal, at: now, &reaction)
        }
        for signal in facts.signals.indices where line(of: signal, in: boot) == .deasserted {
            if facts.signals[signal].standing != nil { end(signal, at: now, &reaction) }
        }
        reaction.noOpReasons.removeAll { if case .lateEnd = $0 { true } else { false } }

        // The reaction's actions for the music are not needed, because the player also starts from scratch.
        if boot.servicesAvailable != facts.servicesAvailable {
            if boot.servicesAvailable { resetServices(&reaction) } else { loseServices(&reaction) }
        }
        if boot.captureAvailable != facts.recording.hasDevice {
            if boot.captureAvailable { returnCapture(&reaction) } else { loseCapture() }
        }
        if let predecessor = boot.predecessor { inheritSounds(of: predecessor, at: now, &reaction) }
        var notifications = reaction.sounds.endings + reaction.notifications
        if source != boot.predecessor?.source ?? .library { notifications.append(.sourceChanged(source)) }
        if blockingReason == nil {
            // Time without power, however short, is treated as an elapsed `ResumeDelay`.
            if boot.predecessor == nil || !delayEpisodeEnd(from: now) { notifications += closeEpisode() }
        } else {
            facts.delay.unblockedAt = nil
            facts.episode = facts.episode ?? Episode(reason: .appWasSuspended)
            if boot.predecessor?.episode == nil { notifications.append(.began(.appWasSuspended)) }
            for input in begun { note(.play, input) }
        }
        holdDuck(since: boot.predecessor?.activeDuckLevel, at: now)
        notifications += duckNotifications(since: boot.predecessor?.duckLevel)

        // A reload that silences the music rewinds it, as an interruption does.
        if boot.predecessor != nil, boot.saved?.wasPlaying == true, facts.library.intent == .playing,
            libraryDirective == .silent
        {
            facts.rewinds = true
        }

        // The microphone is always set, and is set first, because the previous process may have left it muted.
        var actions: [Action] = [
            .muteMicrophone(isMicrophoneMuted), .record(recordingDirective), .setVolume(facts.volume),
        ]
        if source != .library { actions.append(.select(source)) }
        actions.append(.apply(directive, rewinding: libraryDirective != .silent && facts.rewinds))
        if libraryDirective != .silent { facts.rewinds = false }
        if let due = dueRequest {
            noteBegin()
            // The music starts from silence.
            actions.append(.playSound(order(for: due, since: .silent)))
            notifications.append(.soundBegan(name(of: due), id: due.announcement ?? 0))
        }
        actions += settlePlayers(since: players, at: now)
        actions.append(.save(urgently: reaction.savesUrgently))
        return actions + notifications.map(Action.post) + reaction.noOpReasons.map(Action.log)
    }

    private mutating func restore(_ boot: Boot, at now: Duration) {
        facts = Facts(policy, volume: boot.saved?.volume ?? policy.volume)
        for (index, sound) in policy.sounds.enumerated() where boot.unreadableSounds.contains(sound.id) {
            facts.sounds.unreadable[index] = true
        }
        facts.library.intend(
            boot.saved?.intent ?? (policy.autoPlay ? .playing : .stopped), because: boot.saved?.intentCause ?? .start)
        facts.discouraging.value = boot.predecessor?.discouraging ?? []
        facts.library.trackCount = boot.trackCount
        facts.library.track = min(boot.saved?.track ?? 0, max(boot.trackCount - 1, 0))
        facts.library.choice = boot.saved?.choice
        facts.episode = boot.saved?.episode ?? boot.predecessor?.episode
        facts.servicesAvailable = boot.predecessor?.servicesAvailable ?? true
        facts.library.playedWhileLost = boot.predecessor?.playedWhileLost ?? false
        facts.isOnFallback = boot.predecessor?.isOnFallback ?? false
        facts.recording = boot.predecessor?.recording ?? RecordingFacts()
        facts.recording.isWanted = boot.saved?.wantsRecording ?? policy.recorder?.autoRecord ?? false
        facts.delay.unblockedAt = boot.predecessor?.unblockedAt
        facts.delay.heldDuck = boot.predecessor?.heldDuck
        // If the music was silent, the saved position already includes the rewind.
        facts.rewinds = boot.predecessor == nil && boot.saved?.wasPlaying ?? false
        for (signal, policy) in policy.signals.enumerated() {
            if boot.lines[policy.id]?.isReadable == false { facts.signals[signal].insert(.lost) }
            guard let held = boot.saved?.held.first(where: { $0.signal == policy.id }) else { continue }
            facts.signals[signal].standing = held.standing
            facts.signals[signal].began = held.began
            facts.signals[signal].isCueDone = boot.predecessor?.doneCues.contains(policy.id) ?? false
            if held.isStuck { facts.signals[signal].insert(.stuck) }
        }
    }

    private func line(of signal: Int, in boot: Boot) -> Boot.Line {
        boot.lines[policy.signals[signal].id] ?? .deasserted
    }
}
