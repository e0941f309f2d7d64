import AudioSession
import Configuration
import ResumeStore

/// What a boot from a saved state would do, were it now: the session's own answer.
public struct BootForecast {
    public enum Lines: Sendable {
        /// What was asserted when the state was saved still is, and nothing else.
        case asSaved
        /// Nothing is asserted, and every `ReleaseDelay` has elapsed since the boot.
        case quiet
    }

    /// The session as it would be; its device is there, and so is the track.
    public let session: AudioSession
    /// How long after the boot the session is so: the longest `ReleaseDelay` of the signals that were active.
    public let delay: Duration

    /// - Parameter elapsed: for how long the power would have been off.
    /// - Throws: if the state says what no Tacet would.
    public init(
        _ state: SavedState, _ configuration: Configuration, lines: Lines, elapsed: Duration
    ) throws(StateError) {
        let elapsed = min(max(.zero, elapsed), SavedState.longest)
        let saved = try SavedSession(state, track: nil, elapsed: elapsed, now: .zero)
        var session = AudioSession(policy: configuration.session)
        let signals = lines == .quiet ? [] : state.held.map { (SignalID($0.signal), Boot.Line.asserted) }
        session.handle(
            .boot(Boot(saved: saved, lines: Dictionary(signals) { first, _ in first }, trackCount: 1)), at: .zero)
        self.session = session
        let delays = saved.held.filter { $0.standing == .inForce }.map { configuration.lines[$0.signal]?.releaseDelay }
        delay = lines == .quiet ? delays.compactMap { $0 }.max() ?? .zero : .zero
    }
}
