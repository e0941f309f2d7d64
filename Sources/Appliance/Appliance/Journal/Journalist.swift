import ALSA
import AudioSession
import Configuration
import Playback
import ResumeStore
import Supervisor
import Systemd

/// Turns what happened into the journal's entries. Pure.
///
/// Every entry says in `TACET_PLAYING` whether the programme plays, and in `TACET_OUTCOME` what follows, if it can: those
/// who read the journal back read fields, never messages.
public struct Journalist {
    private var latencies = Latencies()
    private var limiters: [[String]: Limiter] = [:]
    /// Why the device was lost.
    private var loss: PCMError?
    /// The device that has replaced another one, until that is logged.
    private var newRoute: OutputRoute?
    /// The devices that keep disappearing.
    private var unsteady: Set<String> = []
    /// The last format of the device that was logged.
    private var loggedDevice: String?
    private var skipped: Set<String> = []
    private var underruns = 0
    /// When underruns were last logged.
    private var underrunsLoggedAt: Duration?
    private var isMute = false
    private var throttle = EntryThrottle()
    /// The outputs that were last logged as asserted.
    private var outputs: [OutputID] = []
    /// The signal whose cue is due; nil if none is.
    private var cueSignal: SignalID?
    /// The sleep whose end is about to be reported.
    private var sleep: Sleep?
    private var wokeAt: Duration?
    /// Why lines are missing.
    private var reasons: [SignalID: String] = [:]

    public init() {}

    /// Continues for another installation in the same process: what was logged is not repeated, and a limit of once an
    /// hour holds across reloads.
    mutating func resume(after predecessor: Journalist) {
        isMute = predecessor.isMute
        cueSignal = predecessor.cueSignal
        outputs = predecessor.outputs
        limiters = predecessor.limiters
        (underruns, underrunsLoggedAt) = (predecessor.underruns, predecessor.underrunsLoggedAt)
    }

    /// Why a signal's line cannot be read, for the fault that follows.
    public mutating func explain(_ signal: SignalID, _ reason: String) {
        reasons[signal] = reason
    }

    /// A line changed to the level that asserts its signal, or from it. If the contact bounces, its first edge counts.
    /// - Parameter debounce: a level that lasts no longer than this is a bounce.
    public mutating func turned(_ signal: SignalID, toAssert asserts: Bool, at time: Duration, debounce: Duration) {
        latencies.turned(signal, toAssert: asserts, at: time, debounce: debounce)
    }

    /// - Returns: the entry to write; nil if it has been repeated too often.
    public mutating func limit(_ entry: JournalEntry, at now: Duration) -> JournalEntry? {
        guard let limiter = entry.limiter else { return entry }
        return switch limiters[entry.kind, default: limiter].happens(at: now) {
        case .logged: entry
        case .loggedLast: entry.saying("(Further repeats are logged at most \(limiter.pace.words).)")
        case .loggedAfter(let count): entry.saying("(Repeated \(count) times since the last such entry.)")
        case .dropped: nil
        }
    }

    /// When `due` has entries; nil: none wait.
    var deadline: Duration? { throttle.deadline }

    /// Entries that waited for newer ones to replace them.
    /// - Parameter now: nil: all that wait.
    mutating func due(at now: Duration?) -> [JournalEntry] { throttle.due(at: now) }

    /// - Parameters:
    ///   - scene: the state afterwards.
    ///   - issuer: who gave the reported command; nil if that is unknown, or the report is of no command.
    mutating func entries(for report: Report, in scene: Scene, from issuer: Issuer? = nil) -> [JournalEntry] {
        let notifications = report.notifications.compactMap { entry(for: $0, of: report, in: scene) }
        latencies.expect(
            report.happening, at: report.time, directive: scene.session.directive,
            playback: scene.configuration.playback)
        // A notification that an edge caused covers the edge; any other cause is logged before its consequences.
        let isCovered =
            if case .edge = report.happening { report.notifications.contains { $0.sound == nil } } else { false }
        let happening =
            isCovered
            ? nil : entry(for: report.happening, of: report, in: scene).flatMap { turned($0.from(issuer), report) }
        let search = report.searchResult.flatMap { entry(for: $0, of: report, in: scene) }
        let entries =
            [happening, search, released(report, in: scene), joined(report, in: scene)].compactMap { $0 }
            + notifications
            + report.remarks.map { entry(for: $0) } + outputEntries(in: scene)
        let written = entries.compactMap { limit(complete($0, in: scene), at: report.time) }
        // Entries that wait are older.
        return written.isEmpty ? [] : throttle.due(at: nil) + written
    }

