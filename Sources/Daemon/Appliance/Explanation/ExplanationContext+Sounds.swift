import AudioSession

/// The words for the current sound.
extension ExplanationContext {
    /// Returns a clause such as `the announcement gong is heard (3 s left)` or `the cue siren is heard`, or nil if
    /// there is no current sound.
    /// - Parameter signals: The signals that were named before. If there is only one and the cue belongs to it, the
    ///   clause omits its name.
    func soundClause(_ detail: Detail, besides signals: [SignalID] = []) -> String? {
        guard let due = session.dueSound else { return nil }
        switch due.request {
        case .announcement:
            let left = detail == .full ? secondsLeft.map { " (\($0) s left)" } ?? "" : ""
            return "the announcement \(due.sound) is heard\(left)"
        case .cue(let signal):
            let cue = "the cue \(due.sound)\(signals == [signal] ? "" : " of \(signal)")"
            let problem = detail == .full ? soundProblems[due.sound] : nil
            guard !session.unreadableSounds.contains(due.sound) else {
                let words = problem.map { ", which cannot be read (\($0.reason))" } ?? ""
                return "a built-in tone is heard instead of \(cue)\(words)"
            }
            return switch problem {
            case .partial(let reason): "\(cue) is heard, but not all of it (\(reason))"
            case .inaudible(let reason), .unreadable(let reason): "\(cue) is heard, but \(reason)"
            case nil: "\(cue) is heard"
            }
        }
    }

    /// Returns what follows an announcement that turns the music down, such as `3 s left` or
    /// `back at full level after it`.
    func announcementSequel(_ detail: Detail) -> String {
        let ducking = session.ducking
        let rest = session.duckLevel.map { level in
            "then \(level) dB" + (ducking.isEmpty ? "" : " because \(state(of: ducking, detail))")
        }
        let left = secondsLeft.map { "\($0) s left" }
        let parts = [left, rest].compactMap { $0 }
        return parts.isEmpty ? "back at full level after it" : parts.joined(separator: ", ")
    }

    /// The time in seconds until the current sound will have been played to its end, or nil if that is unknown.
    var secondsLeft: Int? { soundEnd.map { max(0, Int((($0 - now) / .seconds(1)).rounded(.up))) } }
}
