import Playback
import Recording

/// Whether every thread makes progress. Pure; the time is passed in.
///
/// It answers `alive` only if render and storage, and the threads of a recorder, have each had a turn since it last did.
/// Control proves its own progress by calling it. A render thread that a frozen sound server holds inside a call counts as
/// alive: the device is reported as lost, and a restarted service would wait for the same server. So does a recorder's
/// thread that the device or the disk holds.
public struct ProgressWatch: Hashable, Sendable {
    public enum Part: String, Hashable, Sendable { case control, render, storage, capture, recording }

    public enum Verdict: Hashable, Sendable {
        case alive
        /// These have had no turn yet.
        case waiting([Part])
        /// These have had no turn for longer than the timeout; reported once.
        case hung([Part])
    }

    /// How long a thread can go without a turn before it counts as stalled.
    private let timeout: Duration
    private var seen: EngineProgress?
    private var seenOfRecorder: RecorderProgress?
    private var aliveAt: Duration
    /// When it first answered `waiting` since then, and so the caller poked the threads; nil if it has not.
    private var askedAt: Duration?
    private var hasComplained = false

    public init(timeout: Duration, at now: Duration) {
        self.timeout = timeout
        aliveAt = now
    }

    /// - Parameter recorder: nil if there is none.
    public mutating func judge(
        _ progress: EngineProgress, recorder: RecorderProgress? = nil, at now: Duration
    ) -> Verdict {
        let hung = parts(thatHaveHadNoTurnIn: progress) + parts(thatHaveHadNoTurnIn: recorder)
        guard !hung.isEmpty else {
            seen = progress
            seenOfRecorder = recorder
            aliveAt = now
            askedAt = nil
            hasComplained = false
            return .alive
        }
        // A thread without work has no turns of its own, so a late look alone proves nothing.
        let asked = askedAt ?? now
        if askedAt == nil { askedAt = now }
        let isOverdue = now - aliveAt > timeout && asked < now && now - asked >= timeout / 4
        guard isOverdue, !hasComplained else { return .waiting(hung) }
        hasComplained = true
        return .hung(hung)
    }

    /// A new engine counts from zero.
    public mutating func startOver(at now: Duration) {
        self = ProgressWatch(timeout: timeout, at: now)
    }

    private func parts(thatHaveHadNoTurnIn progress: EngineProgress) -> [Part] {
        guard let seen else { return [] }
        let isRenderStill = progress.renderTurns == seen.renderTurns && !progress.isHeldByDevice
        return (isRenderStill ? [.render] : [])
            + (progress.storageTurns == seen.storageTurns ? [.storage] : [])
    }

    private func parts(thatHaveHadNoTurnIn recorder: RecorderProgress?) -> [Part] {
        guard let recorder, let seen = seenOfRecorder else { return [] }
        let isCaptureStill = recorder.captureTurns == seen.captureTurns && !recorder.isHeldByDevice
        let isWriterStill = recorder.storageTurns == seen.storageTurns && !recorder.isHeldByStorage
        return (isCaptureStill ? [.capture] : []) + (isWriterStill ? [.recording] : [])
    }
}