    /// The outputs that have changed.
    private mutating func outputEntries(in scene: Scene) -> [JournalEntry] {
        defer { outputs = scene.outputs }
        return scene.configuration.outputs.map(\.policy).compactMap { output in
            let isAsserted = scene.outputs.contains(output.id)
            guard isAsserted != outputs.contains(output.id) else { return nil }
            return JournalEntry(
                .output, "The output \(output.id) (\(output.meaning.name)) is \(isAsserted ? "on" : "off")."
            ).with(.output, output.id.rawValue).with(.effect, output.meaning.name).with(.asserted, isAsserted)
        }
    }

    /// Adds whether the programme plays, and what follows.
    private func complete(_ entry: JournalEntry, in scene: Scene) -> JournalEntry {
        let withPlaying = entry[.playing].isEmpty ? entry.with(.playing, scene.isPlaying) : entry
        return entry[.outcome].isEmpty ? withPlaying.with(.outcome, sequel(scene)) : withPlaying
    }

    /// - Returns: nil if the entry is one of many, and is written later.
    private mutating func turned(_ entry: JournalEntry, _ report: Report) -> JournalEntry? {
        switch report.happening {
        case .command(.volume): throttle.take(entry, of: ["volume"] + entry.issuer, at: report.time)
        case .command(.seek): throttle.take(entry, of: ["seek"] + entry.issuer, at: report.time)
        default: entry
        }
    }

    // MARK: Notifications

    private mutating func entry(
        for notification: SessionNotification, of report: Report, in scene: Scene
    ) -> JournalEntry? {
        switch notification {
        case .began(let reason): began(reason, report, scene)
        case .ended(let options): ended(options, report, scene)
        case .duckBegan(let level): ducked(.duckBegan, "turned down to \(words(level))", level, report, scene)
        case .duckChanged(let level): ducked(.duckChanged, "now at \(words(level))", level, report, scene)
        case .duckEnded: ducked(.duckEnded, "back at full level", nil, report, scene)
        case .mediaServicesWereLost:
            JournalEntry(.mediaServicesLost, "\(lossWords). Tacet keeps trying.", priority: .warning)
                .with(.device, loss?.device ?? scene.device).with(.reason, loss?.description)
                .with(.outcome, "Tacet keeps trying to open it").at(scene)
        case .mediaServicesWereReset:
            JournalEntry(
                .mediaServicesReset, "The sound device has returned: \(sequel(scene)).", priority: .notice
            ).with(.device, scene.device).with(.outcome, sequel(scene)).at(scene)
        case .configurationChanged: nil
        case .routeChanged(let reason):
            JournalEntry(.routeChanged, "\(words(reason, in: scene)): \(sequel(scene)).", priority: .notice)
                .with(.device, scene.device).with(.reason, reason.rawValue).with(.outcome, sequel(scene)).at(scene)
        case .soundBegan(let sound, let id):
            began(sound, id, report, scene)
        case .soundEnded(let sound, let id):
            ended(sound, id, .soundEnded, "has been heard to its end", scene)
        case .soundCut(let sound, let id): cut(sound, id, scene)
        case .soundExpired(let sound, let id):
            ended(sound, id, .soundExpired, "has expired, and is not heard", scene)
        }
    }

    private var lossWords: String {
        if let loss, let holder = loss.holder {
            return "The sound device \(loss.device) is held by \(holder): \(loss.advice)"
        }
        return "The sound device is not available: \(loss?.description ?? "it cannot be opened")"
    }

    /// Without a new device, only the plug was pulled or inserted.
    private mutating func words(_ reason: RouteChangeReason, in scene: Scene) -> String {
        defer { newRoute = nil }
        switch (reason, newRoute, scene.configuration.playback.jack) {
        case (.oldDeviceUnavailable, let route?, _):
            let cause = route.reason.map { " (\($0))" } ?? ""
            return "The sound device in use has disappeared, and \(route.device) replaces it\(cause)"
        case (.newDeviceAvailable, let route?, _):
            return "The sound device \(route.device) has returned, and is used again"
        case (.oldDeviceUnavailable, nil, let jack?): return "The plug was pulled out of the \(jack)"
        case (.newDeviceAvailable, nil, let jack?): return "The plug is in the \(jack) again"
        case (.oldDeviceUnavailable, nil, nil): return "The output in use was unplugged, and another took over"
        case (.newDeviceAvailable, nil, nil): return "The preferred device is used again"
        }
    }

