/// What the end of an interruption says (Apple: `AVAudioSession.InterruptionOptions`).
public struct InterruptionOptions: OptionSet, Hashable, Sendable {
    public let rawValue: UInt8
    public init(rawValue: UInt8) { self.rawValue = rawValue }

    /// A hint: resume what was playing. It does not say that anything was.
    public static let shouldResume = InterruptionOptions(rawValue: 1)
}
