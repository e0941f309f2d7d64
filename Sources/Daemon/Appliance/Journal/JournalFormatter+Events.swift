import AudioSession
import Supervisor
import Time

/// The entries for events of the session, such as edges, faults and commands.
extension JournalFormatter {
    mutating func entry(for report: Report, in scene: StateSnapshot) -> JournalEntry? {
        switch report.cause {
        case .event(.soundReadable(let sound, false), .unreadable(let reason)?): unreadable(sound, reason, scene)
        case .event(.idle(let choice), let note): idle(choice.request, note, in: scene)
        case .event(.command(let command), .unreadable(let reason)?):
            entry(for: command, report.answer, because: reason, in: scene)
        case .event(let event, _): entry(for: event, of: report, in: scene)
        case .note(let note): entry(for: note, of: report, in: scene)
        }
    }

    private mutating func entry(for event: Event, of report: Report, in scene: StateSnapshot) -> JournalEntry? {
        switch event {
        case .edge(let edge): entry(for: edge, in: scene)
        case .fault(let fault): self.fault(fault, in: scene)
        case .soundReadable(let sound, true):
            JournalEntry(.faultCleared, "The file of the sound \(sound) can be read again.")
                .with(Fault(sound: sound))
        // A reload has removed the sound or given it another file.
        case .cleared(let fault) where fault.kind == .sound:
            JournalEntry(.faultCleared, "The file of the sound \(fault.name) is no longer used.")
                .with(fault)
        case .cleared(let fault) where fault.subject == .playback:
            JournalEntry(.faultCleared, "\(scene.device) is no longer \(fault.kind.participle).").with(fault)
        case .cleared(let fault) where fault.kind == .unconfirmed:
            JournalEntry(.faultCleared, "\(name(of: fault, in: scene)) has paused, has ended, or was used by somebody.")
                .with(fault)
        case .cleared(let fault):
            JournalEntry(.faultCleared, "\(name(of: fault, in: scene)) is no longer \(fault.kind.participle).")
                .with(fault)
        case .command(let command): entry(for: command, report.answer, report.file, in: scene)
        case .playbackEnded:
            JournalEntry(.playbackEnded, "The last track has ended. Tacet has stopped at the start of the first one.")
                .with(.outcome, sequel(scene)).at(scene)
        case .choiceEnded:
            JournalEntry(.playbackEnded, "The chosen tracks have ended. \(sequelSentence(scene))")
                .with(.outcome, sequel(scene)).at(scene)
        case .choiceLost:
            JournalEntry(
                .playbackEnded, "None of the chosen tracks can be played any more. \(sequelSentence(scene))",
                priority: .warning
            ).with(.outcome, sequel(scene)).at(scene)
        case .captureLost: captureLost(in: scene)
        case .captureReturned: captureReturned(in: scene)
        case .awoke: awoke(in: scene, at: report.time)
        // The daemon itself logs each start. The other events are logged with their consequences or with their note.
        case .boot, .edges, .soundReadable(_, false), .configurationChanged, .mediaServicesLost, .mediaServicesReset,
            .routeLost, .routeBack,
            .routeFound, .delayElapsed, .trackBegan, .tracksAvailable, .soundEnded, .soundBroken, .announcementExpired,
            .inputBegan, .inputCeased, .idle, .player, .playerFound:
            nil
        }
    }

    private mutating func entry(for note: Note, of report: Report, in scene: StateSnapshot) -> JournalEntry? {
        switch note {
        case .soundBroken(let sound, let reason, let isPlayed): broken(sound, reason, isPlayed: isPlayed)
        case .trackSkipped(let path, let reason, let isPlayed): skipped(path, reason, isPlayed: isPlayed)
        case .stateUnreadable(let reason):
            JournalEntry(
                .stateUnreadable, "\(reason). Tacet starts as if for the first time.", priority: .warning
            ).with(.reason, reason)
        case .placeLost(let path):
            JournalEntry(
                .placeLost, "\(path) is no longer in the library, so the music starts from the first track.",
                priority: .warning
            ).with(.track, path)
        case .playback(let event): entry(for: event, report, in: scene)
        // The daemon logs each reload, and the installation logs each change to a preference. The other notes are
        // logged with their consequences or belong to an event.
        case .reloaded, .preferenceChanged, .line, .arrival, .output, .trackDelayed, .trackFound, .tracksSought, .sound,
            .unreadable, .announcementsWithdrawn:
            nil
        }
    }

