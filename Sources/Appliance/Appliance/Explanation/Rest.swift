import AudioSession
import Supervisor

/// Why the programme rests, where nobody has said that it is to. Pure: it is told of all that happens.
///
/// It is for people only. Across a start it is saved as `words`.
struct Rest: Hashable {
    enum Cause: Hashable {
        /// It did when Tacet started.
        case start
        /// These are over, and did not recommend resuming; none, where it is not known which.
        case ends([SignalID])
        /// The device was gone and is back, and `ResumeAfterReset=no`.
        case reset
        /// What was playing was unplugged.
        case unplugged
        /// The last track has ended.
        case listEnd
    }

    /// nil: a user wants it to.
    private(set) var cause: Cause?
    private var intent: Intent?
    private var blocking: [SignalID] = []
    private var recommendsResuming = true
    /// Those that have spoilt the recommendation of the episode.
    private var spoilers: [SignalID] = []

    /// - Parameters:
    ///   - session: after what is reported.
    ///   - saved: the intent that was saved, at a start.
    ///   - words: the saved `words`; nil if nothing is known of the time before the start.
    mutating func note(
        _ report: Report, _ session: Session, saved: Intent? = nil, words: String? = nil
    ) {
        let endsWithout = report.notifications.contains(.ended([]))
        let recommends = session.episode?.recommendsResuming ?? !endsWithout
        if recommendsResuming, !recommends { spoilers = blocking.filter { !session.blocking.contains($0) } }
        cause = cause(report.happening, session.intent, saved, words)
        intent = session.intent
        blocking = session.blocking
        recommendsResuming = session.episode?.recommendsResuming ?? true
        if session.episode == nil { spoilers = [] }
    }

    private func cause(_ happening: Happening, _ now: Intent, _ saved: Intent?, _ words: String?) -> Cause? {
        guard now != .playing else { return nil }
        switch happening {
        case .command(.pause), .command(.playPause), .command(.stop): return nil
        case _ where now == intent: return cause
        case .command: return nil
        // What was saved as playing was not paused by anyone: an interruption ended meanwhile.
        case .boot where intent == nil:
            guard saved == now, let words else { return saved == .playing ? .ends([]) : .start }
            return words == Rest.byUser ? nil : Cause(words) ?? .start
        case .deviceReset: return .reset
        case .routeLost: return .unplugged
        case .playlistEnded: return .listEnd
        default: return .ends(spoilers)
        }
    }
}

// MARK: - Saved

extension Rest {
    private static let byUser = "user"

    /// As it is saved; nil while the programme is to play.
    var words: String? {
        guard let intent, intent != .playing else { return nil }
        return cause?.words ?? Rest.byUser
    }
}

extension Rest.Cause {
    var words: String {
        switch self {
        case .start: "start"
        case .ends(let signals): (["ends"] + signals.map(\.rawValue)).joined(separator: " ")
        case .reset: "reset"
        case .unplugged: "unplugged"
        case .listEnd: "list-end"
        }
    }

    /// - Returns: nil for words that this version does not know.
    fileprivate init?(_ words: String) {
        let names = words.split(separator: " ").map(String.init)
        switch names.first {
        case "start": self = .start
        case "ends": self = .ends(names.dropFirst().map { SignalID($0) })
        case "reset": self = .reset
        case "unplugged": self = .unplugged
        case "list-end": self = .listEnd
        default: return nil
        }
    }
}
