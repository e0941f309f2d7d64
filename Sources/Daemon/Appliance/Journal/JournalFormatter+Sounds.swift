import AudioSession
import Playback
import Supervisor
import Vocabulary

/// The entries for cues and announcements.
extension JournalFormatter {
    mutating func began(
        _ sound: SoundID, _ id: Announcement.ID, _ report: Report, _ scene: StateSnapshot
    ) -> JournalEntry {
        cueSignal = if case .cue(let signal)? = scene.session.dueSound?.request { signal } else { nil }
        if let cueSignal { latencies.expect(cue: sound, of: cueSignal, after: report.event, at: report.time) }
        let isTone = id == 0 && scene.session.unreadableSounds.contains(sound)
        let verb = isTone ? "begins as a built-in tone" : "begins"
        return entry(.soundBegan, sound, id, "\(verb). \(sequelSentence(scene))", scene)
            .with(.level, id == 0 ? nil : scene.announcementLevel?.description)
            .with(.outcome, sequel(scene)).at(scene)
    }

    func ended(
        _ sound: SoundID, _ id: Announcement.ID, _ event: JournalEvent, _ verb: String, _ scene: StateSnapshot
    ) -> JournalEntry {
        entry(event, sound, id, "\(verb). \(sequelSentence(scene))", scene)
            .with(.outcome, sequel(scene)).at(scene)
    }

    /// Returns the entry for a sound that was cut off. A cue is played again if its signal is still active, and an
    /// announcement is played again if it is still pending.
    func cut(_ sound: SoundID, _ id: Announcement.ID, because cause: SoundCutCause, _ scene: StateSnapshot)
        -> JournalEntry
    {
        let session = scene.session
        let isPending =
            id == 0
            ? cueSignal.map(session.active.contains) ?? false
            : session.dueSound?.announcement == id || session.waitingAnnouncements.contains(id)
        let continues = cause != .restarted && session.policy.sounds.contains { $0.id == sound && $0.continues }
        let start = continues ? "continues" : "starts again"
        let outcome = isPending ? "\(start) when it can be played" : "is not played again"
        let verb =
            switch cause {
            case .unreadable: "was not played in full"
            case .restarted: "was requested again"
            default: "was cut off"
            }
        return entry(.soundCut, sound, id, "\(verb) and \(outcome).", scene).with(.outcome, outcome).at(scene)
    }

    func entry(
        _ event: JournalEvent, _ sound: SoundID, _ id: Announcement.ID, _ rest: String, _ scene: StateSnapshot
    ) -> JournalEntry {
        guard id == 0 else {
            return JournalEntry(event, "The announcement \(sound) \(rest)")
                .with(.sound, sound.rawValue).with(.announcement, "\(id)")
        }
        let signal = cueSignal.map { " of \(scene.names(of: [$0]))" } ?? ""
        return JournalEntry(event, "The cue \(sound)\(signal) \(rest)")
            .with(cueSignal.map { [$0] } ?? []).with(.sound, sound.rawValue)
    }

    mutating func heard(sound effect: CommandEffect, in scene: StateSnapshot) -> JournalEntry? {
        guard let cue = latencies.heard(sound: effect) else { return nil }
        let head =
            "The cue \(cue.sound) of \(scene.names(of: [cue.signal])) began to play after \(milliseconds(cue.latency))"
        return JournalEntry(
            .soundHeard, scene.inaudibility.map { "\(head), but \($0)." } ?? "\(head).",
            priority: scene.inaudibility == nil ? .info : .warning
        ).with([cue.signal]).with(.sound, cue.sound.rawValue).with(.latency, cue.latency)
    }

    /// Returns the entry for a sound that cannot be read. A tone replaces only the cue of a sound, and announcements of
    /// it are rejected.
    func unreadable(_ sound: SoundID, _ reason: String, _ scene: StateSnapshot) -> JournalEntry {
        let isCue = scene.session.policy.signals.contains { $0.cue == sound }
        let outcome = isCue ? "a built-in tone is played instead" : "announcements of it are rejected"
        return JournalEntry(
            .fault, "The file of the sound \(sound) cannot be read (\(reason)), so \(outcome).", priority: .warning
        ).with(Fault(sound: sound)).with(.reason, reason)
            .with(.outcome, outcome)
    }

    /// - Parameter isPlayed: True if only a part of the sound is silent.
    func broken(_ sound: SoundID, _ reason: String, isPlayed: Bool) -> JournalEntry {
        let outcome = isPlayed ? "a part of it is silent" : "it ends early, or repeats its first minute"
        let subject = isPlayed ? "A part" : "The rest"
        return JournalEntry(
            .soundBroken, "\(subject) of the sound \(sound) cannot be read (\(reason)), so \(outcome).",
            priority: .warning
        ).with(.sound, sound.rawValue).with(.reason, reason).with(.outcome, outcome)
    }
}
