/// One of Tacet's entries in the journal, as it was read back.
struct JournalRecord: Hashable {
    /// In µs since 1970, by the clock as it was set then. It may have jumped since.
    var realtime: Int64
    /// In µs since the boot. It does not jump.
    var monotonic: Int64
    /// The boot's own identifier.
    var boot: String
    /// The process that wrote it; nil: an export without it.
    var process: String?
    /// `TACET_EVENT`
    var event: String
    var message: String
    /// Those that begin with `TACET_`, without that; a field may be there several times.
    var fields: [String: [String]]

    /// A field's first value.
    subscript(_ field: String) -> String? { fields[field]?.first }
    var signals: [String] { fields["SIGNAL"] ?? [] }
}

/// What an entry says: by its fields alone. The message is for people, and changes.
extension JournalRecord {
    /// What becomes of the programme, in words. An entry of a version without the field has only its message.
    var outcome: String { self["OUTCOME"] ?? message }

    /// Whether something is heard from now on; nil where it does not say.
    var plays: Bool? {
        switch (self["PLAYING"], event) {
        case ("yes", _): true
        case ("no", _), (_, "interruption-began"), (_, "media-services-lost"), (_, "programme-ended"), (_, "stopping"):
            false
        default: nil
        }
    }

    /// Whether its signals are asserted from now on; nil where it does not say.
    var isAssertion: Bool? { self["ASSERTED"].map { $0 == "yes" } }

    /// Whether a command may have moved the programme.
    var isJump: Bool {
        guard event == "command", let word = self["COMMAND"]?.split(separator: " ").first else { return false }
        return ["next", "previous", "seek", "stop"].contains(word)
    }

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
    var position: Double? { seconds("POSITION_USEC") }
    /// Of the track, in seconds.
    var length: Double? { seconds("LENGTH_USEC") }

    func number(_ field: String) -> Int64? { self[field].flatMap { Int64($0) } }

    private func seconds(_ field: String) -> Double? {
        self[field].flatMap { Double($0) }.flatMap { $0.isFinite ? $0 / 1_000_000 : nil }
    }
}