    private func idle(_ request: ChoiceRequest, _ note: Note?, in scene: StateSnapshot) -> JournalEntry {
        if case .unreadable(let reason)? = note {
            return JournalEntry(
                .idle, "IdlePlaylist=\(request.name) cannot be played: \(reason.asSentenceEnd)", priority: .warning
            ).with(.reason, reason)
        }
        return JournalEntry(
            .idle, "There has been no command for a while, so IdlePlaylist= is played. \(sequelSentence(scene))"
        ).with(.outcome, sequel(scene)).at(scene)
    }

    /// Returns the entry for a search that has ended with this many tracks, or 0 if none can be played.
    func entry(forTracks count: Int, in scene: StateSnapshot) -> JournalEntry {
        guard count > 0 else { return libraryEmpty("none of the library's files can be played") }
        return JournalEntry(.libraryFound, "Tracks have been found. \(sequelSentence(scene))")
            .with(.outcome, sequel(scene)).at(scene)
    }

    func entry(for edge: Edge, in scene: StateSnapshot) -> JournalEntry {
        let effect = scene.effect(of: edge.signal)
        let sequel = effect == .checkpoint && edge.isAsserted ? ", so the state is saved" : ""
        let isLost = scene.session.faults.contains(Fault(edge.signal, .lost))
        let level = (isLost ? "lost and counts as " : "") + (edge.isAsserted ? "asserted" : "released")
        return JournalEntry(.signal, "\(scene.names(of: [edge.signal])) is \(level)\(sequel).")
            .with([edge.signal]).with(.effect, effect?.name).with(.asserted, edge.isAsserted)
            .with(.fault, isLost ? Fault.Kind.lost.rawValue : nil)
    }

    /// Returns the entry for signals that ended without their own edge or fault in an interruption that others
    /// continue. They may have ended while the power was off, on a reload or because of a command.
    func released(_ report: Report, in scene: StateSnapshot) -> JournalEntry? {
        let signals = report.over.blocking
        guard signal(of: report) == nil, !signals.isEmpty, scene.session.isInterrupted else { return nil }
        return JournalEntry(.signal, "\(subject(signals, in: scene)) no longer active.").with(signals)
            .with(.asserted, false)
    }

    /// Returns the entry for signals that begin without their own edge or fault in an interruption or a duck that
    /// others began. Either a reload added them, or they were asserted when Tacet started.
    func joined(_ report: Report, in scene: StateSnapshot) -> JournalEntry? {
        guard signal(of: report) == nil else { return nil }
        var signals: [SignalID] = []
        var duckIsCovered = false
        var beginIsCovered = false
        for notification in report.notifications {
            switch notification {
            case .began: beginIsCovered = true
            case .duckBegan, .duckChanged: duckIsCovered = true
            default: break
            }
        }
        if !beginIsCovered { signals += report.begun.blocking }
        if !duckIsCovered { signals += report.begun.ducking }
        guard let first = signals.first else { return nil }
        return JournalEntry(.signal, "\(subject(signals, in: scene)) also asserted.").with(signals)
            .with(.effect, scene.effect(of: first)?.name)
    }

    /// Returns the names of signals with their sources and the verb, such as `phone-call (PHONE_CALL) is`.
    private func subject(_ signals: [SignalID], in scene: StateSnapshot) -> String {
        "\(scene.names(of: signals)) \(signals.count > 1 ? "are" : "is")"
    }

