import AudioSession

/// What `systemctl status` shows: one line, readable across a workshop. It changes only when the state does.
struct StatusLine: Hashable, CustomStringConvertible {
    let description: String

    init(_ situation: Situation) {
        let complaints = situation.complaints
        let trouble = complaints.isEmpty ? "" : " — " + complaints.joined(separator: "; ")
        let recording = situation.recordingClause(.brief).map { "; \($0)" } ?? ""
        let files = situation.health.unplayable
        let unplayable = files.isEmpty ? "" : " (\(files))"
        description = StatusLine.state(situation) + recording + trouble + unplayable
    }

    private static func state(_ situation: Situation) -> String {
        guard !situation.isAsleep else { return "Quiet: the system is about to sleep" }
        if let cause = situation.quietCause {
            let sequel = situation.sequel(cause, .brief).map { "; \($0)" } ?? ""
            // For a lost device and a missing library, the fault says what to do.
            let isSelfEvident = cause == .deviceLost || cause == .nothingToPlay
            let sound = cause.isAnnouncement ? nil : situation.soundClause(.brief, besides: cause.signals)
            return "Quiet: \(situation.clause(cause, .brief))\(isSelfEvident ? "" : sequel)"
                + (sound.map { "; \($0)" } ?? "")
        }
        let name = situation.place(.brief)
        let sound = situation.soundClause(.brief, besides: situation.session.ducking).map { "; \($0)" } ?? ""
        guard case .play(let level) = situation.session.directive, level != .full else {
            return "Playing \(name)\(sound)"
        }
        return "Playing \(name), turned down to \(level) dB\(sound)"
    }
}
