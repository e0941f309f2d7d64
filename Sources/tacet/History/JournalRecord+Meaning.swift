/// What an entry says, where no field of its own does.
extension JournalRecord {
    /// What became of the programme: the end of the message.
    var sequel: String {
        let separator = event == "command" ? "; " : ": "
        guard let end = message.split(separator: separator, maxSplits: 1).last else { return message }
        return String(end.hasSuffix(".") ? end.dropLast() : end)
    }

    /// Whether something is heard from now on; nil where it does not say.
    var plays: Bool? {
        switch event {
        case "interruption-began", "media-services-lost", "programme-ended", "stopping": return false
        case "interruption-ended", "media-services-reset", "route-changed", "command", "library-found", "started":
            if sequel.hasPrefix("plays ") { return true }
            return sequel.hasPrefix("stays ") || sequel.hasPrefix("quiet") ? false : nil
        default: return nil
        }
    }

    /// `signal`: asserted, and not released.
    var isAssertion: Bool { message.contains(" is asserted") }

    /// `-14 dB`
    var level: String {
        let level = self["LEVEL"] ?? "?"
        return level == "mute" ? "silence" : "\(level) dB"
    }

    var faultKey: String { "fault \(signals.first ?? "") \(button ?? "") \(self["FAULT"] ?? "")" }

    /// `button play`; nil where it is about none.
    var button: String? { self["BUTTON"].map { "button \($0)" } }

    /// The file's name.
    var track: String? { self["TRACK"].flatMap { $0.split(separator: "/").last.map(String.init) } }

    /// In seconds.
    var position: Double? { self["POSITION_USEC"].flatMap { Double($0) }.map { $0 / 1_000_000 } }
}
