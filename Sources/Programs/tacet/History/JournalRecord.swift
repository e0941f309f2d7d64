/// One of Tacet's entries in the journal, as it was read back.
struct JournalRecord: Hashable {
    /// In µs since 1970, by the clock as it was set then; it can have jumped since.
    var realtime: Int64
    /// In µs since the boot; never jumps.
    var monotonic: Int64
    /// The boot's ID.
    var boot: String
    /// The process that wrote it; nil if the export does not say.
    var process: String?
    /// `TACET_EVENT`
    var event: String
    var message: String
    /// The fields that begin with `TACET_`, without that prefix; a field can occur several times.
    var fields: [String: [String]]
    /// The start of the service that the process belongs to; nil if the journal does not say.
    var invocation: String?

    /// A field's first value.
    subscript(_ field: String) -> String? { fields[field]?.first }
    var signals: [String] { fields["SIGNAL"] ?? [] }
}

extension JournalRecord {
    /// In bytes. No message is longer.
    static let longestValue = 1 << 16

    /// Whether a record is made from this field, among others.
    static func reads(_ field: String) -> Bool {
        switch field {
        case "__REALTIME_TIMESTAMP", "__MONOTONIC_TIMESTAMP", "_BOOT_ID", "_PID", "MESSAGE", "MESSAGE_ID",
            "_SYSTEMD_INVOCATION_ID", "INVOCATION_ID":
            true
        default: field.hasPrefix("TACET_")
        }
    }

    /// - Parameters:
    ///   - realtime: when the journal received the entry, which can have waited before that.
    ///   - monotonic: the same, since the boot.
    ///   - fields: as in the journal, with their prefix.
    init(realtime: Int64, monotonic: Int64, boot: String, event: String, fields: [String: [String]]) {
        let delay = fields["TACET_DELAY_USEC"]?.first.flatMap { Int64($0) } ?? 0
        let waited = max(0, min(delay, realtime, monotonic))
        let own = fields.filter { $0.key.hasPrefix("TACET_") }.map { (String($0.key.dropFirst(6)), $0.value) }
        self.init(
            realtime: realtime - waited, monotonic: monotonic - waited, boot: boot, process: fields["_PID"]?.first,
            event: event,
            message: fields["MESSAGE"]?.first ?? "", fields: Dictionary(uniqueKeysWithValues: own),
            invocation: fields["_SYSTEMD_INVOCATION_ID"]?.first)
    }
}

/// The meaning of an entry, from its fields alone. Messages are for people, and can change.
extension JournalRecord {
    /// What follows, in words; empty if a version without the field wrote the entry.
    var outcome: String { self["OUTCOME"] ?? "" }

    /// Whether the programme plays from now on; nil if the entry does not say.
    var plays: Bool? {
        switch (self["PLAYING"], event) {
        case ("yes", _): true
        case ("no", _), (_, "interruption-began"), (_, "media-services-lost"), (_, "programme-ended"), (_, "stopping"):
            false
        default: nil
        }
    }

    /// Whether its signals are asserted from now on; nil if the entry does not say.
    var isAssertion: Bool? { self["ASSERTED"].map { $0 == "yes" } }

    /// The user's volume from now on, as in `LEVEL`; nil if the entry does not say.
    var volume: String? {
        if let volume = self["VOLUME"] { return volume }
        // An older version's.
        guard event == "command", self["COMMAND"]?.hasPrefix("volume ") == true, self["ANSWER"] == "success" else {
            return nil
        }
        return self["LEVEL"]
    }

    /// Whether it is a command that can have moved the programme.
    var isJump: Bool {
        guard event == "command", let word = self["COMMAND"]?.split(separator: " ").first else { return false }
        return ["next", "previous", "seek", "stop"].contains(word)
    }

    /// Of a waking: how long the system had been suspended, in µs. The monotonic clock stood still meanwhile.
    var suspended: Int64 {
        event == "awake" && self["REASON"] == "suspended" ? max(0, number("ASLEEP_USEC") ?? 0) : 0
    }

    /// `-14 dB`
    var level: String {
        let level = self["LEVEL"] ?? "?"
        return level == "mute" ? "silence" : "\(level) dB"
    }

    var faultKey: String {
        let whose = [signals.first, button, output, self["SOUND"]].map { $0 ?? "" }.joined(separator: " ")
        return "fault \(whose) \(self["FAULT"] ?? "")"
    }

    /// Of a sound: `announcement gong`, `cue siren`; nil if the entry is not about a sound.
    var sound: String? { self["SOUND"].map { "\(self["ANNOUNCEMENT"] == nil ? "cue" : "announcement") \($0)" } }

    /// Who gave a command: `playerctl (uid 1000)`, `button play`; nil if the entry does not say.
    var issuer: String? {
        switch self["ISSUER"] {
        case nil: nil
        case "bus"?: (self["ISSUER_COMM"] ?? "a program") + (self["ISSUER_UID"].map { " (uid \($0))" } ?? "")
        case let issuer?: button ?? issuer
        }
    }

    /// `button play`; nil if it is not about a button.
    var button: String? { self["BUTTON"].map { "button \($0)" } }

    /// `output amplifier`; nil if it is not about an output.
    var output: String? { self["OUTPUT"].map { "output \($0)" } }

    /// The file's name.
    var track: String? { self["TRACK"].flatMap { $0.split(separator: "/").last.map(String.init) } }

    /// In seconds.
    var position: Double? { seconds("POSITION_USEC") }
    /// The track's length, in seconds.
    var length: Double? { seconds("LENGTH_USEC") }

    func number(_ field: String) -> Int64? { self[field].flatMap { Int64($0) } }

    private func seconds(_ field: String) -> Double? {
        self[field].flatMap { Double($0) }.flatMap { $0.isFinite ? $0 / 1_000_000 : nil }
    }
}
