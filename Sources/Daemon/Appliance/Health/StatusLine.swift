import AudioSession

/// The line that `systemctl status` shows. It is short enough to be read from a distance, and changes only when the
/// state changes.
struct StatusLine: Hashable, CustomStringConvertible {
    let description: String

    init(_ context: ExplanationContext) {
        let complaints = context.complaints
        let trouble = complaints.isEmpty ? "" : " — " + complaints.joined(separator: "; ")
        let recording = context.recordingClause(.brief).map { "; \($0)" } ?? ""
        let files = context.health.unplayable
        let unplayable = files.isEmpty ? "" : " (\(files))"
        description = StatusLine.state(context) + recording + trouble + unplayable
    }

    private static func state(_ context: ExplanationContext) -> String {
        guard !context.isAsleep else { return "Quiet: the system is about to sleep" }
        if let cause = context.quietCause {
            let sequel = context.sequel(cause, .brief).map { "; \($0)" } ?? ""
            // If the device is lost or the library is missing, the description of the fault already contains the
            // advice.
            let isSelfEvident = cause == .deviceLost || cause == .nothingToPlay
            let sound = cause.isAnnouncement ? nil : context.soundClause(.brief, besides: cause.signals)
            return "Quiet: \(context.clause(cause, .brief))\(isSelfEvident ? "" : sequel)"
                + (sound.map { "; \($0)" } ?? "")
        }
        let name = context.place(.brief)
        let sound = context.soundClause(.brief, besides: context.session.ducking).map { "; \($0)" } ?? ""
        guard case .play(let level) = context.session.directive, level != .full else {
            return "Playing \(name)\(sound)"
        }
        return "Playing \(name), turned down to \(level) dB\(sound)"
    }
}
