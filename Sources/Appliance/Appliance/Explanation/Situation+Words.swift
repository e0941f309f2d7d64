import AudioSession
import Configuration

/// How a cause reads. Every view takes these clauses.
extension Situation {
    enum Detail {
        /// For a line that stays: nothing in it that changes by the second, and no detail that stands elsewhere.
        case brief
        /// For somebody who has just asked.
        case full
    }

    /// `phone-call (line PHONE_CALL, gpiochip0 17) is asserted`
    func clause(_ cause: QuietCause, _ detail: Detail) -> String {
        switch (cause, detail) {
        case (.nothingToPlay, .brief): "nothing to play"
        case (.nothingToPlay, .full): "there is \(health[.library] ?? "nothing to play")"
        case (.interrupted(let signals), _): state(of: signals, detail)
        case (.deviceLost, .brief): "no sound device"
        case (.deviceLost, .full): "there is no sound device (\(health[.device] ?? "it is being opened"))"
        case (.delayed, _): "an interruption has just ended"
        case (.resting(nil), .brief): scene.wish
        case (.resting(let rest), _): words(rest)
        case (.muteVolume, .brief): "the volume is mute"
        case (.muteVolume, .full): "the volume is mute while it plays \(place(detail))"
        case (.ducked(let signals), _): "\(state(of: signals, detail)), which turns it down to silence"
        case (.stalled(.storage), .brief): "the storage does not keep up"
        case (.stalled(.storage), .full): health[.storage] ?? "the storage does not keep up"
        case (.stalled(.device), _): "the sound device takes no frames"
        }
    }

    /// What ends it: `will resume ‘One.flac’ at 2:31 when it is released`; nil if there is nothing to say.
    func sequel(_ cause: QuietCause, _ detail: Detail) -> String? {
        switch cause {
        case .nothingToPlay: nil
        case .interrupted(let signals): afterInterruption(by: signals, detail)
        case .deviceLost: resumption(once: [.mediaServicesReset], "when it is back", detail)
        case .delayed: "will resume \(place(detail)) when ResumeDelay= is over"
        case .resting(nil) where detail == .brief: nil
        case .resting: detail == .brief ? "waits for ‘tacet play’" : "‘tacet play’ goes on with \(place(detail))"
        case .muteVolume: "\(turnUp) turns it up"
        case .ducked(let signals): "back at full level \(end(of: signals, detail))"
        case .stalled(.storage): "will go on with \(place(detail)) when its file can be read again"
        case .stalled(.device): "will go on with \(place(detail)) when it takes frames again"
        }
    }

    /// The programme's position changes as it plays: a line that stays has the track only.
    func place(_ detail: Detail) -> String {
        guard let track = scene.track else { return "the programme" }
        let name = "‘\(track.split(separator: "/").last ?? "")’"
        return detail == .full ? scene.place ?? name : name
    }

    /// The command that makes what is mute heard.
    var turnUp: String {
        let usual = session.policy.volume == .mute ? Level.full : session.policy.volume
        return "‘tacet volume \(usual.text)’"
    }

    /// When these signals' effect ends: `when it is released`, `in 3 s`.
    func end(of signals: [SignalID], _ detail: Detail) -> String {
        guard let over = releaseTime(of: signals) else {
            return signals.count > 1 ? "when they are released" : "when it is released"
        }
        return detail == .brief ? "soon" : "in \(Situation.seconds(over - now, .up)) s"
    }

    // MARK: Signals

    /// What these signals are, and what is wrong with their lines.
    func state(of signals: [SignalID], _ detail: Detail) -> String {
        let lost = signals.filter { session.faults.contains(Fault($0, .lost)) }
        let released = signals.filter { releases[$0] != nil && !lost.contains($0) }
        let asserted = signals.filter { !lost.contains($0) && !released.contains($0) }
        var clauses: [String] = []
        if !asserted.isEmpty {
            let verb = asserted.count > 1 ? "are" : "is"
            clauses.append("\(names(asserted, detail)) \(verb) asserted\(detail == .full ? faults(of: asserted) : "")")
        }
        clauses += lost.map {
            "\(names([$0], detail)) is lost, and counts as asserted" + (detail == .full ? " (see ‘tacet lines’)" : "")
        }
        clauses += released.map { signal in
            guard detail == .full, let release = releases[signal] else {
                return "\(names([signal], detail)) was released, and counts until its ReleaseDelay= is over"
            }
            return "\(names([signal], detail)) was released \(Situation.seconds(now - release.since, .down)) s ago"
        }
        return clauses.joined(separator: " and ")
    }

