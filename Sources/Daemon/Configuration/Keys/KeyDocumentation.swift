import AudioSession
import GPIO
import Signals
import Time

/// The documentation of one key in tacet.conf(5).
public struct KeyDocumentation: Hashable, Sendable {
    /// The key's name without `=`.
    public let name: String
    /// The effect of the key, in sentences.
    public let meaning: String
    /// The accepted values, such as `a time from 0s to 10s`.
    public let values: String
    /// The default as it would be written in a file, or in words.
    public let builtIn: String
    /// The version of Tacet that introduced the key.
    public let since: String
}

/// The documentation of one section in tacet.conf(5).
public struct SectionDocumentation: Hashable, Sendable {
    /// The heading, such as `[Signal NAME]`.
    public let heading: String
    /// The purpose of the section, in paragraphs that are separated by empty lines.
    public let text: String
    /// The keys in the order of the vendor's file.
    public let keys: [KeyDocumentation]

    /// All sections in the order of the vendor's file.
    public static var all: [SectionDocumentation] {
        SectionKind.allCases.map { kind in
            SectionDocumentation(
                heading: kind.heading, text: kind.documentation, keys: KeyTable.documentation(of: kind))
        }
    }
}

extension KeyTable {
    fileprivate static func documentation(of section: SectionKind) -> [KeyDocumentation] {
        switch section {
        case .session: session.map { $0.documentation(.builtIn) }
        case .playback: playback.map { $0.documentation(.builtIn) }
        case .signal: signal.map { $0.documentation(SignalSettings()) }
        case .button: button.map { $0.documentation(ButtonSettings()) }
        case .output: output.map { $0.documentation(OutputSettings()) }
        case .sound: sound.map { $0.documentation(SoundKeys()) }
        case .recording: recording.map { $0.documentation(RecordingKeys()) }
        case .state: state.map { $0.documentation(.builtIn) }
        case .health: []
        }
    }
}

extension SectionKind {
    fileprivate var documentation: String {
        switch self {
        case .session:
            "What the audio session is for, and when it resumes. The names are those of Apple's AVAudioSession."
        case .playback: "What is played, on which device, and how it fades."
        case .signal:
            """
            A signal: a GPIO line that interrupts or ducks the music while it is asserted. NAME consists of at most \
            40 letters, digits, ‘-’, ‘_’ and ‘.’. There can be 100 sections of each kind that has names.

            The signals phone-call, alarm and cover-closed exist without a section. A board that lacks one of them \
            disables it with Enabled=no. Every other signal needs a section with an Effect=.

            A signal without a line is legal: it can be rehearsed, and a warning says that no wire will assert it. A \
            line can serve one section only.
            """
        case .button: "A button on a GPIO line, which gives a command when it is pressed. NAME is as for a signal."
        case .output:
            """
            An output: a GPIO line that Tacet drives, for an amplifier, a lamp or a relay. NAME is as for a signal.

            The line is requested deasserted, and deasserted before it is released. A process that crashes or is \
            killed cannot do that: some kernels then make the line an input, so that the board's resistors set its \
            level, but others keep the last level, such as a Raspberry Pi's (unless config.txt has \
            dtparam=strict_gpiod). Therefore, tacet.service runs ‘tacetd --release-outputs’ whenever Tacet has \
            ended, which deasserts each output about as soon as systemd notices the end; after a hang, that is when \
            the watchdog has killed Tacet. If the kernel itself stops, the level stays as it is until the board is \
            reset. Wire the line so that the board's resistors set the deasserted level, too, as they do at boot.

            A line that is missing, or that another program holds, is a fault, and is requested again until it is \
            available; nothing else waits for it.
            """
        case .sound:
            """
            A sound: a short recording that plays over the music, such as a gong or an alarm tone. NAME is as for a \
            signal. Only one sound plays at a time; the music yields first.

            A signal's Cue= plays the sound while the signal is active; then the signal's Effect= and Priority= apply. \
            An announcement plays it once: with ‘tacet announce NAME’, over the bus or with a button; then Effect=, \
            DuckLevel=, Priority= and Expire= of the sound apply.

            A missing or damaged file is a warning and a fault, never a reason not to start: a cue is then heard as a \
            built-in tone, and announcements of the sound are refused. What follows the first minute of a sound is \
            only read while it plays. If that cannot be read, a cue that repeats continues with its first minute, and \
            ‘tacet health’ reports the problem until the sound plays again or its file is read again.
            """
        case .recording:
            """
            What the microphone records, with Category=record or playAndRecord. Without this section, nothing is recorded.

            An interruption pauses the recording, which then continues in the same file with the very next frame. The \
            files are named by the time of their first frame, such as 2026-11-22T14-03-12Z.flac, and never overwritten. \
            A power cut loses at most Interval= of [State]. A full or slow disk, and an input that is lost, are faults \
            that never disturb the music.
            """
        case .state: "Where and how often the state is saved, so that a power cut loses little."
        case .health: "It has no keys yet."
        }
    }
}

/// A value that the manual page can show as a default.
protocol DocumentedValue: Sendable {
    /// The value as it would be written in a configuration file.
    var configurationText: String { get }
}

extension DocumentedValue where Self: RawRepresentable, RawValue == String {
    var configurationText: String { rawValue }
}

extension Policy.Category: DocumentedValue {}
extension Policy.Mode: DocumentedValue {}
extension Policy.Repeat: DocumentedValue {}
extension SignalPolicy.Resume: DocumentedValue {}
extension SignalPolicy.WhenStuck: DocumentedValue {}
extension LinePolicy.WhenLost: DocumentedValue {}
extension LineDrive: DocumentedValue {}

extension SoundPolicy.Effect: DocumentedValue {
    var configurationText: String { name }
}

extension Level: DocumentedValue {
    var configurationText: String { text }
}

extension Policy.Options: DocumentedValue {
    var configurationText: String { isEmpty ? "none" : "overrideMutedMicrophoneInterruption" }
}

extension Bool: DocumentedValue {
    var configurationText: String { self ? "yes" : "no" }
}

extension Int: DocumentedValue {
    var configurationText: String { String(self) }
}

extension String: DocumentedValue {
    var configurationText: String { self }
}

extension [String]: DocumentedValue {
    var configurationText: String { isEmpty ? "none" : joined(separator: " ") }
}

/// A value that can be unlimited.
protocol DocumentedLimit: DocumentedValue {}

extension Duration: DocumentedLimit {
    var configurationText: String { TimeSpan.format(self) }
}

/// A size in bytes.
extension Int64: DocumentedLimit {
    var configurationText: String { ByteSize.format(self) }
}

extension Optional: DocumentedValue where Wrapped: DocumentedLimit {
    var configurationText: String { map(\.configurationText) ?? "infinity" }
}