    /// - Parameters:
    ///   - file: The announcement's own file.
    ///   - problem: The reason why the command cannot be carried out, or nil if the answer or the file contains it.
    func entry(
        for command: Command, _ answer: Answer?, _ file: AnnouncedFile? = nil, because problem: String? = nil,
        in scene: StateSnapshot
    ) -> JournalEntry? {
        // The level that applies, because a maximum may limit the requested one.
        let maximum = scene.session.policy.maximumVolume
        let requested: Level? = if case .volume(let level) = command { level } else { nil }
        let level = requested.map { min($0, maximum) }
        let limit = level == requested ? nil : "limited to \(maximum.text) by MaximumVolume="
        let reason: String? = if case .commandFailed(let reason)? = answer { reason } else { file?.problem ?? problem }
        let why = (limit ?? reason).map { " (\($0))" } ?? ""
        let announcement: Announcement? = if case .announce(let announcement) = command { announcement } else { nil }
        // An ignored request has the number 0.
        let isAccepted = (answer == .success || answer == .deferred) && announcement?.id != 0
        return JournalEntry(.command, "\(command): \(answer?.name ?? "")\(why). \(sequelSentence(scene))")
            .with(.command, "\(command)").with(.answer, answer?.name).with(.level, level?.description)
            .with(.sound, announcement?.sound.rawValue)
            .with(.announcement, isAccepted ? announcement.map { "\($0.id)" } : nil)
            .with(.file, file?.path).with(.reason, file?.problem ?? problem).with(.outcome, sequel(scene)).at(scene)
    }

    func words(_ fault: Fault, in scene: StateSnapshot) -> String {
        let name = name(of: fault, in: scene)
        return switch fault.kind {
        case .wire:
            "\(fault.signal.flatMap { scene.faultClause(fault.kind, of: $0) } ?? "\(name) is \(fault.kind.participle)"). "
                .sentenceCased + "WhenLost= decides whether it counts as asserted."
        case .stuck, .chatter:
            "\(fault.signal.flatMap { scene.faultClause(fault.kind, of: $0) } ?? "\(name) is \(fault.kind.participle)")."
        case .lost:
            "\(name) is lost: \((fault.signal.flatMap { reasons[$0] } ?? "its source is missing").asSentenceEnd) "
                + "WhenLost= decides whether it counts as asserted."
        case .unconfirmed:
            "\(name) has not confirmed within \(TimeSpan.format(Session.pauseTime)) that it has paused, so it may still play."
        case .sound: "The file of the sound \(name) cannot be read, so its cue is played as a built-in tone."
        case .muted, .quiet: "\((scene.inaudibility ?? name).sentenceCased)."
        }
    }

    private func name(of fault: Fault, in scene: StateSnapshot) -> String {
        switch fault.subject {
        case .signal(let signal): scene.names(of: [signal])
        case .sound(let sound): sound.rawValue
        case .capture: "The capture device"
        case .input(let input): "The input \(input)"
        case .player(let player): "The player \(player)"
        case .output(let output): "The output \(output)"
        case .playback: "\(scene.device)"
        }
    }

    func entry(for noOpReason: NoOpReason) -> JournalEntry {
        switch noOpReason {
        case .suppressed(let signal):
            JournalEntry(.signalSuppressed, "\(noOpReason).").with([signal]).with(.asserted, true)
        case .endWithoutBegin(let signal), .lateEnd(let signal), .unknownSignal(let signal):
            JournalEntry(.noOpReason, "\(noOpReason).").with([signal]).with(.asserted, false)
        case .resetWithoutLoss, .routeBackWithoutLoss, .captureBackWithoutLoss:
            JournalEntry(.noOpReason, "\(noOpReason).")
        case .announcedOnce(let sound), .announcedAlready(let sound):
            JournalEntry(.noOpReason, "\(noOpReason).").with(.sound, sound.rawValue)
        }
    }

    func signal(of report: Report) -> SignalID? {
        switch report.event {
        case .edge(let edge): edge.signal
        case .fault(let fault), .cleared(let fault): fault.signal
        default: nil
        }
    }
}