    // MARK: Sounds

    private mutating func began(
        _ sound: SoundID, _ id: Announcement.ID, _ report: Report, _ scene: Scene
    ) -> JournalEntry {
        cueSignal = if case .cue(let signal)? = scene.session.dueSound?.request { signal } else { nil }
        if let cueSignal { latencies.expect(cue: sound, of: cueSignal, after: report.happening, at: report.time) }
        let isTone = scene.session.unreadableSounds.contains(sound)
        let verb = isTone ? "begins, as a built-in tone" : "begins"
        return entry(.soundBegan, sound, id, "\(verb); \(sequel(scene)).", scene)
            .with(.level, id == 0 ? nil : scene.announcementLevel?.description)
            .with(.outcome, sequel(scene)).at(scene)
    }

    private func ended(
        _ sound: SoundID, _ id: Announcement.ID, _ event: JournalEvent, _ verb: String, _ scene: Scene
    ) -> JournalEntry {
        entry(event, sound, id, "\(verb); \(sequel(scene)).", scene)
            .with(.outcome, sequel(scene)).at(scene)
    }

    /// A cue is heard again if its signal is still active, and an announcement if it still waits.
    private func cut(_ sound: SoundID, _ id: Announcement.ID, _ scene: Scene) -> JournalEntry {
        let session = scene.session
        let isPending =
            id == 0
            ? cueSignal.map(session.active.contains) ?? false
            : session.dueSound?.announcement == id || session.waitingAnnouncements.contains(id)
        let outcome = isPending ? "starts again when it is due again" : "is not heard any more"
        return entry(.soundCut, sound, id, "was cut off, and \(outcome).", scene).with(.outcome, outcome).at(scene)
    }

    private func entry(
        _ event: JournalEvent, _ sound: SoundID, _ id: Announcement.ID, _ rest: String, _ scene: Scene
    ) -> JournalEntry {
        guard id == 0 else {
            return JournalEntry(event, "The announcement \(sound) \(rest)")
                .with(.sound, sound.rawValue).with(.announcement, "\(id)")
        }
        let signal = cueSignal.map { " of \(scene.names(of: [$0]))" } ?? ""
        return JournalEntry(event, "The cue \(sound)\(signal) \(rest)")
            .with(cueSignal.map { [$0] } ?? []).with(.sound, sound.rawValue)
    }

    private mutating func heard(sound effect: CommandEffect, in scene: Scene) -> JournalEntry? {
        guard let cue = latencies.heard(sound: effect) else { return nil }
        return JournalEntry(
            .soundHeard,
            "The cue \(cue.sound) of \(scene.names(of: [cue.signal])) was heard \(milliseconds(cue.latency)) after its edge."
        ).with([cue.signal]).with(.sound, cue.sound.rawValue).with(.latency, cue.latency)
    }

    /// Only the cue of a sound is heard as a tone; announcements of it are rejected.
    private func unreadable(_ sound: SoundID, _ reason: String, _ scene: Scene) -> JournalEntry {
        let isCue = scene.session.policy.signals.contains { $0.cue == sound }
        let outcome = isCue ? "a built-in tone is heard instead" : "announcements of it are rejected"
        return JournalEntry(
            .fault, "The file of the sound \(sound) cannot be read: \(reason); \(outcome).", priority: .warning
        ).with(.sound, sound.rawValue).with(.fault, Fault.Kind.sound.rawValue).with(.reason, reason)
            .with(.outcome, outcome)
    }

    private func broken(_ sound: SoundID, _ reason: String) -> JournalEntry {
        let outcome = "it ends early, or repeats its first minute"
        return JournalEntry(
            .soundBroken, "The rest of the sound \(sound) cannot be read: \(reason); \(outcome).", priority: .warning
        ).with(.sound, sound.rawValue).with(.reason, reason).with(.outcome, outcome)
    }

