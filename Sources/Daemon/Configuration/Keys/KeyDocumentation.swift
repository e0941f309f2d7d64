import AudioSession
import GPIO
import Signals
import Time

/// The documentation of one key in a manual page.
public struct KeyDocumentation: Hashable, Sendable {
    /// The key's name without `=`.
    public let name: String
    /// The effect of the key, in sentences. An empty line separates paragraphs.
    public let meaning: String
    /// The accepted values, such as `a time from 0s to 10s`.
    public let values: String
    public let builtIn: KeyDefault
    /// The version of Tacet that introduced the key, or nil if it was the first one.
    public let since: String?

    /// The whole text in systemd's order. The values and the default follow the first sentence, unless that is a
    /// condition such as “If enabled”.
    public var paragraphs: [String] {
        let first = meaning.hasPrefix("If ") ? nil : meaning.split(separator: ". ", maxSplits: 1).first
        let opening = first.map { $0.hasSuffix(".") ? String($0) : $0 + "." } ?? ""
        let rest = meaning.dropFirst(opening.count).drop { $0 == " " }
        let sentences = [
            opening, "Takes \(values).", builtIn.sentence, String(rest), since.map { "Added in version \($0)." },
        ]
        let text = sentences.compactMap { $0 }.filter { !$0.isEmpty }.joined(separator: " ")
        return text.split(separator: "\n\n").map(String.init)
    }
}

/// The value that a key has if no file sets it.
public enum KeyDefault: Hashable, Sendable {
    /// The default as it would be written in a file.
    case value(String)
    /// The default in words that continue “Defaults to”.
    case described(String)
    /// The key has no value.
    case unset
    /// A section without the key is a mistake.
    case required

    /// A clause that follows the key's name, such as `defaults to 30ms`.
    public var clause: String {
        switch self {
        case .value(let text), .described(let text): "defaults to \(text)"
        case .unset: "is unset"
        case .required: "is required"
        }
    }

    /// A sentence such as `Defaults to 30ms.`
    public var sentence: String {
        switch self {
        case .value(let text), .described(let text): "Defaults to \(text)."
        case .unset: "Unset by default."
        case .required: "This setting is required."
        }
    }
}

/// The documentation of one section in a manual page.
public struct SectionDocumentation: Hashable, Sendable {
    /// The heading, such as `[Signal NAME]`.
    public let heading: String
    /// The purpose of the section, in paragraphs that are separated by empty lines.
    public let text: String
    /// The keys in the order of the vendor's file.
    public let keys: [KeyDocumentation]

