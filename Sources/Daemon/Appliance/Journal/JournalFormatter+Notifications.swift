import AudioSession
import Configuration
import Playback
import Supervisor
import Vocabulary

/// The entries for the session's notifications, such as interruptions, ducks and device changes.
extension JournalFormatter {
    mutating func entry(
        for notification: SessionNotification, of report: Report, in scene: StateSnapshot
    ) -> JournalEntry? {
        switch notification {
        case .began(let reason): began(reason, report, scene)
        case .ended(let options): ended(options, report, scene)
        case .duckBegan(let level): ducked(.duckBegan, "turned down to \(words(level))", level, report, scene)
        case .duckChanged(let level): ducked(.duckChanged, "now at \(words(level))", level, report, scene)
        case .duckEnded: ducked(.duckEnded, "back at full level", nil, report, scene)
        case .mediaServicesWereLost:
            JournalEntry(.mediaServicesLost, "\(device.lossWords). Tacet keeps trying.", priority: .warning)
                .with(.device, device.loss?.device ?? scene.device).with(.reason, device.loss?.description)
                .with(.outcome, "Tacet keeps trying to open it").at(scene)
        case .mediaServicesWereReset:
            JournalEntry(
                .mediaServicesReset, "The sound device has returned. \(sequelSentence(scene))", priority: .notice
            ).with(.device, scene.device).with(.outcome, sequel(scene)).at(scene)
        case .configurationChanged: nil
        case .routeChanged(let reason):
            JournalEntry(
                .routeChanged, "\(device.words(reason, in: scene)). \(sequelSentence(scene))", priority: .notice
            ).with(.device, scene.device).with(.reason, reason.rawValue).with(.outcome, sequel(scene)).at(scene)
        case .sourceChanged(let source):
            JournalEntry(.sourceChanged, "\(selection(source)) \(sequelSentence(scene))")
                .with(.outcome, sequel(scene)).at(scene)
        case .soundBegan(let sound, let id):
            began(sound, id, report, scene)
        case .soundEnded(let sound, let id):
            ended(sound, id, .soundEnded, "was played to its end", scene)
        case .soundCut(let sound, let id, let cause): cut(sound, id, because: cause, scene)
        case .soundExpired(let sound, let id):
            ended(sound, id, .soundExpired, "has expired and is not played", scene)
        }
    }

    private func selection(_ source: Source) -> String {
        switch source {
        case .library: "The library is selected again."
        case .input(let input): "The input \(input) is selected."
        }
    }

    func began(_ reason: InterruptionReason, _ report: Report, _ scene: StateSnapshot) -> JournalEntry {
        let signals = scene.session.blocking
        let names = scene.names(of: signals)
        let isAwake = if case .event(.awoke, _) = report.cause { true } else { false }
        let message =
            switch reason {
            case .appWasSuspended where isAwake: "Interrupted on waking by \(names)"
            case .appWasSuspended: "Interrupted from the start by \(names)"
            default: "Interrupted by \(names)"
            }
        let outlook = outlook(scene, at: report.time)
        return JournalEntry(
            .interruptionBegan, message + "." + (outlook.map { " Tacet \($0)." } ?? ""), priority: .notice
        ).with(signals).with(.effect, signals.first.flatMap(scene.effect)?.name).with(.reason, reason.rawValue)
            .with(.outcome, outlook).at(scene)
    }

    /// Returns what follows the interruption, as far as it is known while the interruption lasts.
    private func outlook(_ scene: StateSnapshot, at now: Duration) -> String? {
        guard let place = scene.place else { return nil }
        return switch scene.session.outlookWhenUnblocked(at: now) {
        case .plays: "will resume \(place)"
        case .stays(let intent): "will stay \(intent.rawValue) in \(place)"
        case .waitsForPlay: "will stay quiet in \(place) until ‘tacet play’"
        }
    }

    func ended(_ options: InterruptionOptions, _ report: Report, _ scene: StateSnapshot) -> JournalEntry {
        let resumes = options.contains(.shouldResume)
        let loss = scene.lossClause(of: report.over.blocking)
        return JournalEntry(
            .interruptionEnded,
            "The interruption is over\(loss.map { " because \($0)" } ?? ""). \(sequelSentence(scene))",
            priority: loss == nil ? .notice : .warning
        ).with(report.over.blocking).with(.fault, loss.map { _ in Fault.Kind.lost.rawValue })
            .with(.shouldResume, resumes).with(.outcome, sequel(scene, after: loss)).at(scene)
    }

    private func ducked(
        _ event: JournalEvent, _ what: String, _ level: Level?, _ report: Report, _ scene: StateSnapshot
    ) -> JournalEntry {
        let over = report.over.ducking
        let signals = signal(of: report).map { [$0] } ?? (over.isEmpty ? scene.session.ducking : over)
        let reason = event == .duckEnded ? "after" : "because of"
        let loss = scene.lossClause(of: over)
        let cause = loss.map { "because \($0)" } ?? "\(reason) \(scene.names(of: signals))"
        return JournalEntry(event, "The music is \(what) \(cause).", priority: loss == nil ? .notice : .warning)
            .with(signals).with(.effect, Effect.duck(.mute).name).with(.level, level?.description)
            .with(.fault, loss.map { _ in Fault.Kind.lost.rawValue })
            .with(.outcome, scene.isPlaying && loss == nil ? what : sequel(scene, after: loss)).at(scene)
    }

    func words(_ level: Level) -> String { level == .mute ? "silence" : "\(level) dB" }

    /// Returns what the music does from now on.
    /// - Parameter loss: The loss of signals that causes it, or nil if they have ended otherwise.
    func sequel(_ scene: StateSnapshot, after loss: String?) -> String {
        loss.map { "\(sequel(scene)), because \($0)" } ?? sequel(scene)
    }

    /// Returns what the music does from now on.
    func sequel(_ scene: StateSnapshot) -> String {
        switch scene.quietCause {
        // The search may find that the track cannot be played.
        case nil:
            let isSearching = scene.isSearching && scene.session.source == .library
            return "\(isSearching ? "selects" : "plays") \(scene.place ?? "")"
        case .notPlaying(let intent, let cause)?:
            let place = scene.place.map { " in \($0)" } ?? ""
            let reason = cause == .user ? "" : " because \(scene.quietCause.map { scene.clause($0) } ?? "")"
            return "stays \(intent.rawValue)\(place)\(reason)"
        case let cause?: return "quiet because \(scene.clause(cause))"
        }
    }

    /// Returns a sentence about what the music does from now on, such as `Tacet plays ‘One.flac’ at 2:31.`
    func sequelSentence(_ scene: StateSnapshot) -> String {
        switch scene.quietCause {
        case nil, .notPlaying?: "Tacet \(sequel(scene))."
        default: "Tacet is \(sequel(scene))."
        }
    }

    func milliseconds(_ time: Duration) -> String { "\(Int((time / .milliseconds(1)).rounded())) ms" }

    mutating func heard(_ effect: CommandEffect, in scene: StateSnapshot) -> JournalEntry? {
        guard let reaction = latencies.heard(effect) else { return nil }
        let end = reaction.directive == .silent ? "silent" : "at the reduced level"
        let message =
            "\(scene.names(of: [reaction.signal])) took effect after \(milliseconds(reaction.latency)); "
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
}