    private func began(_ reason: InterruptionReason, _ report: Report, _ scene: Scene) -> JournalEntry {
        let signals = scene.session.blocking
        let names = scene.names(of: signals)
        let isAwake = if case .awoke = report.happening { true } else { false }
        let message =
            switch reason {
            case .appWasSuspended where isAwake: "Interrupted on waking by \(names)"
            case .appWasSuspended: "Interrupted from the start by \(names)"
            default: "Interrupted by \(names)"
            }
        let outlook = outlook(scene, at: report.time)
        return JournalEntry(
            .interruptionBegan, message + (outlook.map { "; \($0)" } ?? "") + ".", priority: .notice
        ).with(signals).with(.effect, signals.first.flatMap(scene.effect)?.name).with(.reason, reason.rawValue)
            .with(.outcome, outlook).at(scene)
    }

    /// What follows the interruption, as far as is known while it lasts.
    private func outlook(_ scene: Scene, at now: Duration) -> String? {
        guard let place = scene.place else { return nil }
        return switch scene.session.outlookWhenUnblocked(at: now) {
        case .plays: "will resume \(place)"
        case .stays(let intent): "will stay \(intent.rawValue) in \(place)"
        case .waitsForPlay: "will stay quiet in \(place) until ‘tacet play’"
        }
    }

    private func ended(_ options: InterruptionOptions, _ report: Report, _ scene: Scene) -> JournalEntry {
        let resumes = options.contains(.shouldResume)
        return JournalEntry(.interruptionEnded, "The interruption is over: \(sequel(scene)).", priority: .notice)
            .with(report.over.blocking).with(.shouldResume, resumes).with(.outcome, sequel(scene)).at(scene)
    }

    private func ducked(
        _ event: JournalEvent, _ what: String, _ level: Level?, _ report: Report, _ scene: Scene
    ) -> JournalEntry {
        let over = report.over.ducking
        let signals = signal(of: report).map { [$0] } ?? (over.isEmpty ? scene.session.ducking : over)
        return JournalEntry(event, "\(scene.names(of: signals)): \(what).", priority: .notice)
            .with(signals).with(.effect, Effect.duck(.mute).name).with(.level, level?.description)
            .with(.outcome, scene.isPlaying ? what : sequel(scene)).at(scene)
    }

    private func words(_ level: Level) -> String { level == .mute ? "silence" : "\(level) dB" }

    /// What the programme does from now on.
    private func sequel(_ scene: Scene) -> String {
        switch scene.quietCause {
        // The search may find that the track cannot be played.
        case nil: return "\(scene.isSearching ? "selects" : "plays") \(scene.place ?? "")"
        case .notPlaying(let intent, let cause)?:
            let place = scene.place.map { " in \($0)" } ?? ""
            let reason = cause == .user ? "" : " because \(scene.quietCause.map { scene.clause($0) } ?? "")"
            return "stays \(intent.rawValue)\(place)\(reason)"
        case let cause?: return "quiet because \(scene.clause(cause))"
        }
    }

    private func milliseconds(_ time: Duration) -> String { "\(Int((time / .milliseconds(1)).rounded())) ms" }

    private mutating func heard(_ effect: CommandEffect, in scene: Scene) -> JournalEntry? {
        guard let reaction = latencies.heard(effect) else { return nil }
        let end = reaction.directive == .silent ? "silent" : "at the reduced level"
        let message =
            "\(scene.names(of: [reaction.signal])) was heard \(milliseconds(reaction.latency)) after its edge; "
            + "\(end) after \(milliseconds(reaction.complete))."
        let bound = reaction.bound(under: scene.configuration)
        let isLate = bound.map { reaction.complete > $0.total } ?? false
        let complaint =
            isLate
            ? bound.map { " That is longer than the \(milliseconds($0.total)) that ‘tacet verify’ states." } : nil
        return JournalEntry(
            .interruptionHeard, message + (complaint ?? ""), priority: isLate ? .warning : .info
        ).with([reaction.signal]).with(.latency, reaction.latency).with(.silent, reaction.complete)
    }

    // MARK: Other reports

