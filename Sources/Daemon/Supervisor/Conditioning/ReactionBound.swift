import AudioSession
import Configuration
import Playback
import Signals

/// The longest time from the assertion of a signal until its effect, which is silence or the ducked level, is
/// complete. The type is pure.
///
/// If a contact bounces, the time starts at its last edge. Latency after the device's queue, such as that of a sound
/// server, is not included. Tacet logs each reaction that takes longer.
public struct ReactionBound: Hashable, Sendable {
    /// The time until the level takes effect.
    public let debounce: Duration
    /// The time from the command to its first sample. It consists of the frames queued in the device and of the wake-up
    /// of two threads.
    public let queue: Duration
    /// The duration of the fade to silence or to the ducked level.
    public let ramp: Duration
    /// The directive after the reaction.
    public let directive: Directive
    /// The outputs that mute the device in hardware, which do not wait for the fade.
    public let mutes: [OutputID]

    public var total: Duration { debounce + queue + ramp }

    /// The time until the outputs in `mutes` are asserted.
    public var muted: Duration { debounce + Self.lineReaction }

    /// The maximum time from a level that takes effect to the level of an output, on a slow processor.
    private static let lineReaction = Duration.milliseconds(50)

    /// - Returns: nil if the signal does not change what is played.
    public init?(of signal: SignalID, under configuration: Configuration) {
        // The bound follows from the session's reaction, not from the effect's name.
        var session = Session(policy: configuration.session)
        session.handle(.boot(Boot(saved: nil, trackCount: 1)), at: .zero)
        session.handle(.command(.play), at: .zero)
        let before = session.directive
        session.handle(.edge(Edge(signal, asserted: true)), at: .zero)
        guard session.directive != before else { return nil }
        directive = session.directive
        debounce = (configuration.lines[signal] ?? LinePolicy()).debounce
        queue = EngineSettings.longestReaction
        ramp = configuration.playback.ramp(downTo: directive)
        let isSilent = OutputFact.holding(in: session).contains(.silent)
        mutes = isSilent ? configuration.outputs.map(\.policy).filter { $0.meaning == .follows(.silent) }.map(\.id) : []
    }
}

extension PlaybackSettings {
    /// Returns the time that the music takes to reach this directive from full level.
    public func ramp(downTo directive: Directive) -> Duration { directive == .silent ? fadeOut : duckAttack }
}
