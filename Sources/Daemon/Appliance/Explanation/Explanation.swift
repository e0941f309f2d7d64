import AudioSession
import Clocks
import Configuration
import Time

/// Explains in one sentence, on which a technician can act, why it plays, ducks or is quiet. Pure.
struct Explanation: CustomStringConvertible {
    let description: String

    init(_ situation: Situation) {
        let since = Explanation.since(situation.changed.wallClock, elapsed: situation.changed.elapsed)
        description =
            Explanation.sentence(situation, since: since) + Explanation.recording(situation)
            + Explanation.sleep(situation)
    }

    /// How long a sleep explains an earlier silence.
    private static let memory = Duration.seconds(3600)

    private static func recording(_ situation: Situation) -> String {
        guard let clause = situation.recordingClause(.full), let first = clause.first else { return "" }
        return " " + first.uppercased() + clause.dropFirst() + "."
    }

    private static func sleep(_ situation: Situation) -> String {
        guard !situation.isAsleep, let (sleep, end, elapsed) = situation.lastSleep, elapsed < memory else { return "" }
        return " \(sleep.words), until \(CivilTime(local: end).timeOfDay)."
    }

    private static func sentence(_ situation: Situation, since: String) -> String {
        let session = situation.session
        let place = situation.place(.full)
        guard !situation.isAsleep else { return "Quiet because the system is about to sleep." }
        if let cause = situation.quietCause {
            let sequel = situation.sequel(cause, .full).map { "; \($0)" } ?? ""
            let isAlsoMute = session.volume == .mute && cause != .muteVolume && cause != .nothingToPlay
            let mute = isAlsoMute ? ", and the volume is mute (\(situation.turnUp))" : ""
            let sound = cause.isAnnouncement ? nil : situation.soundClause(.full, besides: cause.signals)
            return "Quiet since \(since) because \(situation.clause(cause, .full))\(sequel)\(mute)"
                + (sound.map { "; \($0)" } ?? "") + "."
        }
        guard case .play(let level) = session.directive, level != .full else {
            let storage = situation.health[.storage].map { " from its read-ahead: \($0)" } ?? ""
            return "Playing \(place)\(volume(situation))\(fallback(situation))\(storage)"
                + "\(situation.soundClause(.full).map { "; \($0)" } ?? "")."
        }
        let head = "Turned down to \(level) dB since \(since) because"
        if situation.scene.announcementLevel != nil, let sound = session.dueSound?.sound {
            return "\(head) the announcement \(sound) is heard; \(situation.announcementSequel(.full))"
                + "\(alsoAttenuated(situation))."
        }
        let ducking = session.ducking
        let sound = situation.soundClause(.full, besides: ducking).map { "; \($0)" } ?? ""
        return "\(head) \(situation.state(of: ducking, .full)); back at full level "
            + "\(situation.end(of: ducking, .full))\(alsoAttenuated(situation))\(sound)."
    }

    /// A volume that is easily forgotten, and how to undo it; empty at full level.
    private static func volume(_ situation: Situation) -> String {
        let volume = situation.session.volume
        return volume == .full ? "" : " at a volume of \(volume.text)"
    }

    /// The device, if it is not the preferred one.
    private static func fallback(_ situation: Situation) -> String {
        guard let route = situation.scene.route else { return "" }
        return ", on \(route.device) instead of \(situation.scene.configuration.playback.device)"
    }

    private static func alsoAttenuated(_ situation: Situation) -> String {
        let words = volume(situation) + fallback(situation)
        return words.isEmpty ? "" : "; plays" + words
    }

    /// A time, and how long ago it was: `14:03:12 (for 2min 5s)`. With its date unless it was today.
    static func since(_ wallClock: Duration, elapsed: Duration) -> String {
        let (begin, now) = (CivilTime(local: wallClock), CivilTime(local: wallClock + elapsed))
        let time = begin.date == now.date ? begin.timeOfDay : "\(begin)"
        return "\(time) (for \(TimeSpan.format(.seconds(elapsed.components.seconds))))"
    }
}