    private mutating func entry(for happening: Happening, of report: Report, in scene: Scene) -> JournalEntry? {
        switch happening {
        case .edge(let edge): entry(for: edge, in: scene)
        case .fault(let fault): self.fault(fault, in: scene)
        case .soundUnreadable(let sound, let reason): unreadable(sound, reason, scene)
        case .soundReadable(let sound):
            JournalEntry(.faultCleared, "The file of the sound \(sound) can be read again.")
                .with(.sound, sound.rawValue).with(.fault, Fault.Kind.sound.rawValue)
        case .soundBroken(let sound, let reason): broken(sound, reason)
        // A reload removed the sound, or names another file.
        case .cleared(let fault) where fault.kind == .sound:
            JournalEntry(.faultCleared, "The file of the sound \(fault.signal) is not used any more.")
                .with(.sound, fault.signal.rawValue).with(.fault, fault.kind.rawValue)
        case .cleared(let fault):
            JournalEntry(.faultCleared, "\(scene.names(of: [fault.signal])) is no longer \(fault.kind.participle).")
                .with([fault.signal]).with(.fault, fault.kind.rawValue)
        case .command(let command): entry(for: command, report.answer, in: scene)
        case .playlistEnded:
            JournalEntry(.programmeEnded, "The last track has ended: stopped at the start of the first one.")
                .with(.outcome, sequel(scene)).at(scene)
        case .trackSkipped(let path, let reason): skipped(path, reason)
        case .tracksGone: libraryEmpty("nothing of it can be played")
        case .tracksFound:
            JournalEntry(.libraryFound, "Tracks have been found: \(sequel(scene)).")
                .with(.outcome, sequel(scene)).at(scene)
        case .stateUnreadable(let reason):
            JournalEntry(
                .stateUnreadable, "\(reason). Tacet starts as if for the first time.", priority: .warning
            ).with(.reason, reason)
        case .placeLost(let path):
            JournalEntry(
                .placeLost, "\(path) is no longer in the library: the programme starts from its first track.",
                priority: .warning
            ).with(.track, path)
        case .noticed(let event): entry(for: event, report, in: scene)
        // The daemon logs starts and reloads; the others are logged with their consequences.
        case .boot, .reloaded, .configurationChanged, .deviceLost, .deviceReset, .line, .routeLost, .routeBack,
            .routeFound,
            .delayElapsed, .trackDelayed, .trackEnded, .trackFound, .tracksSought, .soundEnded, .announcementExpired,
            .output:
            nil
        case .awoke: awoke(in: scene, at: report.time)
        }
    }

    // MARK: Sleep

    /// The system is about to sleep.
    func fallingAsleep(in scene: Scene) -> JournalEntry {
        JournalEntry(.asleep, "The system is about to sleep: quiet until it wakes.", priority: .notice)
            .with(.outcome, "continues when the system wakes").at(scene, plays: false)
    }

    /// The next report is the end of this sleep.
    mutating func woke(from sleep: Sleep) { self.sleep = sleep }

    private mutating func awoke(in scene: Scene, at now: Duration) -> JournalEntry? {
        wokeAt = now
        guard let sleep else { return nil }
        self.sleep = nil
        return JournalEntry(.awake, "\(sleep.words): \(sequel(scene)).", priority: .notice)
            .with(.reason, sleep.cause.rawValue).with(.asleep, sleep.length).with(.outcome, sequel(scene)).at(scene)
    }

    /// Every start unmutes the microphone, which is not worth an entry.
    mutating func entry(for outcome: Microphone.Outcome) -> JournalEntry? {
        switch outcome {
        case .failed:
            return outcome.trouble.map { JournalEntry(.microphone, "\($0).", priority: .error) }
        case .turned(let isMuted):
            defer { isMute = isMuted }
            guard isMuted != isMute else { return nil }
            return JournalEntry(.microphone, "The microphone is \(isMuted ? "mute" : "on again").")
        }
    }

    /// - Parameters:
    ///   - reading: the state from which it continues; nil if there was none.
    ///   - lastRun: nil if unknown.
    func started(_ scene: Scene, from reading: StateReading? = nil, lastRun: RunEnd? = nil) -> JournalEntry {
        let origin = reading.map { "continues from \($0)" } ?? "starts without a saved state"
        let end = lastRun.map { " The last run was \($0.participle)." } ?? ""
        return JournalEntry(.started, "Tacet has started, and \(origin): \(sequel(scene)).\(end)", priority: .notice)
            .with(scene.session.active).with(.lastRun, lastRun?.rawValue)
            .with(.savedAt, reading?.state.savedAt).with(.savedMonotonic, reading?.state.run?.time)
            .with(.savedBoot, reading?.state.run?.boot).with(.outcome, sequel(scene)).at(scene)
    }

    public func libraryEmpty(_ reason: String) -> JournalEntry {
        JournalEntry(.libraryEmpty, "There is nothing to play: \(reason).", priority: .warning)
            .with(.playing, false).with(.outcome, "quiet because there is nothing to play").with(.reason, reason)
    }

