import AudioSession
import Supervisor

/// Holds back what followers learn while a recording that an interruption has paused is not complete on the disk yet: for
/// them, the interruption begins with a file that they can read. Pure; the time is passed in.
///
/// A disk that does not answer holds them back for a second at most. What is heard never waits.
struct FollowerGate {
    private static let timeout = Duration.seconds(1)

    private var held: [(report: Report, scene: StateSnapshot)] = []
    /// When the gate opens at the latest; nil while nothing is held back.
    private(set) var deadline: Duration?

    var isClosed: Bool { deadline != nil }

    /// - Parameter isComplete: whether everything that was recorded is on the disk.
    /// - Returns: what followers may learn now, in order.
    mutating func pass(
        _ report: Report, _ scene: StateSnapshot, isComplete: Bool, at now: Duration
    ) -> [(report: Report, scene: StateSnapshot)] {
        held.append((report, scene))
        if !isComplete, deadline == nil { deadline = now + Self.timeout }
        return open(isComplete: isComplete, at: now)
    }

    /// - Returns: what was held back, once it need not be any more.
    mutating func open(isComplete: Bool, at now: Duration) -> [(report: Report, scene: StateSnapshot)] {
        guard isComplete || deadline.map({ $0 <= now }) ?? true else { return [] }
        defer {
            held = []
            deadline = nil
        }
        return held
    }
}
