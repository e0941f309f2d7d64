import AudioSession
import Configuration

/// The texts about a cause, which every view uses.
extension ExplanationContext {
    enum Detail {
        /// The detail for a line that stays on a screen. It omits values that change every second and details that are
        /// shown elsewhere.
        case brief
        /// The detail for a person who has just asked.
        case full
    }

    /// Returns a clause such as `phone-call (line PHONE_CALL, gpiochip0 12) is asserted`.
    func clause(_ cause: QuietCause, _ detail: Detail) -> String {
        if cause == .stalled(.storage), let skipped {
            return detail == .brief ? "looking for a file that can be played" : skipped.words
        }
        let state: ([SignalID]) -> String = { self.state(of: $0, detail) }
        if detail == .brief { return scene.label(cause, state: state) }
        let clause = scene.clause(cause, state: state)
        return switch cause {
        case .nothingToPlay: health[.library].map { "there is \($0)" } ?? clause
        case .deviceLost:
            holder.map { "another program holds the sound device: \($0)" }
                ?? "\(clause) (\(health[.device] ?? "it is being opened"))"
        case .muteVolume: "\(clause) while it plays \(place(detail))"
        case .stalled(.storage): health[.storage] ?? clause
        case .stalled(.output): scene.inaudibility ?? clause
        case .interrupted, .resumeDelay, .announcement, .notPlaying, .stalled(.device), .ducked: clause
        }
    }

    /// Returns what ends the cause, such as `Tacet will resume ‘One.flac’ at 2:31 when the signal is released`, or nil
    /// if there is nothing to say.
    func sequel(_ cause: QuietCause, _ detail: Detail) -> String? {
        switch cause {
        case .nothingToPlay: nil
        case .interrupted(let signals): afterInterruption(by: signals, detail)
        case .deviceLost: resumption("when the device returns", detail)
        case .resumeDelay: "\(will(detail)) resume \(place(detail)) when ResumeDelay= has elapsed"
        case .announcement:
            "\(will(detail)) resume \(place(detail)) "
                + (detail == .full ? secondsLeft.map { "in \($0) s" } ?? "after it" : "after it")
        case .notPlaying(_, .user) where detail == .brief: nil
        case .notPlaying: detail == .brief ? "waits for ‘tacet play’" : "‘tacet play’ resumes \(place(detail))"
        case .muteVolume: "\(turnUp) turns it up"
        case .ducked(let signals):
            (detail == .full ? "the music returns to full level " : "back at full level ") + end(of: signals, detail)
        case .stalled(.storage) where skipped != nil: nil
        case .stalled(.storage): "\(will(detail)) resume \(place(detail)) when its file can be read again"
        case .stalled(.output): nil
        case .stalled(.device): "\(will(detail)) resume \(place(detail)) when the device accepts frames again"
        }
    }

    /// Returns the beginning of a text about the future. A sentence needs a subject, and a line on a screen does not.
    private func will(_ detail: Detail) -> String { detail == .full ? "Tacet will" : "will" }

    /// Returns the track and the position, or the name of the selected input. The position changes while the music plays,
    /// so a line that stays contains only the track.
    func place(_ detail: Detail) -> String {
        if case .input(let input) = session.source {
            let title = reports[input]?.title ?? ""
            return title.isEmpty ? input.rawValue : "‘\(title)’ from \(input)"
        }
        return placeInLibrary(detail)
    }

    func placeInLibrary(_ detail: Detail) -> String {
        guard let track = scene.track else { return "the music" }
        let name = "‘\(track.split(separator: "/").last ?? "")’"
        return detail == .full ? scene.placeInLibrary ?? name : name
    }

    /// The command that unmutes the volume.
    var turnUp: String {
        let policy = session.policy
        let usual = min(policy.volume == .mute ? .full : policy.volume, policy.maximumVolume)
        return "‘tacet volume \(usual.text)’"
    }

    /// Returns the time at which the effect of these signals ends, such as `when the signal is released` or
    /// `in 3 s`.
    func end(of signals: [SignalID], _ detail: Detail) -> String {
        guard let over = releaseTime(of: signals) else {
            return signals.count > 1 ? "when the signals are released" : "when the signal is released"
        }
        return detail == .brief ? "soon" : "in \(ExplanationContext.seconds(over - now, .up)) s"
    }

    // MARK: Signals

    /// Returns the state of these signals and the faults of their lines.
    func state(of signals: [SignalID], _ detail: Detail) -> String {
        let broken = signals.filter { session.faults.contains(Fault($0, .wire)) }
        let lost = signals.filter { session.faults.contains(Fault($0, .lost)) } + broken
        let released = signals.filter { releases[$0] != nil && !lost.contains($0) }
        let asserted = signals.filter { !lost.contains($0) && !released.contains($0) }
        var clauses: [String] = []
        if !asserted.isEmpty {
            let verb = asserted.count > 1 ? "are" : "is"
            clauses.append("\(names(asserted, detail)) \(verb) asserted\(detail == .full ? faults(of: asserted) : "")")
        }
        clauses += lost.map {
            "\(names([$0], detail)) is lost and counts as asserted"
                + (detail == .full ? broken.contains($0) ? faults(of: [$0]) : scene.lossAdvice(for: $0) : "")
        }
        clauses += released.map { signal in
            guard detail == .full, let release = releases[signal] else {
                return "\(names([signal], detail)) was released and stays active until its ReleaseDelay= has elapsed"
            }
            return
                "\(names([signal], detail)) was released \(ExplanationContext.seconds(now - release.since, .down)) s ago"
        }
        return clauses.joined(separator: " and ")
    }

    private func names(_ signals: [SignalID], _ detail: Detail) -> String {
        signals.map { signal in
            guard detail == .full, let place = places[signal] else { return scene.names(of: [signal]) }
            return "\(signal) (\(place))"
        }.joined(separator: ", ")
    }

    private func faults(of signals: [SignalID]) -> String {
        let faults = session.faults.compactMap { fault -> String? in
            guard let signal = fault.signal, signals.contains(signal) else { return nil }
            return scene.faultClause(fault.kind, of: signal, named: signal.rawValue)
        }
        return faults.isEmpty ? "" : " (" + faults.joined(separator: "; ") + ")"
    }

    /// Returns the time at which the last of these signals ends without another event, or nil if one of them has not
    /// been released.
    private func releaseTime(of signals: [SignalID]) -> Duration? {
        let times = signals.compactMap { releases[$0]?.until }
        return times.count == signals.count ? times.max() : nil
    }

    private static func seconds(_ time: Duration, _ rule: FloatingPointRoundingRule) -> Int {
        max(0, Int((time / .seconds(1)).rounded(rule)))
    }

    // MARK: Consequences

    private func afterInterruption(by signals: [SignalID], _ detail: Detail) -> String {
        let needsDevice = !session.servicesAvailable
        let condition = needsDevice ? " and the sound device returns" : ""
        return resumption(end(of: signals, detail) + condition, detail)
    }

    private func resumption(_ condition: String, _ detail: Detail) -> String {
        switch (session.outlookWhenUnblocked(at: now), detail) {
        case (.plays, .full): "Tacet will resume \(place(detail)) \(condition)"
        case (.plays, .brief): "will resume \(place(detail))"
        case (.stays(let intent), .full): "the music will stay \(intent.rawValue) \(condition)"
        case (.stays(let intent), .brief): intent.rawValue
        case (.waitsForPlay, .full): "the music will stay quiet \(condition), until ‘tacet play’"
        case (.waitsForPlay, .brief): "waits for ‘tacet play’"
        }
    }
}