    /// - Parameter folders: the first few are named; at least one.
    public func foldersUnreadable(_ folders: [LibraryError]) -> JournalEntry {
        let named = folders.prefix(5).map { "\n\($0)" }.joined()
        let others = folders.count > 5 ? "\nand \(folders.count - 5) more" : ""
        return JournalEntry(
            .foldersUnreadable, "Music is missing because folders of the library cannot be read:\(named)\(others)",
            priority: .warning
        ).with(.outcome, "plays the rest of the library")
    }

    public func fault(_ fault: Fault, in scene: Scene) -> JournalEntry {
        JournalEntry(.fault, words(fault, in: scene), priority: .warning)
            .with([fault.signal]).with(.fault, fault.kind.rawValue)
            .with(.playing, scene.isPlaying).with(.outcome, sequel(scene))
    }

    private func entry(for edge: Edge, in scene: Scene) -> JournalEntry {
        let effect = scene.effect(of: edge.signal)
        let sequel = effect == .checkpoint && edge.isAsserted ? ": the state is saved" : ""
        return JournalEntry(
            .signal, "\(scene.names(of: [edge.signal])) is \(edge.isAsserted ? "asserted" : "released")\(sequel)."
        ).with([edge.signal]).with(.effect, effect?.name).with(.asserted, edge.isAsserted)
    }

    /// Signals that ended without an edge or fault of their own, in an interruption that others continue: while the power
    /// was off, by a reload or by a command.
    private func released(_ report: Report, in scene: Scene) -> JournalEntry? {
        let signals = report.over.blocking
        guard signal(of: report) == nil, !signals.isEmpty, scene.session.isInterrupted else { return nil }
        return JournalEntry(.signal, "\(scene.names(of: signals)): no longer active.").with(signals).with(
            .asserted, false)
    }

    /// Signals that begin without an edge or fault of their own, in an interruption or a duck that others began: a reload
    /// added them, or they were asserted when Tacet started.
    private func joined(_ report: Report, in scene: Scene) -> JournalEntry? {
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
        return JournalEntry(.signal, "\(scene.names(of: signals)): also asserted.").with(signals)
            .with(.effect, scene.effect(of: first)?.name)
    }

    private func entry(for command: Command, _ answer: Answer?, in scene: Scene) -> JournalEntry? {
        let level: Level? = if case .volume(let level) = command { level } else { nil }
        let why = if case .commandFailed(let reason)? = answer { " (\(reason))" } else { "" }
        let announcement: Announcement? = if case .announce(let announcement) = command { announcement } else { nil }
        let isAccepted = answer == .success || answer == .deferred
        return JournalEntry(.command, "\(command): \(answer?.name ?? "")\(why); \(sequel(scene)).")
            .with(.command, "\(command)").with(.answer, answer?.name).with(.level, level?.description)
            .with(.sound, announcement?.sound.rawValue)
            .with(.announcement, isAccepted ? announcement.map { "\($0.id)" } : nil)
            .with(.outcome, sequel(scene)).at(scene)
    }

    private func words(_ fault: Fault, in scene: Scene) -> String {
        let name = scene.names(of: [fault.signal])
        return switch fault.kind {
        case .stuck: "\(name) has been asserted for longer than StuckAfter=: check its wire and contact."
        case .chatter: "\(name) chatters, and counts as asserted until it settles: check for a loose contact."
        case .lost:
            "\(name) cannot be read: \(reasons[fault.signal] ?? "its line or chip is missing"). WhenLost= applies."
        case .sound: "The file of the sound \(fault.signal) cannot be read: its cue is heard as a built-in tone."
        }
    }

    private mutating func skipped(_ path: String, _ reason: String) -> JournalEntry? {
        guard skipped.insert(path).inserted else { return nil }
        return JournalEntry(.trackSkipped, "Skipped \(path): \(reason)", priority: .warning).with(.track, path)
            .with(.reason, reason)
    }