    /// All sections of `tacet.conf` in the order of the vendor's file.
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
        case .input: input.map { $0.documentation(InputKeys()) }
        case .player: player.map { $0.documentation(PlayerKeys()) }
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
            """
            This section specifies the purpose of the audio session and when it resumes. The names are those of Apple's \
            AVAudioSession.
            """
        case .playback: "This section specifies what is played, on which device, and how it fades."
        case .signal:
            """
            A signal interrupts or ducks the music while it is asserted. Its level usually comes from a GPIO line. NAME \
            consists of at most 40 letters, digits, ‘-’, ‘_’ and ‘.’. There may be up to 100 sections of each kind that \
            has a name.

            The signals phone-call, alarm and cover-closed exist without a section. If a board lacks one of them, \
            disable it with Enabled=no. Every other signal needs a section with Effect=.

            A signal without a line is allowed, because it can be rehearsed. A warning says that no wire asserts it. A \
            line may be used in one section only.
            """
        case .button:
            """
            A button on a GPIO line gives a command when it is pressed. NAME follows the same rules as for a signal.
            """
        case .output:
            """
            An output is a GPIO line that Tacet drives, for example for an amplifier, a lamp or a relay. NAME follows \
            the same rules as for a signal.

            Tacet requests the line at its deasserted level, and deasserts it before it releases the line. A process that \
            crashes or is killed cannot do so. Some kernels then turn the line into an input, and the resistors of the \
            board determine its level. Other kernels keep the last level, for example that of Raspberry Pi OS, unless \
            config.txt contains dtparam=strict_gpiod, and so do most chips on an I2C or SPI bus, whatever the kernel. \
            tacet check warns about such a kernel. Therefore, tacet.service runs tacetd --release-outputs after Tacet has \
            ended. This deasserts each output within a second of the end. If Tacet hangs, it happens after the \
            watchdog of the service has killed it (WatchdogSec=). If the kernel itself stops, a level that is kept \
            remains until the watchdog of the board resets it. Early in the boot, before Tacet starts, \
            tacet-outputs.service does the same, because some chips keep their levels through a restart of the board. If \
            the configuration has mistakes, the lines of the last configuration that worked are deasserted. Wire the \
            line so that the resistors of the board also set the deasserted level, as they do at boot.

            If a line is missing, or if another program holds it, Tacet reports a fault and requests the line again until \
            it is available. Nothing else waits for it.
            """
        case .sound:
            """
            A sound is a short recording that plays over the music, such as a gong or an alarm tone. NAME follows the \
            same rules as for a signal. Only one sound plays at a time, and it begins when the music has been turned down \
            or paused.

            A sound plays either as a cue or as an announcement. The Cue= of a signal plays it while the signal is \
            active, and the Effect= and Priority= of the signal apply. An announcement plays it once. It is requested \
            with tacet announce NAME, over the bus or with a button, and the Effect=, DuckLevel=, Priority= and Expire= \
            of the sound apply.

            A missing or damaged file causes a warning and a fault, but Tacet starts nevertheless. A cue is then played \
            as a built-in tone, and announcements of the sound are refused. If a sound is longer than a minute, the rest \
            of it is read from the disk while it plays. If the rest cannot be read, a cue that repeats continues with its \
            first minute, and tacet health reports the problem until the sound plays again or its file has been read \
            again.
            """
        case .input:
            """
            An input is a place where audio arrives live, for example from another program. NAME follows the same rules \
            as for a signal, but must not be library or the name of a sound.

            An input sounds from the moment at which audio has arrived for Attack= until none has arrived for Idle=. \
            While it sounds, it takes the place of the library. Of several inputs, the one that began last is heard. \
            Signals and sounds interrupt and duck it as they do with the library, and commands apply to it. After an \
            interruption, it continues live.

            The daemon creates the pipes in /run/tacet/inputs, and members of the group tacet-inputs may write to them. In \
            this version, it reads only pipes with Role=programme. Other inputs can only be rehearsed, with tacet simulate, \
            and tacet check says so. tacet-inputs(7) shows how to set up several programs.
            """
        case .player:
            """
            A player is another program that plays by itself. NAME follows the same rules as for a signal. An interruption \
            pauses it, and so does an announcement with Effect=pause. It resumes afterwards if it was playing and nobody \
            has touched it since. A program that starts meanwhile is also paused, and resumes afterwards.

            The service tacet-players controls the players. It belongs to a separate package, and tacet-players(8) \
            describes it. Without it, the section has no effect.
            """
        case .recording:
            """
            This section specifies how the microphone is recorded, with Category=record or playAndRecord. Without this \
            section, nothing is recorded.

            An interruption pauses the recording, unless During=interruptions is set. The recording then continues in \
            the same file with the very next frame. The files are named after the time of their first frame, such as \
            2026-11-22T14-03-12Z.flac, and are never overwritten. A power cut loses at most the Interval= of [State]. A \
            full or slow disk, or a lost input, is reported as a fault and never disturbs the music.
            """
        case .state:
            "This section specifies where and how often the state is saved, so that a power cut loses little."
        case .health: "This section has no settings yet."
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
extension SoundPolicy.Again: DocumentedValue {}
extension LinePolicy.WhenLost: DocumentedValue {}
extension LineDrive: DocumentedValue {}
extension SoundSettings.Follow: DocumentedValue {}

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
    var configurationText: String { joined(separator: " ") }
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
