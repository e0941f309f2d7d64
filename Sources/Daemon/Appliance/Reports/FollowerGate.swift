import AudioSession
import Supervisor

/// Delays reports to followers while a recording that an interruption has paused is not complete on the disk yet. When
/// followers are informed of the interruption, they can therefore read the file. The type is pure, so the caller passes
/// the time.
///
/// A disk that does not answer delays them for a second at most. Playback never waits.
struct FollowerGate {
    private static let timeout = Duration.seconds(1)

    private var held: [(report: Report, scene: StateSnapshot)] = []
    /// The latest time at which the gate opens, or nil while nothing is delayed.
    private(set) var deadline: Duration?

    var isClosed: Bool { deadline != nil }

    /// - Parameter isComplete: True if everything that was recorded is on the disk.
    /// - Returns: The reports to deliver to followers now, in order.
    mutating func pass(
        _ report: Report, _ scene: StateSnapshot, isComplete: Bool, at now: Duration
    ) -> [(report: Report, scene: StateSnapshot)] {
        held.append((report, scene))
        if !isComplete, deadline == nil { deadline = now + Self.timeout }
        return open(isComplete: isComplete, at: now)
    }

    /// - Returns: The delayed reports, if they no longer need to wait.
    mutating func open(isComplete: Bool, at now: Duration) -> [(report: Report, scene: StateSnapshot)] {
        guard isComplete || deadline.map({ $0 <= now }) ?? true else { return [] }
        defer {
            held = []
            deadline = nil
        }
        return held
    }
}
