import AudioSession
import Configuration
import ResumeStore
import Signals

/// Predicts a boot from a saved state by running the session itself.
public struct BootForecast {
    public enum Lines: Sendable {
        /// The lines that were asserted when the state was saved are still asserted, and no others are.
        case asSaved
        /// No line is asserted, and every `ReleaseDelay` has elapsed since the boot.
        case quiet
    }

    /// The session after every `ResumeDelay` has also elapsed, if its device and its track are available.
    public let session: Session
    /// The position at which the music plays or would resume. It is `ResumeRewind` earlier if music was playing when
    /// the power failed.
    public let position: Duration
    /// The time from the boot until the music and the episode reach that state.
    public let delay: Duration
    /// The part of `delay` that is a `ResumeDelay`. The rest is a `ReleaseDelay`.
    public let resumeDelay: Duration

    /// - Parameter elapsed: The time for which the power is assumed to have been off.
    /// - Throws: If the state contains a value that Tacet never writes.
    public init(
        _ state: SavedState, _ configuration: Configuration, lines: Lines, elapsed: Duration
    ) throws(StateError) {
        let elapsed = min(max(.zero, elapsed), SavedState.longest)
        let saved = try SavedSession(state, track: nil, elapsed: elapsed, now: .zero)
        let conditioners = configuration.session.signals.map { signal in
            let held = saved.held.first { $0.signal == signal.id }.map(HeldAssertion.init)
            let policy = configuration.lines[signal.id] ?? LinePolicy()
            let level = (lines == .asSaved && held != nil) != policy.isActiveLow
            return (
                signal: signal.id,
                conditioner: Conditioner(policy: policy, level: level, complement: !level, at: .zero, held: held)
            )
        }
        let levels = conditioners.map { ($0.signal, $0.conditioner.isAsserted ? Boot.Line.asserted : .deasserted) }

        var session = Session(policy: configuration.session)
        session.handle(
            .boot(Boot(saved: saved, lines: Dictionary(uniqueKeysWithValues: levels), trackCount: 1)), at: .zero)
        var signals = SignalLines(conditioners)
        var (delay, resumeDelay) = (Duration.zero, Duration.zero)
        var deadline: Duration? = .zero
        while let now = deadline {
            signals.settle(by: now)
            while let event = signals.next() ?? session.elapsed(by: now).map(Event.delayElapsed) {
                let before = (session.directive, session.isInterrupted)
                session.handle(event, at: now)
                guard (session.directive, session.isInterrupted) != before else { continue }
                delay = now
                resumeDelay = if case .delayElapsed = event { configuration.session.resumeDelay } else { .zero }
            }
            // A `StuckAfter` that elapses after the boot is not predicted.
            deadline = [lines == .quiet ? signals.deadline : nil, session.deadline].compactMap { $0 }.min()
        }
        self.session = session
        self.delay = delay
        self.resumeDelay = resumeDelay

        // If no music was playing, the saved position already includes the rewind.
        let rewind = state.wasPlaying ? configuration.playback.resumeRewind : .zero
        position = Supervisor.rewound(from: state.position, by: rewind, continuedFrom: state.continuedFrom)
    }
}