    private mutating func entry(for event: PlaybackEvent, _ report: Report, in scene: Scene) -> JournalEntry? {
        switch event {
        case .effect(let effect): return heard(effect, in: scene)
        case .soundHeard(_, let effect): return heard(sound: effect, in: scene)
        case .deviceLost(let error):
            loss = error
            return nil
        case .deviceOpened(let configuration):
            let reason = scene.route.flatMap(\.reason).map { ", because \($0)" } ?? ""
            let words = "\(scene.device) plays \(configuration)\(reason)"
            guard words != loggedDevice else { return nil }
            loggedDevice = words
            return JournalEntry(.configurationChanged, "The sound device \(words).").with(.device, scene.device)
        case .routeLost(let route), .routeBack(let route):
            newRoute = route
            guard unsteady.remove(route.device) != nil else { return nil }
            return JournalEntry(.faultCleared, "The sound device \(route.device) has stayed long enough.")
                .with(.device, route.device).with(.fault, "unsteady")
        case .routeUnsteady(let device, let settle):
            unsteady.insert(device)
            let outcome = "it must be available for \(TimeSpan.format(settle)) before it is used again"
            return JournalEntry(
                .fault, "The sound device \(device) keeps disappearing: \(outcome).", priority: .warning
            )
            .with(.device, device).with(.fault, "unsteady").with(.outcome, outcome)
        case .underrun(let queue):
            return underrun(at: report.time, queue, isHeard: scene.isPlaying || scene.session.dueSound != nil)
        case .storageLost(let loss):
            return JournalEntry(
                .storageLost, "The music cannot be read: \(loss). It stops when the read-ahead is used up.",
                priority: .warning
            ).with(.track, loss.path).with(.reason, "\(loss)").with(.outcome, "stops when the read-ahead is used up")
        case .storageReturned: return JournalEntry(.storageReturned, "The music can be read again.", priority: .notice)
        case .notRealTime(let reason):
            return JournalEntry(.notRealTime, "Playback may stutter: \(reason).", priority: .warning).with(
                .reason, reason)
        case .deviceClosed, .deviceReset, .configurationChanged, .storageStarved, .storageRecovered, .trackSkipped,
            .trackAdvanced, .programmeEnded, .faded, .loaded, .nothingToLoad, .soundReadable, .soundUnreadable,
            .soundBroken, .soundEnded, .routeFound:
            return nil
        }
    }

    /// At most once an hour, with the number of underruns since.
    private mutating func underrun(at now: Duration, _ queue: Duration, isHeard: Bool) -> JournalEntry? {
        // In silence no gap is heard. One that a sleep has caused says nothing about the queue.
        guard isHeard, wokeAt.map({ now - $0 > .seconds(1) }) ?? true else { return nil }
        underruns += 1
        if let underrunsLoggedAt, now - underrunsLoggedAt < .seconds(3600) { return nil }
        underrunsLoggedAt = now
        let milliseconds = Int(queue / .milliseconds(1))
        defer { underruns = 0 }
        return JournalEntry(
            .underrun,
            "The sound device ran dry (\(underruns) since the last such entry): a gap was heard. "
                + "\(milliseconds) ms are now queued.", priority: .warning)
    }

    private func entry(for remark: Remark) -> JournalEntry {
        switch remark {
        case .suppressed(let signal):
            JournalEntry(.signalSuppressed, "\(remark).").with([signal]).with(.asserted, true)
        case .endWithoutBegin(let signal), .lateEnd(let signal), .unknownSignal(let signal):
            JournalEntry(.remark, "\(remark).").with([signal]).with(.asserted, false)
        case .resetWithoutLoss, .routeBackWithoutLoss: JournalEntry(.remark, "\(remark).")
        }
    }

    private func signal(of report: Report) -> SignalID? {
        switch report.happening {
        case .edge(let edge): edge.signal
        case .fault(let fault), .cleared(let fault): fault.signal
        default: nil
        }
    }
}

extension Fault.Kind {
    /// The state of a line that has the fault.
    var participle: String {
        switch self {
        case .stuck: "stuck"
        case .chatter: "chattering"
        case .lost: "lost"
        case .sound: "unreadable"
        }
    }
}

extension JournalEntry {
    /// With the state afterwards: whether it plays, the intent, the track and the position.
    /// - Parameter plays: whether the programme plays from now on; nil: as in the scene.
    fileprivate func at(_ scene: Scene, plays: Bool? = nil) -> JournalEntry {
        with(.playing, plays ?? scene.isPlaying).with(.intent, scene.session.intent.rawValue).with(.track, scene.track)
            .with(.position, scene.track == nil ? nil : scene.position)
            .with(.length, scene.track == nil ? nil : scene.length)
    }
}
