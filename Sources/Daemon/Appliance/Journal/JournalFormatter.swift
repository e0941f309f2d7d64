import ALSA
import AudioSession
import Configuration
import Playback
import ResumeStore
import Spelling
import Supervisor
import Systemd
import Time
import Vocabulary

/// Formats the journal's entries for events. The type is pure.
///
/// In every entry, the field `TACET_PLAYING` indicates whether the music plays, and `TACET_OUTCOME` describes what
/// follows, if that is known. Programs that read the journal back read the fields and never the messages.
public struct JournalFormatter {
    var latencies = Latencies()
    private var limiters: [[String]: RepetitionLimiter] = [:]
    private var throttle = EntryRateLimiter()
    /// The entries that are logged only once in a process.
    private var loggedOnce: Set<[String]> = []
    var logged = LoggedState()
    var device = DeviceLog()
    /// The tracks that were logged as skipped.
    var skipped: Set<String> = []
    /// The reason why the capture device is not available.
    var captureProblem: String?
    /// The signal whose cue is playing, or nil if there is none.
    var cueSignal: SignalID?
    /// The sleep whose end is about to be reported.
    private var sleep: Sleep?
    private(set) var wokeAt: Duration?
    /// The reasons why lines are missing.
    var reasons: [SignalID: String] = [:]

    /// The state that was last logged. Only its changes are logged.
    struct LoggedState {
        var isMute = false
        /// True while the storage is lost. The storage does not keep up during that time either, but this is not
        /// logged.
        var isStorageLost = false
        var isStorageSlow = false
        /// The asserted outputs.
        var outputs: [OutputID] = []
        /// True if Tacet is recording from the microphone.
        var isRecording = false
    }

    public init() {}

    /// Continues for another installation in the same process. Entries that were logged are not repeated, and the limit
    /// of one entry per hour applies across reloads.
    mutating func resume(after predecessor: JournalFormatter) {
        limiters = predecessor.limiters
        loggedOnce = predecessor.loggedOnce
        logged = predecessor.logged
        captureProblem = predecessor.captureProblem
        cueSignal = predecessor.cueSignal
    }

    /// Records the reason why a signal's line cannot be read, for the fault that follows.
    public mutating func explain(_ signal: SignalID, _ reason: String) {
        reasons[signal] = reason
    }

    /// Records that a line changed to or from the level that asserts its signal. If the contact bounces, its first edge
    /// is used.
    /// - Parameter debounce: The longest time that a bounce may last.
    public mutating func turned(_ signal: SignalID, toAssert asserts: Bool, at time: Duration, debounce: Duration) {
        latencies.turned(signal, toAssert: asserts, at: time, debounce: debounce)
    }

    /// - Returns: The entry to write, or nil if it has been repeated too often.
    public mutating func limit(_ entry: JournalEntry, at now: Duration) -> JournalEntry? {
        // Every new engine repeats this report, but only the first one is logged.
        if entry.event == .notRealTime, !isNew(entry.message, entry.event) { return nil }
        guard let limiter = entry.limiter else { return entry }
        let verdict = limiters[entry.kind, default: limiter].happens(at: now)
        if verdict == .dropped { return nil }
        return verdict.remark(limiter.pace).map(entry.saying) ?? entry
    }

    /// - Returns: True if this has not been logged yet.
    mutating func isNew(_ text: String, _ event: JournalEvent) -> Bool {
        loggedOnce.insert([event.rawValue, text]).inserted
    }

    /// Counts an event for which an entry is written at most once an hour.
    /// - Returns: The number of times that it has happened since the last entry, including this time, or nil if no
    ///   entry must be written.
    mutating func countHourly(_ what: String, at now: Duration) -> Int? {
        switch limiters[[what], default: RepetitionLimiter(burst: 1)].happens(at: now) {
        case .dropped: nil
        case .loggedAfter(let count): count + 1
        case .logged, .loggedLast: 1
        }
    }

    /// The time at which `due` has entries, or nil if none are pending.
    var deadline: Duration? { throttle.deadline }

    /// Returns the entries that were pending because newer ones might have replaced them.
    /// - Parameter now: The current time, or nil for all pending entries.
    mutating func due(at now: Duration?) -> [JournalEntry] { throttle.due(at: now) }

