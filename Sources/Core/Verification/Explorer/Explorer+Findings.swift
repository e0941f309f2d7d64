import AudioSession

extension Explorer {
    /// Records which signals are active in a reachable state, and which of them change what is played.
    func note(_ state: ExplorerState, in findings: inout Findings) {
        guard state.isOn else { return }
        let active = state.lines.active
        for signal in policy.signals.indices where active[signal] && !findings.signals[signal].changesSound {
            findings.signals[signal].isEverActive = true
            var without = state.lines
            without.asserted[signal] = false
            without.chatters[signal] = false
            findings.signals[signal].changesSound =
                effects.block(state.lines) != effects.block(without)
                || !effects.block(state.lines) && effects.loudest(state.lines) != effects.loudest(without)
        }
    }

    /// Records whether the music resumed or paused after an episode that one signal alone caused.
    func note(_ before: ExplorerState, _ after: ExplorerState, in findings: inout Findings) {
        guard before.isOn, after.isOn, let signal = sessions[before.session].soleCause else { return }
        let settled =
            after.delaysEpisode
            ? sessions.outcome(after.session, alphabet.episodeElapsed, late: after.late).session : after.session
        let now = sessions[settled]
        guard !now.isInterrupted else { return }
        if now.intent == .playing {
            findings.signals[signal].resumes = true
        } else {
            findings.signals[signal].pauses = true
        }
    }
}
