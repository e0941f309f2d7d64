/// A session's state of one signal.
struct SignalState: Hashable, Sendable {
    /// nil while it is deasserted.
    var standing: SavedSession.Held.Standing?
    /// When it was asserted; zero while it is deasserted.
    var began = Duration.zero
    /// Whether its cue has been heard to its end since the signal began.
    var isCueDone = false
    private var faults: UInt8 = 0

    /// Whether it requests its cue, if it names one.
    var requestsCue: Bool { standing == .active && !isCueDone }

    func has(_ fault: Fault.Kind) -> Bool { faults & fault.bit != 0 }
    /// Whether both have the same saved state. Nothing is saved of a deasserted signal.
    func savesLike(_ other: SignalState) -> Bool {
        standing == other.standing
            && (standing == nil || began == other.began && has(.stuck) == other.has(.stuck))
    }

    /// Omits `began`, because states rarely differ in it alone, and exploring every state spends most of its time hashing.
    func hash(into hasher: inout Hasher) {
        hasher.combine(standing)
        hasher.combine(isCueDone)
        hasher.combine(faults)
    }

    mutating func insert(_ fault: Fault.Kind) { faults |= fault.bit }
    mutating func remove(_ fault: Fault.Kind) { faults &= ~fault.bit }
}

extension Fault.Kind {
    fileprivate var bit: UInt8 {
        switch self {
        case .chatter: 1
        case .lost: 2
        case .stuck: 4
        case .sound: 0
        }
    }
}

/// A signal that cannot be believed, a sound that cannot be read, or a lost capture device, until the fault clears. See
/// <doc:Semantics#Signals-that-cannot-be-believed>.
public struct Fault: Hashable, Comparable, Sendable, LosslessStringConvertible {
    /// What has the fault. A signal, a sound and the capture device are told apart even if they have the same name.
    public enum Subject: Hashable, Sendable {
        case signal(SignalID)
        case sound(SoundID)
        /// The device that records.
        case capture
    }

    public enum Kind: String, Hashable, Sendable, CaseIterable {
        /// More edges than any contact makes. The signal counts as asserted until it is quiet.
        case chatter
        /// The line or its chip has disappeared, or cannot be read.
        case lost
        /// Asserted for longer than is plausible.
        case stuck
        /// The file of a sound cannot be read.
        case sound
    }

    /// The capture device is lost.
    public static let capture = Fault(subject: .capture, kind: .lost)

    public let subject: Subject
    public let kind: Kind

    private init(subject: Subject, kind: Kind) {
        self.subject = subject
        self.kind = kind
    }

    /// A signal's fault.
    public init(_ signal: SignalID, _ kind: Kind) { self.init(subject: .signal(signal), kind: kind) }

    /// The fault of a sound whose file cannot be read.
    public init(sound: SoundID) { self.init(subject: .sound(sound), kind: .sound) }

    /// The signal that has the fault; nil if another subject has it.
    public var signal: SignalID? { if case .signal(let signal) = subject { signal } else { nil } }

    /// The name of the signal or of the sound, or `capture`.
    public var name: String {
        switch subject {
        case .signal(let signal): signal.rawValue
        case .sound(let sound): sound.rawValue
        case .capture: Self.captureName
        }
    }

    private static let captureName = "capture"
    /// What precedes a signal's name whose fault would otherwise read as the capture device's. No name contains a space.
    private static let signalPrefix = "signal "

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
        } else if name.hasPrefix(Self.signalPrefix) {
            self.init(SignalID(String(name.dropFirst(Self.signalPrefix.count))), kind)
        } else {
            self.init(SignalID(name), kind)
        }
    }

    /// The subject and the kind: `phone-call:stuck`, `gong:sound`, `capture:lost`. The last one is always the capture
    /// device's: the same fault of a signal with that name is `signal capture:lost`.
    public var description: String {
        let isAmbiguous = signal?.rawValue == Self.captureName && kind == .lost
        return "\(isAmbiguous ? Self.signalPrefix : "")\(name):\(kind.rawValue)"
    }

    public static func < (a: Fault, b: Fault) -> Bool { a.description < b.description }
}
