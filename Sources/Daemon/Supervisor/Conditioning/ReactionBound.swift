import AudioSession
import Configuration
import Playback
import Signals

/// The longest time from the edge of a signal's wire until its effect is complete: silence, or the ducked level. Pure.
///
/// If a contact bounces, its last edge counts. Latency behind the device's queue, e.g. in a sound server, is not
/// included; a reaction that takes longer is logged.
public struct ReactionBound: Hashable, Sendable {
    /// Until the level takes effect.
    public let debounce: Duration
    /// From the command to its first sample: the frames queued in the device, and the wake-up of two threads.
    public let queue: Duration
    /// The fade to silence, or to the ducked level.
    public let ramp: Duration
    /// The directive after the reaction.
    public let directive: Directive

    public var total: Duration { debounce + queue + ramp }

    /// - Returns: nil if the signal changes nothing that is heard.
    public init?(of signal: SignalID, under configuration: Configuration) {
        // Derived from the session's reaction, not from the effect's name.
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
    }
}

extension PlaybackSettings {
    /// How long the music takes to reach this directive from full level.
    public func ramp(downTo directive: Directive) -> Duration { directive == .silent ? fadeOut : duckAttack }
}
