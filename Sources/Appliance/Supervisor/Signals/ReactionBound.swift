import AudioSession
import Configuration
import Playback
import Signals

/// The longest time from the edge of a signal's wire until its effect is complete: silence, or the ducked level. Pure.
///
/// The edge is the last one of a contact that bounces. What the device itself adds behind its queue, such as a sound
/// server, is not included: a reaction that takes longer is logged.
public struct ReactionBound: Hashable, Sendable {
    /// Until the level counts.
    public let debounce: Duration
    /// From the command to its first sample: what is queued in the device, and the wake-up of two threads.
    public let queue: Duration
    /// The fade to silence, or to the ducked level.
    public let ramp: Duration
    /// What the programme comes to.
    public let directive: Directive

    public var total: Duration { debounce + queue + ramp }

    /// nil: the signal changes nothing that is heard.
    public init?(of signal: SignalID, under configuration: Configuration) {
        // What the session does, rather than what the effect is called, is what counts.
        var session = Session(policy: configuration.session)
        session.handle(.boot(Boot(saved: nil, trackCount: 1)), at: .zero)
        session.handle(.command(.play), at: .zero)
        let before = session.directive
        session.handle(.edge(Edge(signal, asserted: true)), at: .zero)
        guard session.directive != before else { return nil }
        directive = session.directive
        debounce = (configuration.lines[signal] ?? LinePolicy()).debounce
        // It is twice as long while a process starts.
        queue = EngineSettings.normalQueue * 2
        ramp = configuration.playback.ramp(downTo: directive)
    }
}

extension PlaybackSettings {
    /// How long it takes to turn the programme down to this.
    public func ramp(downTo directive: Directive) -> Duration { directive == .silent ? fadeOut : duckAttack }
}
