/// A fault of a signal, a sound, a sound device, an input, a player or an output. For example, a line chatters or a file
/// cannot be read. See <doc:Semantics#Faulty-signals>.
///
/// A session never reports the fault of an input or an output, because it neither reads inputs nor drives outputs. The
/// only fault of a player that it reports is an order to pause that is not confirmed.
public struct Fault: Hashable, Comparable, Sendable, LosslessStringConvertible {
    /// The subject that has the fault. Subjects of different kinds differ even if they have the same name.
    public enum Subject: Hashable, Sendable {
        case signal(SignalID)
        case sound(SoundID)
        /// The device that records.
        case capture
        /// A place where audio arrives live.
        case input(InputID)
        /// Another program that plays by itself.
        case player(PlayerID)
        case output(OutputID)
        /// The device that plays.
        case playback
    }

    public enum Kind: String, Hashable, Sendable, CaseIterable {
        /// The level of the line changes more often than any contact could change it. The signal is treated as asserted
        /// until the line is quiet.
        case chatter
        /// The line or its chip, or the device or server of an input, has disappeared or cannot be read, or a player
        /// cannot be controlled.
        case lost
        /// The signal has been asserted for longer than is plausible.
        case stuck
        /// Both lines of a changeover contact have the same level, because a wire is cut or shorted.
        case wire
        /// The file of a sound cannot be read.
        case sound
        /// A sound server or a card's mixer has muted what is played.
        case muted
        /// A sound server or a card's mixer has turned what is played down so far that it can hardly be heard.
        case quiet
        /// A player has not confirmed in time that it has paused.
        case unconfirmed
    }

    /// The capture device is lost.
    public static let capture = Fault(subject: .capture, kind: .lost)

    public let subject: Subject
    public let kind: Kind

    private init(subject: Subject, kind: Kind) {
        self.subject = subject
        self.kind = kind
    }

    /// Creates the fault of a signal.
    public init(_ signal: SignalID, _ kind: Kind) { self.init(subject: .signal(signal), kind: kind) }

    /// Creates the fault of a sound whose file cannot be read.
    public init(sound: SoundID) { self.init(subject: .sound(sound), kind: .sound) }

    /// Creates the fault of an input that cannot be read.
    public init(input: InputID) { self.init(subject: .input(input), kind: .lost) }

    /// Creates the fault of the device that plays, which is `muted` or `quiet`.
    public init(playback kind: Kind) { self.init(subject: .playback, kind: kind) }

    /// Creates the fault of a player that cannot be controlled, or that has not confirmed that it has paused.
    public init(player: PlayerID, _ kind: Kind) { self.init(subject: .player(player), kind: kind) }

    /// Creates the fault of an output whose line cannot be driven.
    public init(output: OutputID) { self.init(subject: .output(output), kind: .lost) }

    /// The signal that has the fault, or nil if another subject has it.
    public var signal: SignalID? { if case .signal(let signal) = subject { signal } else { nil } }

    /// The name of the signal, the sound, the input, the player or the output, or `capture`, or `output` for the device
    /// that plays.
    public var name: String {
        switch subject {
        case .signal(let signal): signal.rawValue
        case .sound(let sound): sound.rawValue
        case .capture: Self.captureName
        case .input(let input): input.rawValue
        case .player(let player): player.rawValue
        case .output(let output): output.rawValue
        case .playback: Self.playbackName
        }
    }

    private static let captureName = "capture"
    private static let playbackName = "output"
    /// The prefix of a signal's name if the text would otherwise denote the fault of the capture device. Names do not
    /// contain spaces, so the prefix is unambiguous.
    private static let signalPrefix = "signal "
    private static let inputPrefix = "input "
    private static let playerPrefix = "player "
    private static let outputPrefix = "output "

    /// Parses a `description`.
    ///
    /// - Returns: nil if the text does not describe a fault.
    public init?(_ description: String) {
        guard let colon = description.lastIndex(of: ":"), colon != description.startIndex,
            let kind = Kind(rawValue: String(description[description.index(after: colon)...]))
        else { return nil }
        let name = String(description[..<colon])
        if kind == .sound {
            self.init(sound: SoundID(name))
        } else if name == Self.captureName, kind == .lost {
            self = .capture
        } else if kind == .muted || kind == .quiet {
            guard name == Self.playbackName else { return nil }
            self.init(playback: kind)
        } else if name.hasPrefix(Self.outputPrefix), kind == .lost {
            self.init(output: OutputID(String(name.dropFirst(Self.outputPrefix.count))))
        } else if name.hasPrefix(Self.inputPrefix), kind == .lost {
            self.init(input: InputID(String(name.dropFirst(Self.inputPrefix.count))))
        } else if name.hasPrefix(Self.playerPrefix), kind == .lost || kind == .unconfirmed {
            self.init(player: PlayerID(String(name.dropFirst(Self.playerPrefix.count))), kind)
        } else if name.hasPrefix(Self.signalPrefix) {
            self.init(SignalID(String(name.dropFirst(Self.signalPrefix.count))), kind)
        } else {
            self.init(SignalID(name), kind)
        }
    }

    /// The subject and the kind, such as `phone-call:stuck`, `gong:sound`, `output amplifier:lost`, `output:muted` or
    /// `capture:lost`. The last one always denotes the capture device. The same fault of a signal named `capture` is written
    /// `signal capture:lost`.
    public var description: String { "\(prefix)\(name):\(kind.rawValue)" }

    private var prefix: String {
        switch subject {
        case .signal(let signal): signal.rawValue == Self.captureName && kind == .lost ? Self.signalPrefix : ""
        case .input: Self.inputPrefix
        case .player: Self.playerPrefix
        case .output: Self.outputPrefix
        case .sound, .capture, .playback: ""
        }
    }

    public static func < (a: Fault, b: Fault) -> Bool { a.description < b.description }
}
