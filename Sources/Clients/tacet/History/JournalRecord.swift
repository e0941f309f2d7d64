import Vocabulary

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

    /// Nil if it is of another version of Tacet.
    var kind: JournalEvent? { JournalEvent(rawValue: event) }

    /// A field's first value.
    subscript(_ field: JournalField) -> String? { fields[field.rawValue]?.first }
    var signals: [String] { fields[JournalField.signal.rawValue] ?? [] }
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
        default: field.hasPrefix(JournalField.prefix)
        }
    }

    /// - Parameters:
    ///   - realtime: when the journal received the entry, which can have waited before that.
    ///   - monotonic: the same, since the boot.
    ///   - fields: as in the journal, with their prefix.
    init(realtime: Int64, monotonic: Int64, boot: String, event: String, fields: [String: [String]]) {
        let delay = fields[JournalField.delay.name]?.first.flatMap { Int64($0) } ?? 0
        let waited = max(0, min(delay, realtime, monotonic))
        let own = fields.filter { $0.key.hasPrefix(JournalField.prefix) }.map {
            (String($0.key.dropFirst(JournalField.prefix.count)), $0.value)
        }
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
    var outcome: String { self[.outcome] ?? "" }

    /// Whether the music plays from now on; nil if the entry does not say.
    var plays: Bool? {
        switch (self[.playing], kind) {
        case ("yes", _): true
        case ("no", _), (_, .interruptionBegan), (_, .mediaServicesLost), (_, .playbackEnded), (_, .stopping):
            false
        default: nil
        }
    }

    /// Whether its signals are asserted from now on; nil if the entry does not say.
    var isAssertion: Bool? { self[.asserted].map { $0 == "yes" } }

    /// The user's volume from now on, as in `LEVEL`; nil if the entry does not say.
    var volume: String? {
        if let volume = self[.volume] { return volume }
        // An older version's.
        guard kind == .command, self[.command]?.hasPrefix("volume ") == true, self[.answer] == "success" else {
            return nil
        }
        return self[.level]
    }

    /// Whether it is a command that can have moved the music.
    var isJump: Bool {
        guard kind == .command, let word = self[.command]?.split(separator: " ").first else { return false }
        return ["next", "previous", "seek", "stop"].contains(word)
    }

    /// Of a waking: how long the system had been suspended, in µs. The monotonic clock stood still meanwhile.
    var suspended: Int64 {
        kind == .awake && self[.reason] == "suspended" ? max(0, number(.asleep) ?? 0) : 0
    }

    /// `-14 dB`
    var level: String { JournalRecord.words(ofLevel: self[.level] ?? "?") }

    static func words(ofLevel level: String) -> String { level == "mute" ? "silence" : "\(level) dB" }

    /// What became of its signals.
    enum SignalChange { case asserted, suppressed, released }

    /// What became of its signals; nil if the entry does not say.
    /// - Parameter isHeld: whether the first of them was asserted before.
    func signalChange(isHeld: Bool) -> SignalChange? {
        switch kind {
        // Whether the music would have played otherwise is not in the entry, so the signal counts as asserted.
        case .started, .interruptionBegan, .duckBegan: .asserted
        case .interruptionEnded, .duckEnded, .noOpReason: .released
        // By a signal that joins or leaves.
        case .duckChanged: isHeld ? .released : .asserted
        case .signal: isAssertion.map { $0 ? .asserted : .released }
        case .signalSuppressed: .suppressed
        default: nil
        }
    }

    var faultKey: String {
        let whose = [signals.first, button, output, self[.sound]].map { $0 ?? "" }.joined(separator: " ")
        return "fault \(whose) \(self[.fault] ?? "")"
    }

    /// Of a sound: `announcement gong`, `cue siren`; nil if the entry is not about a sound.
    var sound: String? { self[.sound].map { "\(self[.announcement] == nil ? "cue" : "announcement") \($0)" } }

    /// Who gave a command: `playerctl (uid 1000)`, `button play`; nil if the entry does not say.
    var issuer: String? {
        switch self[.issuer] {
        case nil: nil
        case "bus"?: (self[.issuerName] ?? "a program") + (self[.issuerUser].map { " (uid \($0))" } ?? "")
        case let issuer?: button ?? issuer
        }
    }

    /// `button play`; nil if it is not about a button.
    var button: String? { self[.button].map { "button \($0)" } }

    /// `output amplifier`; nil if it is not about an output.
    var output: String? { self[.output].map { "output \($0)" } }

    /// The file's name.
    var track: String? { self[.track].flatMap { $0.split(separator: "/").last.map(String.init) } }

    /// In seconds.
    var position: Double? { seconds(.position) }
    /// The track's length, in seconds.
    var length: Double? { seconds(.length) }

    func number(_ field: JournalField) -> Int64? { self[field].flatMap { Int64($0) } }

    private func seconds(_ field: JournalField) -> Double? {
        self[field].flatMap { Double($0) }.flatMap { $0.isFinite ? $0 / 1_000_000 : nil }
    }
}
