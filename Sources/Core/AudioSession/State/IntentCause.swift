/// Why the intent last changed. A session records it for people to read; nothing that the session does depends on it.
public enum IntentCause: Hashable, Sendable {
    /// A user's command.
    case user
    /// The session started with this intent: nothing was saved, or not why.
    case start
    /// The interruption ended, and these signals did not recommend resuming; empty if it is unknown which did not.
    case interruptionEnded([SignalID])
    /// The audio device returned, and playback does not resume automatically after that (`ResumeAfterReset=no`).
    case reset
    /// The output in use was unplugged.
    case routeLost
    /// The last track ended, and nothing repeats.
    case playlistEnded
}

extension IntentCause: LosslessStringConvertible {
    /// As saved and as on the bus: `user`, `ends phone-call door`. Signals must have no spaces in their names.
    public var description: String {
        switch self {
        case .user: "user"
        case .start: "start"
        case .interruptionEnded(let signals): (["ends"] + signals.map(\.rawValue)).joined(separator: " ")
        case .reset: "reset"
        case .routeLost: "unplugged"
        case .playlistEnded: "list-end"
        }
    }

    /// Parses a `description`.
    ///
    /// - Returns: nil if this version does not know the cause.
    public init?(_ description: String) {
        let words = description.split(separator: " ").map(String.init)
        switch (words.first, words.dropFirst()) {
        case ("ends", let signals): self = .interruptionEnded(signals.map { SignalID($0) })
        case ("user", []): self = .user
        case ("start", []): self = .start
        case ("reset", []): self = .reset
        case ("unplugged", []): self = .routeLost
        case ("list-end", []): self = .playlistEnded
        default: return nil
        }
    }
}

extension IntentCause {
    /// A clause that explains the intent: `it was paused`, `the output in use was unplugged`.
    ///
    /// - Parameters:
    ///   - intent: `paused` or `stopped`.
    ///   - names: how to name signals.
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
        case .playlistEnded: "the last track has ended (Repeat=none)"
        }
    }
}

/// A fact for people. It takes no part in comparisons, so that it neither multiplies the states of a session nor makes
/// two sessions differ that behave alike.
struct Uncompared<Value: Sendable>: Hashable, Sendable {
    var value: Value

    init(_ value: Value) { self.value = value }

    static func == (a: Uncompared, b: Uncompared) -> Bool { true }
    func hash(into hasher: inout Hasher) {}
}
