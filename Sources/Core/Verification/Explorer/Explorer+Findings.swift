import AudioSession

extension Explorer {
    /// A state that can be reached.
    func note(_ world: World, in findings: inout Findings) {
        guard world.isOn else { return }
        let inForce = world.lines.inForce
        for signal in policy.signals.indices where inForce[signal] && !findings.signals[signal].changesSound {
            findings.signals[signal].isEverInForce = true
            var without = world.lines
            without.asserted[signal] = false
            without.chatters[signal] = false
            findings.signals[signal].changesSound =
                effects.block(world.lines) != effects.block(without)
                || !effects.block(world.lines) && effects.loudest(world.lines) != effects.loudest(without)
        }
    }

    /// What comes of a state.
    func note(_ before: World, _ after: World, in findings: inout Findings) {
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
