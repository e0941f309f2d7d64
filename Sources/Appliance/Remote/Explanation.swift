import AudioSession
import GPIO

/// Why it sounds, or does not, as it does now: one sentence that a technician can act on. Pure, and told the time.
struct Explanation: CustomStringConvertible {
    let description: String

    /// - Parameters:
    ///   - since: when the sound last changed, as people write the time of day.
    ///   - now: on the session's clock.
    ///   - place: where a signal's line is, as far as it is known.
    init(
        _ scene: Scene, _ health: Health, since: String, at now: Duration,
        place line: (SignalID) -> FoundLine? = { _ in nil }
    ) {
        let session = scene.session
        let quiet = "Quiet since \(since)"
        let place = scene.place ?? "the programme"
        if case .play(let level) = session.directive {
            description =
                level == .full
                ? "Playing \(place)."
                : Explanation.ducked(scene, to: level, since: since, line)
        } else if session.track == nil {
            description = "\(quiet) because there is \(health[.library] ?? "nothing to play")."
        } else if !session.blocking.isEmpty {
            let cause = Explanation.cause(of: session.blocking, scene, line)
            let resumes = Explanation.plays(
                session, once: session.blocking.map { .edge(Edge($0, asserted: false)) }, at: now)
            let released = session.blocking.count > 1 ? "when they are released" : "when it is released"
            let sequel = resumes ? "will resume \(place) \(released)" : Explanation.sequel(scene, released)
            description = "\(quiet) because \(cause); \(sequel)."
        } else if !session.servicesAvailable {
            let resumes = Explanation.plays(session, once: [.mediaServicesReset], at: now)
            let sequel = resumes ? "will resume \(place) when it is back" : Explanation.sequel(scene, "when it is back")
            description =
                "\(quiet) because there is no sound device (\(health[.device] ?? "it is being opened")); \(sequel)."
        } else {
            description = "\(quiet) because it was \(scene.wish); ‘tacet play’ goes on with \(place)."
        }
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
