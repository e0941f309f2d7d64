import AudioSession
import Vocabulary

/// One of Tacet's entries in the journal, as it was read back.
struct JournalRecord: Hashable {
    /// The time in µs since 1970, by the clock as it was set then. It may have been corrected since.
    var realtime: Int64
    /// The time in µs since the boot, which is never corrected.
    var monotonic: Int64
    /// The boot's ID.
    var boot: String
    /// The process that wrote it, or nil if the export does not contain it.
    var process: String?
    /// The value of `TACET_EVENT`.
    var event: String
    var message: String
    /// The fields that begin with `TACET_`, without that prefix. A field may occur several times.
    var fields: [String: [String]]
    /// The start of the service that the process belongs to, or nil if the journal does not contain it.
    var invocation: String?
    /// The name of the machine that wrote it; nil if the export does not say.
    var host: String?

    /// The kind of the event, or nil if the entry is from another version of Tacet.
    var kind: JournalEvent? { JournalEvent(rawValue: event) }

    /// Returns the first value of a field.
    subscript(_ field: JournalField) -> String? { fields[field.rawValue]?.first }
    var signals: [String] { fields[JournalField.signal.rawValue] ?? [] }
}

extension JournalRecord {
    /// The length of the longest message, in bytes.
    static let longestValue = 1 << 16

    /// Returns true if this field is used for a record.
    static func reads(_ field: String) -> Bool {
        switch field {
        case "__REALTIME_TIMESTAMP", "__MONOTONIC_TIMESTAMP", "_BOOT_ID", "_HOSTNAME", "_PID", "MESSAGE", "MESSAGE_ID",
            "_SYSTEMD_INVOCATION_ID", "INVOCATION_ID":
            true
        default: field.hasPrefix(JournalField.prefix)
        }
    }

    /// - Parameters:
    ///   - realtime: the time at which the journal received the entry, which may have waited before that.
    ///   - monotonic: the same time since the boot.
    ///   - fields: the fields as in the journal, with their prefix.
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
            invocation: fields["_SYSTEMD_INVOCATION_ID"]?.first, host: fields["_HOSTNAME"]?.first)
    }
}

/// The meaning of an entry, derived from its fields alone. Messages are for people and may change.
extension JournalRecord {
    /// The consequence in words. It is empty if a version without this field wrote the entry.
    var outcome: String { self[.outcome] ?? "" }

    /// The state in a fault, as in “no longer chattering”.
    var faultState: String {
        switch self[.fault] {
        case Fault.Kind.chatter.rawValue?: "chattering"
        case let kind?: kind
        case nil: "at fault"
        }
    }

    /// True if the music plays from now on, or nil if the entry does not contain that.
    var plays: Bool? {
        switch (self[.playing], kind) {
        case ("yes", _): true
        case ("no", _), (_, .interruptionBegan), (_, .mediaServicesLost), (_, .playbackEnded), (_, .stopping):
            false
        default: nil
        }
    }

    /// True if its signals are asserted from now on, or nil if the entry does not contain that.
    var isAssertion: Bool? { self[.asserted].map { $0 == "yes" } }

    /// The user's volume from now on, in the format of `LEVEL`, or nil if the entry does not contain it.
    var volume: String? {
        if let volume = self[.volume] { return volume }
        // This is the format of an older version.
        guard kind == .command, self[.command]?.hasPrefix("volume ") == true, self[.answer] == "success" else {
            return nil
        }
        return self[.level]
    }

    /// True if the entry is a command that may have changed the position of the music.
    var isJump: Bool {
        guard kind == .command, let word = self[.command]?.split(separator: " ").first else { return false }
        return ["next", "previous", "goTo", "seek", "stop"].contains(word)
    }

    /// For an entry about waking up, the time for which the system was suspended, in µs. The monotonic clock stopped
    /// during that time.
    var suspended: Int64 {
        kind == .awake && self[.reason] == "suspended" ? max(0, number(.asleep) ?? 0) : 0
    }

    /// The level in words, such as `-14 dB`.
    var level: String { JournalRecord.words(ofLevel: self[.level] ?? "?") }

    static func words(ofLevel level: String) -> String { level == "mute" ? "silence" : "\(level) dB" }

    /// A change in the entry's signals.
    enum SignalChange { case asserted, suppressed, released }

    /// Returns the change in the entry's signals, or nil if the entry does not contain it.
    /// - Parameter isHeld: true if the first of them was asserted before.
    func signalChange(isHeld: Bool) -> SignalChange? {
        switch kind {
        // The entry does not contain whether the music would have played otherwise, so the signal is treated as
        // asserted.
        case .started, .interruptionBegan, .duckBegan: .asserted
        case .interruptionEnded, .duckEnded, .noOpReason: .released
        // A signal joined or left.
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

    /// The sound, such as `announcement gong` or `cue siren`, or nil if the entry is not about a sound.
    var sound: String? { self[.sound].map { "\(self[.announcement] == nil ? "cue" : "announcement") \($0)" } }

    /// The issuer of a command, such as `playerctl (uid 1000)` or `button play`, or nil if the entry does not contain
    /// it.
    var issuer: String? {
        switch self[.issuer] {
        case nil: nil
        case "bus"?: (self[.issuerName] ?? "a program") + (self[.issuerUser].map { " (uid \($0))" } ?? "")
        case let issuer?: button ?? issuer
        }
    }

    /// The button, such as `button play`, or nil if the entry is not about a button.
    var button: String? { self[.button].map { "button \($0)" } }

    /// The output, such as `output amplifier`, or nil if the entry is not about an output.
    var output: String? { self[.output].map { "output \($0)" } }

    /// The name of the track's file.
    var track: String? { self[.track].flatMap { $0.split(separator: "/").last.map(String.init) } }

    /// The selected source, or nil if the entry does not contain it.
    var selectedSource: Source? { self[.source].map { Source($0) } }

    /// The position in seconds.
    var position: Double? { seconds(.position) }
    /// The track's length in seconds.
    var length: Double? { seconds(.length) }

    func number(_ field: JournalField) -> Int64? { self[field].flatMap { Int64($0) } }

    private func seconds(_ field: JournalField) -> Double? {
        self[field].flatMap { Double($0) }.flatMap { $0.isFinite ? $0 / 1_000_000 : nil }
    }
}
