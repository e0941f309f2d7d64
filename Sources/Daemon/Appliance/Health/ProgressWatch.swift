import Playback
import Recording

/// Determines whether every thread makes progress. The type is pure, so the caller passes the time.
///
/// It answers `alive` only if the render and storage threads and the threads of a recorder have each had a turn since
/// the last such answer. The control thread proves its own progress by calling it. A render thread that a frozen sound
/// server blocks inside a call is treated as alive, because the device is reported as lost and a restarted service
/// would wait for the same server. The same applies to a recorder's thread that the device or the disk blocks.
public struct ProgressWatch: Hashable, Sendable {
    public enum Part: String, Hashable, Sendable { case control, render, storage, capture, recording }

    public enum Verdict: Hashable, Sendable {
        case alive
        /// These threads have not had a turn yet.
        case waiting([Part])
        /// These threads have not had a turn for longer than the timeout. This is reported once.
        case hung([Part])
    }

    /// The time without a turn after which a thread is considered stalled.
    private let timeout: Duration
    private var seen: EngineProgress?
    private var seenOfRecorder: RecorderProgress?
    private var aliveAt: Duration
    /// The time of the first answer `waiting` since the last `alive`, after which the caller poked the threads, or nil
    /// if there was none.
    private var askedAt: Duration?
    private var hasComplained = false

    public init(timeout: Duration, at now: Duration) {
        self.timeout = timeout
        aliveAt = now
    }

    /// - Parameter recorder: The recorder's progress, or nil if there is no recorder.
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
        // A thread without work does not have turns unless it is poked, so a late check alone does not prove a stall.
        let asked = askedAt ?? now
        if askedAt == nil { askedAt = now }
        let isOverdue = now - aliveAt > timeout && asked < now && now - asked >= timeout / 4
        guard isOverdue, !hasComplained else { return .waiting(hung) }
        hasComplained = true
        return .hung(hung)
    }

    /// Starts over, because a new engine counts from zero.
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