    /// - Parameters:
    ///   - scene: The state after the report.
    ///   - issuer: The issuer of the reported command, or nil if it is unknown or if the report is not about a command.
    mutating func entries(for report: Report, in scene: StateSnapshot, from issuer: Issuer? = nil) -> [JournalEntry] {
        let notifications = report.notifications.compactMap { entry(for: $0, of: report, in: scene) }
        latencies.expect(
            report.event, at: report.time, directive: scene.session.directive,
            playback: scene.configuration.playback)
        // The entry for a notification that an edge caused includes the edge. Any other cause is logged before its
        // consequences.
        let isCovered =
            if case .event(.edge, _) = report.cause { report.notifications.contains { $0.sound == nil } } else { false }
        let cause = isCovered ? nil : entry(for: report, in: scene).flatMap { turned($0.from(issuer), report) }
        let search = report.trackCount.map { entry(forTracks: $0, in: scene) }
        let entries =
            [cause, search, released(report, in: scene), joined(report, in: scene)].compactMap { $0 }
            + notifications
            + [recordingEntry(in: scene)].compactMap { $0 } + report.noOpReasons.map { entry(for: $0) }
            + outputEntries(in: scene)
        let written = entries.compactMap { limit(complete($0, in: scene), at: report.time) }
        // Pending entries are older.
        return written.isEmpty ? [] : throttle.due(at: nil) + written
    }

    /// Returns the entries for the outputs that have changed.
    private mutating func outputEntries(in scene: StateSnapshot) -> [JournalEntry] {
        defer { logged.outputs = scene.outputs }
        return scene.configuration.outputs.map(\.policy).compactMap { output in
            let isAsserted = scene.outputs.contains(output.id)
            guard isAsserted != logged.outputs.contains(output.id) else { return nil }
            return JournalEntry(
                .output, "The output \(output.id) (\(output.meaning.name)) is \(isAsserted ? "on" : "off")."
            ).with(.output, output.id.rawValue).with(.effect, output.meaning.name).with(.asserted, isAsserted)
        }
    }

    private mutating func recordingEntry(in scene: StateSnapshot) -> JournalEntry? {
        defer { logged.isRecording = scene.session.isRecording }
        return recording(since: logged.isRecording, in: scene)
    }

    /// Adds the fields that state whether the music plays and what follows.
    private func complete(_ entry: JournalEntry, in scene: StateSnapshot) -> JournalEntry {
        let withPlaying = entry[.playing].isEmpty ? entry.with(.playing, scene.isPlaying) : entry
        return entry[.outcome].isEmpty ? withPlaying.with(.outcome, sequel(scene)) : withPlaying
    }

    /// - Returns: The entry, or nil if it is one of many and is written later.
    private mutating func turned(_ entry: JournalEntry, _ report: Report) -> JournalEntry? {
        switch report.event {
        case .command(.volume): throttle.take(entry, of: ["volume"] + entry.issuer, at: report.time)
        case .command(.seek): throttle.take(entry, of: ["seek"] + entry.issuer, at: report.time)
        default: entry
        }
    }

    // MARK: Sleep

    /// Returns the entry for a system that is about to sleep.
    func fallingAsleep(in scene: StateSnapshot) -> JournalEntry {
        JournalEntry(.asleep, "The system is about to sleep. Tacet is quiet until it wakes.", priority: .notice)
            .with(.outcome, "continues when the system wakes").at(scene, plays: false)
    }

    /// Records the sleep whose end the next report describes.
    mutating func woke(from sleep: Sleep) { self.sleep = sleep }

    mutating func awoke(in scene: StateSnapshot, at now: Duration) -> JournalEntry? {
        wokeAt = now
        guard let sleep else { return nil }
        self.sleep = nil
        return JournalEntry(.awake, "\(sleep.words). \(sequelSentence(scene))", priority: .notice)
            .with(.reason, sleep.cause.rawValue).with(.asleep, sleep.length).with(.outcome, sequel(scene)).at(scene)
    }

    /// Returns the entry for an outcome of the microphone. Every start unmutes the microphone, which is not logged.
    mutating func entry(for outcome: Microphone.Outcome) -> JournalEntry? {
        switch outcome {
        case .failed:
            return outcome.trouble.map { JournalEntry(.microphone, "\($0).", priority: .error) }
        case .turned(let isMuted):
            defer { logged.isMute = isMuted }
            guard isMuted != logged.isMute else { return nil }
            return JournalEntry(.microphone, "The microphone is \(isMuted ? "mute" : "on again").")
        }
    }

    /// - Parameters:
    ///   - reading: The state from which Tacet continues, or nil if there was none.
    ///   - lastRun: The end of the last run, or nil if it is unknown.
    func started(_ scene: StateSnapshot, from reading: StateReading? = nil, lastRun: RunEnd? = nil) -> JournalEntry {
        let origin = reading.map { "and continues from \($0)" } ?? "without a saved state"
        let end = lastRun.map { " The last run was \($0.participle)." } ?? ""
        return JournalEntry(
            .started, "Tacet has started \(origin). \(sequelSentence(scene))\(end)", priority: .notice
        ).with(scene.session.active).with(.lastRun, lastRun?.rawValue)
            .with(.savedAt, reading?.state.savedAt).with(.savedMonotonic, reading?.state.run?.time)
            .with(.savedBoot, reading?.state.run?.boot).with(.outcome, sequel(scene)).at(scene)
    }

