import AudioSession
import Clocks
import Configuration
import Spelling
import Time

/// Explains in a few sentences why Tacet plays, ducks or is quiet, so that a technician can act on it. The type is
/// pure.
struct Explanation: CustomStringConvertible {
    let description: String

    init(_ context: ExplanationContext) {
        let since = Explanation.since(context.changed.wallClock, elapsed: context.changed.elapsed)
        description =
            Explanation.sentence(context, since: since) + Explanation.sentence(context.inaudibilityClause)
            + Explanation.losses(context) + context.playerClauses.map { Explanation.sentence($0) }.joined()
            + Explanation.recording(context) + Explanation.sleep(context)
    }

    /// The time after a sleep for which the explanation mentions it.
    private static let memory = Duration.seconds(3600)

    private static func recording(_ context: ExplanationContext) -> String {
        sentence(context.recordingClause(.full))
    }

    /// Returns the signals that are lost, because the music may play although somebody still needs silence.
    private static func losses(_ context: ExplanationContext) -> String {
        sentence(context.scene.lossClause(of: context.session.policy.signals.map(\.id), advises: true))
    }

    private static func sleep(_ context: ExplanationContext) -> String {
        guard !context.isAsleep, let (sleep, end, elapsed) = context.lastSleep, elapsed < memory else { return "" }
        return " \(sleep.words) until \(CivilTime(local: end).timeOfDay)."
    }

    private static func sentence(_ context: ExplanationContext, since: String) -> String {
        let session = context.session
        let place = context.place(.full)
        guard !context.isAsleep else { return "Quiet because the system is about to sleep." }
        if let cause = context.quietCause {
            let isAlsoMute = session.volume == .mute && cause != .muteVolume && cause != .nothingToPlay
            let mute = isAlsoMute ? "the volume is also mute, and \(context.turnUp) turns it up" : nil
            let sound = cause.isAnnouncement ? nil : context.soundClause(.full, besides: cause.signals)
            return "Quiet since \(since) because \(context.clause(cause, .full))."
                + sentence(context.sequel(cause, .full)) + sentence(mute) + sentence(sound)
        }
        guard case .play(let level) = session.directive, level != .full else {
            let isLibrary = session.source == .library
            let storage = context.health[.storage].map { " from what was read ahead (\($0))" } ?? ""
            let device = fallback(context).map { ", \($0)" } ?? ""
            return
                "Playing \(place)\(isLibrary ? "" : " since \(since)")\(volume(context))\(device)\(isLibrary ? storage : "")."
                + sentence(context.inputSequel) + sentence(context.soundClause(.full))
        }
        let head = "Turned down to \(level) dB since \(since) because"
        if context.scene.announcementLevel != nil, let sound = session.dueSound?.sound {
            return "\(head) the announcement \(sound) is playing." + sentence(context.announcementSequel(.full))
                + alsoAttenuated(context)
        }
        let ducking = session.ducking
        return "\(head) \(context.state(of: ducking, .full))."
            + " The music returns to full level \(context.end(of: ducking, .full))."
            + alsoAttenuated(context) + sentence(context.soundClause(.full, besides: ducking))
    }

    /// Returns a clause as a sentence that follows another one, or an empty string if there is no clause.
    private static func sentence(_ clause: String?) -> String {
        guard let clause, !clause.isEmpty else { return "" }
        return " \(clause.sentenceCased)."
    }

    /// Returns a text about the volume, which is easily forgotten, or an empty string at full level.
    private static func volume(_ context: ExplanationContext) -> String {
        let volume = context.session.volume
        guard volume != .full else { return "" }
        return " at a volume of \(volume.text)"
            + (volume == context.session.policy.maximumVolume ? ", the maximum" : "")
    }

    /// Returns a text about the device, or nil if it is the preferred one.
    private static func fallback(_ context: ExplanationContext) -> String? {
        guard let route = context.scene.route else { return nil }
        return "on \(route.device) instead of \(context.scene.configuration.playback.device)"
    }

    private static func alsoAttenuated(_ context: ExplanationContext) -> String {
        let words = volume(context) + (fallback(context).map { " \($0)" } ?? "")
        return words.isEmpty ? "" : " It plays\(words)."
    }

    /// Returns a time and how long ago it was, such as `14:03:12 (for 2min 5s)`. The date is included unless it is
    /// today's.
    static func since(_ wallClock: Duration, elapsed: Duration) -> String {
        let (begin, now) = (CivilTime(local: wallClock), CivilTime(local: wallClock + elapsed))
        let time = begin.date == now.date ? begin.timeOfDay : "\(begin)"
        return "\(time) (for \(TimeSpan.format(.seconds(elapsed.components.seconds))))"
    }
}
