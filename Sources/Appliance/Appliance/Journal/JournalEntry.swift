import AudioSession
import Configuration
import Glibc
import Systemd

/// One entry of the journal, before it is written.
public struct JournalEntry: Hashable, Sendable {
    /// The fields `TACET_…`, by which a technician can filter.
    public enum Field: String, Hashable, Sendable {
        case signal = "SIGNAL"
        case button = "BUTTON"
        case output = "OUTPUT"
        /// ALSA's name of the sound device.
        case device = "DEVICE"
        case sound = "SOUND"
        /// The announcement's number; absent for a cue.
        case announcement = "ANNOUNCEMENT"
        case effect = "EFFECT"
        case reason = "REASON"
        case shouldResume = "SHOULD_RESUME"
        case track = "TRACK"
        case position = "POSITION_USEC"
        case latency = "LATENCY_USEC"
        case fault = "FAULT"
        case command = "COMMAND"
        case answer = "ANSWER"
        case level = "LEVEL"
        /// The user's volume from now on, in dB or mute.
        case volume = "VOLUME"
        /// Who gave a command: `bus` or `button`; then the bus client's user, process and program, if known.
        case issuer = "ISSUER"
        case issuerUser = "ISSUER_UID"
        case issuerProcess = "ISSUER_PID"
        case issuerName = "ISSUER_COMM"
        /// Of a signal or an output: yes or no.
        case asserted = "ASSERTED"
        /// Whether the programme plays from now on: yes or no.
        case playing = "PLAYING"
        /// Whether the microphone is recorded from now on: yes or no.
        case recording = "RECORDING"
        /// The path of a recording, or of an announcement's own file.
        case file = "FILE"
        /// How many frames of a recording are missing.
        case frames = "FRAMES"
        /// What the user wants: playing, paused or stopped.
        case intent = "INTENT"
        /// What follows, in words.
        case outcome = "OUTCOME"
        /// The track's length.
        case length = "LENGTH_USEC"
        /// From the edge until the effect is complete.
        case silent = "SILENT_USEC"
        /// How the last run ended: stopped, killed or power-cut.
        case lastRun = "LAST_RUN"
        /// When the restored state was saved: by the wall clock of that time, and since the boot that the third field names.
        case savedAt = "SAVED_AT_USEC"
        case savedMonotonic = "SAVED_MONOTONIC_USEC"
        case savedBoot = "SAVED_BOOT_ID"
        /// How long the system or the daemon was asleep.
        case asleep = "ASLEEP_USEC"
        /// How many entries are lost.
        case count = "COUNT"
        /// How long an entry waited before the journal accepted it; absent if that was less than a second.
        case delay = "DELAY_USEC"
    }

    public let event: JournalEvent
    public let priority: Journal.Priority
    public private(set) var message: String
    /// In order; a field can occur several times.
    public private(set) var fields: [Pair] = []

    public struct Pair: Hashable, Sendable {
        public let field: Field
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

    public subscript(_ field: Field) -> [String] {
        fields.filter { $0.field == field }.map(\.value)
    }

    /// Adds a field, if there is a value.
    public func with(_ field: Field, _ value: String?) -> JournalEntry {
        guard let value else { return self }
        var entry = self
        entry.fields.append(Pair(field: field, value: value))
        return entry
    }

    public func with(_ field: Field, _ value: Bool) -> JournalEntry { with(field, value ? "yes" : "no") }

    /// In µs.
    public func with(_ field: Field, _ time: Duration?) -> JournalEntry {
        with(field, time.map { String($0.wholeMicroseconds) })
    }

    public func with(_ signals: [SignalID]) -> JournalEntry {
        signals.reduce(self) { $0.with(.signal, $1.rawValue) }
    }

    /// The subject and the kind. The capture device has no field: its kind names it.
    public func with(_ fault: Fault) -> JournalEntry {
        switch fault.subject {
        case .signal(let signal): with([signal]).with(.fault, fault.kind.rawValue)
        case .sound(let sound): with(.sound, sound.rawValue).with(.fault, fault.kind.rawValue)
        case .output(let output): with(.output, output.rawValue).with(.fault, fault.kind.rawValue)
        case .capture: with(.fault, fault.description)
        }
    }
}

extension JournalEntry {
    /// How often entries of this kind are logged; nil if always.
    ///
    /// Entries that explain silence are all logged. Those that a loose wire, a flaky device or a faulty program repeats are
    /// limited.
    var limiter: Limiter? {
        switch event {
        case .fault, .faultCleared, .mediaServicesLost, .mediaServicesReset, .configurationChanged, .signalSuppressed,
            .storageLost, .storageReturned, .remark, .microphone, .recordingBegan, .recordingEnded, .recordingOverrun,
            .recordingStorageLost, .recordingStorageBack, .captureLost, .captureReturned:
            Limiter(burst: 6)
        case .trackSkipped, .recordingFile: Limiter(burst: 20)
        // No person gives commands faster, or for longer.
        case .command: Limiter(burst: 100, pace: .everySecond)
        // A program can request and withdraw announcements without end.
        case .soundBegan, .soundHeard, .soundEnded, .soundCut, .soundExpired: Limiter(burst: 30, pace: .everySecond)
        case .soundBroken: Limiter(burst: 6)
        case .output: Limiter(burst: 30, pace: .everySecond)
        default: nil
        }
    }

    /// Entries of the same kind share a limit.
    var kind: [String] {
        // A flood of announcements must not hide a signal's cue.
        let sound = event == .command ? [] : self[.sound]
        return [event.rawValue] + self[.signal] + self[.button] + self[.output] + sound + self[.fault]
    }
}

extension JournalEntry {
    /// The daemon does not start: the configuration has mistakes. All of them are in the message, the first in a field.
    public static func startRefused(_ error: ConfigurationError) -> JournalEntry {
        let first = error.description.split(separator: "\n").first.map(String.init)
        return JournalEntry(.startRefused, "\(error)", priority: .error).with(.reason, first)
            .with(.playing, false).with(.outcome, "nothing plays until the configuration is corrected")
    }
}

extension BootID {
    /// The unit passes it on because its `ProcSubset=pid` hides the kernel's own file. Nil if unknown.
    static let service: String? = getenv("TACET_BOOT_ID").flatMap { parse(String(cString: $0)) } ?? kernel
}
