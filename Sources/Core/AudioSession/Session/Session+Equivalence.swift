/// Sessions that respond alike to every event, of which an exploration needs to visit only one.
extension Session {
    /// Replaces the facts that affect only what a later response reports, or the position from which music continues.
    ///
    /// Sessions that differ only in these facts have the same directive, sounds, recording and episodes after every
    /// event. The facts are the following.
    ///
    /// * The faults of signals, except `stuck`.
    /// * Whether the music rewinds, the reason for the episode, and times that are only compared with nil.
    /// * The track, if the list repeats. Each track then has a successor and a predecessor, so no track differs from
    ///   another.
    /// * Whether the library is paused or stopped, if the list repeats.
    /// * The user's last commands, as far as they only matter to `ResumeAfterReset=no` and to players.
    /// * The time at which a signal began, if neither its `ResumeWithin` nor a cue needs it.
    package mutating func forgetDetails() {
        for signal in facts.signals.indices { forgetDetails(ofSignal: signal) }
        facts.rewinds = false
        facts.delay.unblockedAt = facts.delay.unblockedAt.map { _ in .zero }
        facts.delay.heldDuck = facts.delay.heldDuck.map { DelayFacts.HeldDuck(level: $0.level, since: .zero) }
        if policy.repeats != .none, facts.library.track < facts.library.trackCount { facts.library.track = 0 }
        // In a list that ends, and in a choice, only a paused source responds to a seek past the end of a track.
        if facts.library.intent == .stopped, policy.repeats != .none, facts.library.choice == nil {
            facts.library.intend(.paused, because: facts.library.intentCause.value)
        }
        facts.episode?.reason = .default
        guard policy.resumesAfterReset, policy.players.isEmpty else { return }
        facts.library.playedWhileLost = false
        facts.recording.wasRequestedWhileLost = false
        if facts.episode?.lastCommand != nil { facts.episode?.lastCommand = .play }
        if policy.recordsDuringInterruptions {
            facts.episode?.recordingWord = nil
        } else if facts.episode?.recordingWord != nil {
            facts.episode?.recordingWord = .record
        }
    }

    private mutating func forgetDetails(ofSignal signal: Int) {
        if facts.signals[signal].hasFaultBesidesStuck { facts.signals[signal].removeFaultsBesidesStuck() }
        let signalPolicy = policy.signals[signal]
        guard facts.signals[signal].began != .zero, !policy.hasCues else { return }
        let needsTime = signalPolicy.resume == .auto && signalPolicy.resumeWithin.map { $0 >= .zero } ?? false
        if !needsTime { facts.signals[signal].began = .zero }
    }

    /// Returns true if both signals are in the same state.
    package func hasEqualStates(_ signal: Int, _ other: Int) -> Bool { facts.signals[signal] == facts.signals[other] }

    /// Sorts the states of signals that the policy treats alike.
    ///
    /// - Parameter before: for each signal, the nearest signal before it that is treated alike, or -1 if there is none.
    /// - Returns: for each signal, the signal whose state it now has, or nil if nothing has changed.
    package mutating func sortSignals(alike before: [Int]) -> [Int]? {
        var sources: [Int]?
        for start in before.indices {
            var signal = start
            while before[signal] >= 0, facts.signals[signal].rank < facts.signals[before[signal]].rank {
                let other = before[signal]
                facts.signals.swapAt(signal, other)
                var order = sources ?? Array(before.indices)
                order.swapAt(signal, other)
                sources = order
                signal = other
            }
        }
        return sources
    }
}

extension Session {
    /// A hash of the facts in which sessions of an exploration differ. It takes much less time than `hashValue`, and an
    /// exploration spends much of its time hashing.
    package var fingerprint: Int {
        var hash: UInt64 = 0
        func mix(_ value: Int) {
            let product = (hash ^ UInt64(bitPattern: Int64(value))).multipliedFullWidth(by: 0x9E37_79B9_7F4A_7C15)
            hash = product.high ^ product.low
        }
        for signal in facts.signals { mix(signal.rank) }
        mix(facts.library.intent.number << 32 | facts.library.track << 16 | (facts.library.choice?.track ?? -1))
        mix(facts.recording.number << 16 | (facts.episode?.number ?? 0))
        for announcement in facts.sounds.announcements {
            mix(Int(announcement.id) << 1 | (announcement.expires == nil ? 0 : 1))
        }
        for accepted in facts.sounds.accepted { mix(accepted == nil ? 0 : 1) }
        for input in facts.sources.sounding { mix(input + 1) }
        for input in facts.sources.inputs { mix(input.number) }
        for player in facts.sources.players { mix(player.number) }
        var flags = facts.delay.heldDuck.map { Int($0.level.decibels * 256) << 8 } ?? 0
        for flag in [
            facts.servicesAvailable, facts.library.playedWhileLost, facts.rewinds, facts.isOnFallback,
            facts.delay.unblockedAt == nil, facts.volume == .full,
        ] { flags = flags << 1 | (flag ? 1 : 0) }
        mix(flags)
        return Int(truncatingIfNeeded: hash)
    }
}

extension Intent {
    fileprivate var number: Int { self == .playing ? 0 : self == .paused ? 1 : 2 }
}

extension Episode {
    fileprivate var number: Int {
        let recording = recordingWord.map { $0 == .record ? 1 : 2 } ?? 0
        return 1 | (recommendsResuming ? 2 : 0) | (reason == .default ? 4 : 0) | lastCommand.number << 3
            | recording << 5
    }
}

extension Episode.LastCommand? {
    fileprivate var number: Int { map { $0 == .play ? 1 : $0 == .pause ? 2 : 3 } ?? 0 }
}

extension InputFacts {
    fileprivate var number: Int {
        intent.number | lastCommand.number << 2 | (isHeldByUser ? 16 : 0) | (playedWhileLost ? 32 : 0)
            | (isPassedOver ? 64 : 0) | (ceased == nil ? 128 : 0)
    }
}

extension PlayerFacts {
    fileprivate var number: Int {
        let pause = pause.map { $0 == .hold ? 1 : 2 } ?? 0
        let report = report == .playing ? 0 : report == .paused ? 1 : 2
        return report | pause << 2 | lastCommand.number << 4 | (doubt == nil ? 0 : isPaused ? 64 : 128)
    }
}

extension RecordingFacts {
    fileprivate var number: Int {
        (isWanted ? 1 : 0) | (hasDevice ? 2 : 0) | (wasRequestedWhileLost ? 4 : 0)
    }
}

extension SavedSession {
    /// Replaces what only determines the position from which music continues, as `Session.forgetDetails` does.
    package mutating func forgetDetails() { wasPlaying = false }
}
