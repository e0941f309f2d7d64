import AudioSession
import Configuration
import GPIO

/// Why it sounds, or does not, as it does now: one sentence that a technician can act on. Pure, and told the time.
struct Explanation: CustomStringConvertible {
    let description: String

    /// - Parameters:
    ///   - isStarved: whether there is silence, as the storage does not keep up.
    ///   - rest: why it is not to play, where no user has said so.
    ///   - since: when the sound last changed, as people write the time of day, and for how long.
    ///   - now: on the session's clock.
    ///   - place: where a signal's line is, as far as it is known.
    init(
        _ scene: Scene, _ health: Health, isStarved: Bool = false, rest: Rest.Cause? = nil, since: String,
        at now: Duration,
        place line: (SignalID) -> FoundLine? = { _ in nil }
    ) {
        let session = scene.session
        let quiet = "Quiet since \(since)"
        let place = scene.place ?? "the programme"
        let mute = session.volume == .mute ? ", and the volume is mute (\(Explanation.turnUp(session)))" : ""
        if session.directive != .silent, session.volume == .mute {
            description =
                "\(quiet) because the volume is mute while it plays \(place); \(Explanation.turnUp(session)) turns it up."
        } else if session.directive != .silent, isStarved {
            description =
                "\(quiet) because \(health[.storage] ?? "the storage does not keep up"); "
                + "will go on with \(place) when its file can be read again."
        } else if case .play(let level) = session.directive {
            description =
                level == .full
                ? "Playing \(place)\(health[.storage].map { " from what was read ahead: \($0)" } ?? "")."
                : Explanation.ducked(scene, to: level, since: since, line)
        } else if session.track == nil {
            description = "\(quiet) because there is \(health[.library] ?? "nothing to play")."
        } else if !session.blocking.isEmpty {
            let cause = Explanation.cause(of: session.blocking, scene, line)
            let resumes = Explanation.plays(
                session, once: session.blocking.map { .edge(Edge($0, asserted: false)) }, at: now)
            let released = session.blocking.count > 1 ? "when they are released" : "when it is released"
            let sequel = resumes ? "will resume \(place) \(released)" : Explanation.sequel(scene, released)
            description = "\(quiet) because \(cause); \(sequel)\(mute)."
        } else if !session.servicesAvailable {
            let resumes = Explanation.plays(session, once: [.mediaServicesReset], at: now)
            let sequel = resumes ? "will resume \(place) when it is back" : Explanation.sequel(scene, "when it is back")
            description =
                "\(quiet) because there is no sound device (\(health[.device] ?? "it is being opened")); \(sequel)\(mute)."
        } else {
            description =
                "\(quiet) because \(Explanation.words(rest, scene)); ‘tacet play’ goes on with \(place)\(mute)."
        }
    }

    /// Since when, and for how long.
    static func since(_ wallClock: Duration, elapsed: Duration) -> String {
        "\(wallClock.timeOfDay) (for \(TimeSpan.format(.seconds(elapsed.components.seconds))))"
    }

    /// Why it is not to play.
    private static func words(_ rest: Rest.Cause?, _ scene: Scene) -> String {
        switch rest {
        case nil: "it was \(scene.wish)"
        case .start?: "it was \(scene.wish) when Tacet started"
        case .ends(let signals)?: ends(signals, scene)
        case .reset?: "the sound device was gone, and it does not resume by itself after that (ResumeAfterReset=no)"
        case .unplugged?: "what was playing was unplugged"
        case .listEnd?: "the last track has ended (Repeat=none)"
        }
    }

    /// `door (DOOR) is over, and it does not resume by itself (Resume=manual)`
    private static func ends(_ signals: [SignalID], _ scene: Scene) -> String {
        guard !signals.isEmpty else { return "an interruption is over after which it does not resume by itself" }
        let policies = scene.session.policy.signals.filter { signals.contains($0.id) }
        let reason =
            policies.allSatisfy { $0.resume == .auto }
            ? "it took longer than ResumeWithin=" : "Resume=manual"
        return "\(scene.names(of: signals)) \(signals.count > 1 ? "are" : "is") over, and it does not resume by itself "
            + "(\(reason))"
    }

    /// The command that makes what is mute heard.
    private static func turnUp(_ session: AudioSession) -> String {
        let usual = session.policy.volume == .mute ? Level.full : session.policy.volume
        return "‘tacet volume \(usual.text)’"
    }

    private static func ducked(
        _ scene: Scene, to level: Level, since: String, _ line: (SignalID) -> FoundLine?
    ) -> String {
        let ducking = scene.session.ducking
        let words = level == .mute ? "silence" : "\(level) dB"
        return "Turned down to \(words) since \(since) because \(cause(of: ducking, scene, line)); "
            + "back at full level when \(ducking.count > 1 ? "they are" : "it is") released."
    }

    /// `phone-call (line PHONE_CALL, gpiochip0 17) is asserted`, with what is wrong with its wire.
    private static func cause(
        of signals: [SignalID], _ scene: Scene, _ line: (SignalID) -> FoundLine?
    ) -> String {
        let faults = scene.session.faults.filter { signals.contains($0.signal) }.map { fault in
            switch fault.kind {
            case .stuck: "\(fault.signal) has been so for longer than StuckAfter=: look at its contact and wire"
            case .chatter:
                "\(fault.signal) chatters, and counts as asserted until it is quiet: look for a loose contact"
            case .lost: "\(fault.signal) cannot be read, and counts as it last did: see ‘tacet lines’"
            }
        }
        let verb = signals.count > 1 ? "are" : "is"
        let detail = faults.isEmpty ? "" : " (" + faults.joined(separator: "; ") + ")"
        let names = signals.map { signal in
            guard let place = line(signal) else { return scene.names(of: [signal]) }
            let name = place.line.name.map { "line \($0), " } ?? ""
            return "\(signal) (\(name)\(place.chip.name) \(place.line.offset))"
        }.joined(separator: ", ")
        return "\(names) \(verb) asserted\(detail)"
    }

    /// What a session does is found out by having it do so: it is a value.
    private static func plays(_ session: AudioSession, once events: [Event], at now: Duration) -> Bool {
        var session = session
        for event in events { _ = session.handle(event, at: now) }
        return session.directive != .silent
    }

    private static func sequel(_ scene: Scene, _ then: String) -> String {
        scene.session.intent == .playing
            ? "will stay quiet \(then), until ‘tacet play’" : "will stay \(scene.wish) \(then)"
    }
}