    private func names(_ signals: [SignalID], _ detail: Detail) -> String {
        signals.map { signal in
            guard detail == .full, let place = places[signal] else { return scene.names(of: [signal]) }
            let name = place.line.name.map { "line \($0), " } ?? ""
            return "\(signal) (\(name)\(place.chip.name) \(place.line.offset))"
        }.joined(separator: ", ")
    }

    private func faults(of signals: [SignalID]) -> String {
        let faults = session.faults.filter { signals.contains($0.signal) }.compactMap { fault -> String? in
            switch fault.kind {
            case .stuck: "\(fault.signal) has been so for longer than StuckAfter=: look at its contact and wire"
            case .chatter:
                "\(fault.signal) chatters, and counts as asserted until it is quiet: look for a loose contact"
            case .lost: nil
            }
        }
        return faults.isEmpty ? "" : " (" + faults.joined(separator: "; ") + ")"
    }

    /// When the last of them ends on its own; nil if one has not been released.
    private func releaseTime(of signals: [SignalID]) -> Duration? {
        let times = signals.compactMap { releases[$0]?.until }
        return times.count == signals.count ? times.max() : nil
    }

    private static func seconds(_ time: Duration, _ rule: FloatingPointRoundingRule) -> Int {
        max(0, Int((time / .seconds(1)).rounded(rule)))
    }

    // MARK: What follows

    private func afterInterruption(by signals: [SignalID], _ detail: Detail) -> String {
        var events = signals.map { Event.edge(Edge($0, asserted: false)) }
        let needsDevice = !session.servicesAvailable
        if needsDevice { events.append(.mediaServicesReset) }
        if !needsDevice, releaseTime(of: signals) != nil, detail == .full, plays(once: events) {
            return "resumes \(end(of: signals, detail)), with \(place(detail))"
        }
        let condition = needsDevice ? " and the sound device is back" : ""
        return resumption(once: events, end(of: signals, detail) + condition, detail)
    }

    private func resumption(once events: [Event], _ condition: String, _ detail: Detail) -> String {
        if plays(once: events) { return "will resume \(place(detail))" + (detail == .full ? " \(condition)" : "") }
        guard session.intent == .playing else {
            return detail == .full ? "will stay \(scene.wish) \(condition)" : scene.wish
        }
        return detail == .full ? "will stay quiet \(condition), until ‘tacet play’" : "waits for ‘tacet play’"
    }

    /// What a session does is found out by having it do so: it is a value.
    private func plays(once events: [Event]) -> Bool {
        var session = session
        for event in events { _ = session.handle(event, at: now) }
        return session.directive != .silent
    }

    // MARK: Rest

    /// Why it is not to play.
    private func words(_ rest: Rest.Cause?) -> String {
        switch rest {
        case nil: "it was \(scene.wish)"
        case .start?: "it was \(scene.wish) when Tacet started"
        case .ends(let signals)?: ends(signals)
        case .reset?:
            "the sound device was lost, and it does not resume on its own after that (ResumeAfterReset=no)"
        case .unplugged?: "what was playing was unplugged"
        case .listEnd?: "the last track has ended (Repeat=none)"
        }
    }

    /// `door (DOOR) is over, and it does not resume on its own (Resume=manual)`
    private func ends(_ signals: [SignalID]) -> String {
        guard !signals.isEmpty else { return "an interruption is over after which it does not resume on its own" }
        let policies = session.policy.signals.filter { signals.contains($0.id) }
        let reason =
            policies.allSatisfy { $0.resume == .auto } ? "it took longer than ResumeWithin=" : "Resume=manual"
        return
            "\(scene.names(of: signals)) \(signals.count > 1 ? "are" : "is") over, and it does not resume on its own "
            + "(\(reason))"
    }
}