    public func libraryEmpty(_ reason: String) -> JournalEntry {
        JournalEntry(.libraryEmpty, "There is nothing to play: \(reason).", priority: .warning)
            .with(.playing, false).with(.outcome, "quiet because there is nothing to play").with(.reason, reason)
    }

    public func filesUnplayable(_ files: UnplayableFiles) -> JournalEntry {
        JournalEntry(.filesUnplayable, "In the library, \(files).", priority: .notice)
            .with(.outcome, "plays the rest of the library")
    }

    /// - Parameter folders: The folders or playlists, of which there is at least one. The entry names the first few.
    public func foldersUnreadable(_ folders: [LibraryError]) -> JournalEntry {
        let named = folders.prefix(5).map { "\n\($0)" }.joined()
        let others = folders.count > 5 ? "\nand \(folders.count - 5) more" : ""
        return JournalEntry(
            .foldersUnreadable, "Music is missing because parts of the library cannot be read:\(named)\(others)",
            priority: .warning
        ).with(.outcome, "plays the rest of the library")
    }

    /// - Parameter problem: The reason why an input or a player cannot be used, or nil if it can be used again.
    func lost(_ fault: Fault, _ problem: String?) -> JournalEntry {
        let isPlayer = if case .player = fault.subject { true } else { false }
        let name = "\(isPlayer ? "player" : "input") \(fault.name)"
        guard let problem else {
            let words = isPlayer ? "can be controlled again" : "is no longer lost"
            return JournalEntry(.faultCleared, "The \(name) \(words).").with(fault)
        }
        let (verb, sequel, outcome) =
            isPlayer
            ? (
                "controlled", "It may play while Tacet is interrupted. Tacet keeps trying.",
                "Tacet keeps trying to control it"
            )
            : ("read", "Everything else continues, and Tacet keeps trying.", "Tacet keeps trying to read it")
        return JournalEntry(
            .fault, "The \(name) cannot be \(verb): \(problem.asSentenceEnd) \(sequel)", priority: .warning
        ).with(fault).with(.reason, problem).with(.outcome, outcome)
    }

    /// - Parameter lines: The polled lines of a chip, of which there is at least one.
    func linesPolled(_ lines: [PolledLine], of chip: String) -> JournalEntry {
        let (interval, reason) = lines.first.map { ($0.polling.interval, $0.polling.reason) } ?? (.zero, "")
        let names = lines.map(\.title).enumeration
        return JournalEntry(
            .linesPolled,
            "\(chip) cannot report edges (\(reason)), so \(names) \(lines.count > 1 ? "are" : "is") read every "
                + "\(TimeSpan.format(interval)).", priority: .notice
        ).with(.device, chip).with(.reason, reason)
    }

    /// - Parameter count: The number of edges that have been lost since the start.
    func edgeLost(_ id: WireID, level: Bool, count: Int) -> JournalEntry {
        let entry = JournalEntry(
            .edgeLost, "The \(id.title) is \(level ? "high" : "low"), but its edge was lost. The level now counts.",
            priority: .warning
        ).with(.count, "\(count)")
        return switch id {
        case .signal(let signal), .complement(let signal): entry.with([signal])
        case .button(let name): entry.with(.button, name)
        case .outputJack: entry
        }
    }

    public func fault(_ fault: Fault, in scene: StateSnapshot) -> JournalEntry {
        JournalEntry(.fault, words(fault, in: scene), priority: .warning)
            .with(fault).with(.playing, scene.isPlaying).with(.outcome, sequel(scene))
    }
}

extension Fault.Kind {
    /// The word for the state of a line that has the fault.
    var participle: String {
        switch self {
        case .stuck: "stuck"
        case .chatter: "chattering"
        case .lost: "lost"
        case .wire: "contradicted by its other contact"
        case .sound: "unreadable"
        case .muted: "muted"
        case .quiet: "turned down too far"
        case .unconfirmed: "unconfirmed"
        }
    }
}

extension JournalEntry {
    /// Adds the state after the event, which consists of the intent, the volume, the track, the position, and whether
    /// the music plays.
    /// - Parameter plays: True if the music plays from now on, or nil to use the scene's state.
    func at(_ scene: StateSnapshot, plays: Bool? = nil) -> JournalEntry {
        with(.playing, plays ?? scene.isPlaying).with(.intent, scene.session.intent.rawValue)
            .with(.source, scene.session.policy.inputs.isEmpty ? nil : scene.session.source.description)
            .with(.volume, scene.session.volume.description).with(.track, scene.track)
            .with(.position, scene.track == nil ? nil : scene.position)
            .with(.length, scene.track == nil ? nil : scene.length)
    }
}
