import AudioSession

/// The texts about the current sound.
extension ExplanationContext {
    /// Returns a clause such as `the announcement gong is playing (3 s left)` or `the cue siren is playing`, or nil if
    /// there is no current sound.
    /// - Parameter signals: The signals that were named before. If there is only one and the cue belongs to it, the
    ///   clause omits its name.
    func soundClause(_ detail: Detail, besides signals: [SignalID] = []) -> String? {
        guard let due = session.dueSound else { return nil }
        switch due.request {
        case .announcement:
            let left = detail == .full ? secondsLeft.map { " (\($0) s left)" } ?? "" : ""
            return "the announcement \(due.sound) is playing\(left)"
        case .cue(let signal):
            let cue = "the cue \(due.sound)\(signals == [signal] ? "" : " of \(signal)")"
            let problem = detail == .full ? soundProblems[due.sound] : nil
            guard !session.unreadableSounds.contains(due.sound) else {
                let words = problem.map { ", which cannot be read (\($0.reason))" } ?? ""
                return "a built-in tone is playing instead of \(cue)\(words)"
            }
            return switch problem {
            case .partial(let reason): "\(cue) is playing, but not all of it (\(reason))"
            case .inaudible(let reason), .unreadable(let reason): "\(cue) is playing, but \(reason)"
            case nil: "\(cue) is playing"
            }
        }
    }

    /// Returns what follows an announcement that turns the music down, such as
    /// `the music returns to full level in 3 s`.
    func announcementSequel(_ detail: Detail) -> String {
        let time = secondsLeft.map { "in \($0) s" } ?? "after it"
        guard let level = session.duckLevel else { return "the music returns to full level \(time)" }
        let ducking = session.ducking
        let reason = ducking.isEmpty ? "" : " because \(state(of: ducking, detail))"
        return "the music returns to \(level) dB \(time)\(reason)"
    }

    /// The time in seconds until the current sound will have been played to its end, or nil if that is unknown.
    var secondsLeft: Int? { soundEnd.map { max(0, Int((($0 - now) / .seconds(1)).rounded(.up))) } }
}
