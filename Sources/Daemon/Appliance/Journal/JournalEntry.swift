import AudioSession
import Configuration
import Glibc
import Systemd
import Time
import Vocabulary

/// An entry of the journal before it is written.
public struct JournalEntry: Hashable, Sendable {
    public let event: JournalEvent
    public let priority: Journal.Priority
    public private(set) var message: String
    /// The fields in order. A field may occur several times.
    public private(set) var fields: [Pair] = []

    public struct Pair: Hashable, Sendable {
        public let field: JournalField
        public let value: String
    }

    public init(_ event: JournalEvent, _ message: String, priority: Journal.Priority = .info) {
        self.event = event
        self.message = message
        self.priority = priority
    }

    func saying(_ more: String) -> JournalEntry {
        var entry = self
        entry.message += " " + more
        return entry
    }

    public subscript(_ field: JournalField) -> [String] {
        fields.filter { $0.field == field }.map(\.value)
    }

    /// Adds a field if there is a value.
    public func with(_ field: JournalField, _ value: String?) -> JournalEntry {
        guard let value else { return self }
        var entry = self
        entry.fields.append(Pair(field: field, value: value))
        return entry
    }

    public func with(_ field: JournalField, _ value: Bool) -> JournalEntry { with(field, value ? "yes" : "no") }

    /// Adds a time in µs.
    public func with(_ field: JournalField, _ time: Duration?) -> JournalEntry {
        with(field, time.map { String($0.wholeMicroseconds) })
    }

    public func with(_ signals: [SignalID]) -> JournalEntry {
        signals.reduce(self) { $0.with(.signal, $1.rawValue) }
    }

    /// Adds the subject and the kind of a fault. A device does not have a field, because the kind names it.
    public func with(_ fault: Fault) -> JournalEntry {
        switch fault.subject {
        case .signal(let signal): with([signal]).with(.fault, fault.kind.rawValue)
        case .sound(let sound): with(.sound, sound.rawValue).with(.fault, fault.kind.rawValue)
        case .input(let input): with(.input, input.rawValue).with(.fault, fault.kind.rawValue)
        case .player(let player): with(.player, player.rawValue).with(.fault, fault.kind.rawValue)
        case .output(let output): with(.output, output.rawValue).with(.fault, fault.kind.rawValue)
        case .capture, .playback: with(.fault, fault.description)
        }
    }
}

extension JournalEntry {
    /// The limit for entries of this kind, or nil if all of them are logged.
    ///
    /// Entries that explain silence are all logged. Entries that a loose wire, an unreliable device or a faulty program
    /// may cause repeatedly are limited.
    var limiter: RepetitionLimiter? {
        switch event {
        case .fault, .faultCleared, .mediaServicesLost, .mediaServicesReset, .configurationChanged, .signalSuppressed,
            .storageLost, .storageReturned, .storageSlow, .storageRecovered, .noOpReason, .microphone, .recordingBegan,
            .recordingEnded, .recordingOverrun, .recordingStorageLost, .recordingStorageBack, .captureLost,
            .captureReturned:
            RepetitionLimiter(burst: 6)
        case .trackSkipped, .recordingFile: RepetitionLimiter(burst: 20)
        // No person gives commands faster or for a longer time.
        case .command: RepetitionLimiter(burst: 100, pace: .everySecond)
        // A program may request and withdraw announcements without end.
        case .soundBegan, .soundHeard, .soundEnded, .soundCut, .soundExpired:
            RepetitionLimiter(burst: 30, pace: .everySecond)
        case .soundBroken: RepetitionLimiter(burst: 6)
        case .output: RepetitionLimiter(burst: 30, pace: .everySecond)
        default: nil
        }
    }

    /// The kind of the entry. Entries of the same kind share a limit.
    var kind: [String] {
        // A flood of announcements must not hide a signal's cue.
        let sound: [JournalField] = event == .command ? [] : [.sound]
        let fields: [JournalField] = [.signal, .button, .input, .player, .output] + sound + [.fault]
        return [event.rawValue] + fields.flatMap { self[$0] }
    }
}

extension JournalEntry {
    /// Creates the entry for a daemon that does not start because its configuration has mistakes. The message contains
    /// all of them, and a field contains the first.
    public static func startRefused(_ error: ConfigurationError) -> JournalEntry {
        let first = error.description.split(separator: "\n").first.map(String.init)
        return JournalEntry(.startRefused, "\(error)", priority: .error).with(.reason, first)
            .with(.playing, false).with(.outcome, "nothing plays until the configuration is corrected")
    }
}

extension String {
    /// The text as the end of a sentence. A question needs no full stop.
    var asSentenceEnd: String { hasSuffix("?") ? self : self + "." }
}

extension BootID {
    /// The identifier of the boot, which the unit passes on because its `ProcSubset=pid` hides the kernel's own file.
    /// Nil if it is unknown.
    static let service: String? = getenv("TACET_BOOT_ID").flatMap { parse(String(cString: $0)) } ?? kernel
}
