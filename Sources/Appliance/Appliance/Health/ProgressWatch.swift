import Playback

/// Whether every part makes progress; pure, and told the time.
///
/// Asked from time to time, it answers `alive` only if render and storage have each had a turn since it last did. That
/// it is asked at all is control's own proof. A render thread that a frozen sound server holds inside a call counts as
/// alive: the device is reported as lost, and a restarted service would wait for the same server.
public struct ProgressWatch: Hashable, Sendable {
    public enum Part: String, Hashable, Sendable { case control, render, storage }

    public enum Verdict: Hashable, Sendable {
        case alive
        /// Not all have had a turn yet.
        case waiting
        /// These have had none for longer than the patience: said once.
        case hung([Part])
    }

    /// After how long without a turn a part hangs.
    private let patience: Duration
    private var seen: EngineProgress?
    private var aliveAt: Duration
    private var hasComplained = false

    public init(patience: Duration, at now: Duration) {
        self.patience = patience
        aliveAt = now
    }

    public mutating func judge(_ progress: EngineProgress, at now: Duration) -> Verdict {
        let hung = parts(thatHaveHadNoTurnIn: progress)
        guard !hung.isEmpty else {
            seen = progress
            aliveAt = now
            hasComplained = false
            return .alive
        }
        guard now - aliveAt > patience, !hasComplained else { return .waiting }
        hasComplained = true
        return .hung(hung)
    }

    /// Another engine counts anew.
    public mutating func startOver(at now: Duration) {
        self = ProgressWatch(patience: patience, at: now)
    }

    private func parts(thatHaveHadNoTurnIn progress: EngineProgress) -> [Part] {
        guard let seen else { return [] }
        let isRenderStill = progress.renderTurns == seen.renderTurns && !progress.isHeldByDevice
        return (isRenderStill ? [.render] : [])
            + (progress.storageTurns == seen.storageTurns ? [.storage] : [])
    }
}
