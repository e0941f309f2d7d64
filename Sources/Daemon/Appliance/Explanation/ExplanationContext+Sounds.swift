import AudioSession

/// The words for the sound that is due.
extension ExplanationContext {
    /// `the announcement gong is heard (3 s left)`, `the cue siren is heard`; nil if no sound is due.
    /// - Parameter signals: named before; the cue of the only one of them needs no name of its signal.
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

    /// Of an announcement that turns the music down: `3 s left`, `back at full level after it`.
    func announcementSequel(_ detail: Detail) -> String {
        let ducking = session.ducking
        let rest = session.duckLevel.map { level in
            "then \(level) dB" + (ducking.isEmpty ? "" : " because \(state(of: ducking, detail))")
        }
        let left = secondsLeft.map { "\($0) s left" }
        let parts = [left, rest].compactMap { $0 }
        return parts.isEmpty ? "back at full level after it" : parts.joined(separator: ", ")
    }

    /// Until the due sound has been heard to its end; nil if that is unknown.
    var secondsLeft: Int? { soundEnd.map { max(0, Int((($0 - now) / .seconds(1)).rounded(.up))) } }
}
