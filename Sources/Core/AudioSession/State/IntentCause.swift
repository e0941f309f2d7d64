/// The reason why the intent last changed. A session records it only for people to read, and its behaviour does not
/// depend on it.
public enum IntentCause: Hashable, Sendable {
    /// A user's command.
    case user
    /// The session started with this intent, because nothing was saved, or because the saved state has no cause.
    case start
    /// The interruption ended, and these signals did not recommend resuming. The list is empty if they are unknown.
    case interruptionEnded([SignalID])
    /// The audio device returned, after which playback does not resume automatically (`ResumeAfterReset=no`).
    case reset
    /// The output in use was unplugged.
    case routeLost
    /// The last track ended, and nothing repeats.
    case playlistEnded
    /// The input began to sound.
    case inputBegan
}

extension IntentCause: LosslessStringConvertible {
    /// The text in the saved state and on the bus, such as `user` or `ends phone-call door`. Names of signals must not
    /// contain spaces.
    public var description: String {
        switch self {
        case .user: "user"
        case .start: "start"
        case .interruptionEnded(let signals): (["ends"] + signals.map(\.rawValue)).joined(separator: " ")
        case .reset: "reset"
        case .routeLost: "unplugged"
        case .playlistEnded: "list-end"
        case .inputBegan: "input-began"
        }
    }

    /// Parses a `description`.
    ///
    /// - Returns: nil if this version does not support the cause.
    public init?(_ description: String) {
        let words = description.split(separator: " ").map(String.init)
        switch (words.first, words.dropFirst()) {
        case ("ends", let signals): self = .interruptionEnded(signals.map { SignalID($0) })
        case ("user", []): self = .user
        case ("start", []): self = .start
        case ("reset", []): self = .reset
        case ("unplugged", []): self = .routeLost
        case ("list-end", []): self = .playlistEnded
        case ("input-began", []): self = .inputBegan
        default: return nil
        }
    }
}

extension IntentCause {
    /// Returns a clause that explains the intent, such as `it was paused` or `the output in use was unplugged`.
    ///
    /// - Parameters:
    ///   - intent: `paused` or `stopped`.
    ///   - names: returns the text that names signals.
    func clause(_ intent: Intent, _ names: ([SignalID]) -> String) -> String {
        switch self {
        case .user: "it was \(intent.rawValue)"
        case .start: "it was \(intent.rawValue) when Tacet started"
        case .interruptionEnded([]):
            "an interruption has ended after which playback does not resume automatically"
        case .interruptionEnded(let signals):
            "\(names(signals)) \(signals.count > 1 ? "have" : "has") ended, after which playback does not resume "
                + "automatically"
        case .reset:
            "the sound device was lost, after which playback does not resume automatically (ResumeAfterReset=no)"
        case .routeLost: "the output in use was unplugged"
        case .playlistEnded: "the last track has ended"
        case .inputBegan: "it began to arrive"
        }
    }
}

/// A fact that is only for people to read. Comparisons ignore it, so that sessions that behave alike are equal.
struct Uncompared<Value: Sendable>: Hashable, Sendable {
    var value: Value

    init(_ value: Value) { self.value = value }

    static func == (a: Uncompared, b: Uncompared) -> Bool { true }
    func hash(into hasher: inout Hasher) {}
}
