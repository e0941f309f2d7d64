import AudioSession

extension Explorer {
    /// Returns the rule (see `ExplorationReport.rules`) that a state breaks, and how, or nil if all rules hold.
    func violation(in state: ExplorerState) -> Violation? {
        guard state.isOn else { return nil }
        let session = sessions[state.session]
        let blocks = effects.block(state.lines)
        if let violation = recordingViolation(state) { return violation }
        if session.volume > policy.maximumVolume {
            return (2, "the volume is \(session.volume) dB, and its maximum \(policy.maximumVolume) dB")
        }
        switch session.directive {
        case .play(let level):
            if blocks { return (1, "plays while something blocks") }
            if state.delaysEpisode { return (1, "plays during a ResumeDelay") }
            let ceiling = effects.ceiling(state)
            if level > ceiling { return (2, "plays at \(level) dB while ducked to \(ceiling) dB") }
            if state.userWantsQuiet { return (3, "plays although the user's last word was pause or stop") }
            if state.silencedPlayback == .waitsForUser {
                return (14, "plays after an end without shouldResume, and the user has not played")
            }
        case .silent:
            if !blocks, !state.delaysEpisode, session.intent == .playing, hasSoundDevice(state),
                !effects.pauses(session.due)
            {
                return (4, "silent, though nothing interrupts, the intent is playing and the device is available")
            }
        }
        let isNew = isUnchecked(state)
        if isNew, !canPlayAgain(state) { return (4, "a dead end: no play or record command brings it back") }
        if state.observedInterrupted != (blocks || state.delaysEpisode) {
            return (
                5,
                state.observedInterrupted
                    ? "an interruption began and has not ended, though nothing blocks"
                    : "something blocks, and no interruption began"
            )
        }
        if let violation = soundViolation(state) { return violation }
        guard isNew else { return nil }
        return rebootViolation(state) ?? permutationViolation(state) ?? chatterDifference(state)
    }

    /// Returns false if the rules that depend only on the session, the lines, the device and the time have just been
    /// checked in another state that differs only in the rest.
    private func isUnchecked(_ state: ExplorerState) -> Bool {
        var environment = UInt64(state.lines.asserted.rawValue) << 32 | UInt64(state.lines.chatters.rawValue) << 16
        if state.deviceIsAvailable { environment |= 1 }
        if state.late { environment |= 2 }
        return sessions.noteCheck(of: state.session, in: environment)
    }

    /// Returns true if the sound device is available, which it always is if recording is explored.
    func hasSoundDevice(_ state: ExplorerState) -> Bool { options.contains(.recording) || state.deviceIsAvailable }

    /// Checks rule 13, and what rules 3, 4 and 14 require of recording.
    private func recordingViolation(_ state: ExplorerState) -> Violation? {
        let session = sessions[state.session]
        if session.isMicrophoneMuted != effects.mute(state.lines) {
            return (13, "the microphone is \(session.isMicrophoneMuted ? "" : "not ")muted")
        }
        let isPrevented = !effects.recordAnyway && (effects.block(state.lines) || state.delaysEpisode)
        switch session.recording {
        case .on:
            if isPrevented { return (13, "records during an interruption") }
            if state.userWantsNoRecording { return (3, "records although the user's last word was to stop") }
            if state.pausedRecording == .waitsForUser {
                return (14, "records after an end without shouldResume, and the user has not asked for it")
            }
        case .paused:
            if !isPrevented, state.deviceIsAvailable || !options.contains(.recording) {
                return (4, "does not record, though it is wanted, nothing prevents it and the device is available")
            }
        case .off: break
        }
        return nil
    }

    /// Returns true if the music plays at full level and the session records after every line has been deasserted, the
    /// device has become available and the user has sent `play` and `record`.
    private func canPlayAgain(_ state: ExplorerState) -> Bool {
        var (session, lines) = (state.session, state.lines)
        func deliver(_ event: Int) {
            let outcome = sessions.outcome(session, event, late: state.late)
            session = outcome.session
            if outcome.exchange != 0 { lines.exchange(by: sessions.exchange(outcome.exchange)) }
        }
        while let signal = lines.chatters.first {
            lines.chatters[signal] = false
            lines.asserted[signal] = true
            deliver(alphabet.quiet(signal))
        }
        while let signal = lines.asserted.first {
            lines.asserted[signal] = false
            deliver(alphabet.edge(signal, asserted: false))
        }
        deliver(alphabet.episodeElapsed)
        deliver(alphabet.duckElapsed)
        if !state.deviceIsAvailable { deliver(alphabet.device(isAvailable: true, options)) }
        if effects.hasSounds { deliver(alphabet.hush) }
        deliver(alphabet.play)
        guard policy.canRecord else { return sessions[session].directive == .play(.full) }
        deliver(alphabet.record)
        return sessions[session].directive == .play(.full) && sessions[session].recording == .on
    }

    private func rebootViolation(_ state: ExplorerState) -> Violation? {
        // A boot cannot read a stable level from a chattering line, so the states before and after it are not
        // comparable.
        guard state.lines.chatters.isEmpty else { return nil }
        var session = state.session
        // Time without power is treated as an elapsed `ResumeDelay`, and announcements do not survive it.
        if effects.hasSounds { session = sessions.outcome(session, alphabet.hush, late: state.late).session }
        for event in [alphabet.episodeElapsed, alphabet.duckElapsed] {
            session = sessions.outcome(session, event, late: state.late).session
        }
        let before = sessions[session]
        let again = sessions[bootOutcome(state, from: sessions[state.session].saved).session]
        if again.recording != before.recording {
            return (6, "recording is \(before.recording) before a power cut, \(again.recording) after it")
        }
        guard again.directive != before.directive else { return nil }
        return (6, "\(before.directive) before a power cut, \(again.directive) after it, with the same lines")
    }

    private func permutationViolation(_ state: ExplorerState) -> Violation? {
        for reading in readings.all(of: state.lines) {
            let ends = Set(reading.orders.map { sessions.end(of: $0, from: state.session, late: state.late) })
            if ends.count > 1 {
                return (7, "reading \(reading.signals) in different orders leads to \(ends.count) different states")
            }
        }
        return nil
    }
}
