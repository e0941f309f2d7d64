/// Decides when to connect to a Music Player Daemon again, and whether its absence is a problem. It is a pure value.
public struct Reconnection: Hashable, Sendable {
    /// The reason why there is no connection.
    public enum Failure: Hashable, Sendable {
        /// Nothing listens at an address on this machine, because the daemon is not running or not installed.
        case absent
        /// The daemon cannot be reached, or has closed the connection. It may be about to restart.
        case unreachable(String)
        /// The daemon does not accept this connection, for example because the password is wrong.
        case refused(String)
    }

    private var pause = shortestPause
    /// The time at which the daemon reported its state over the connection in use, or nil before that.
    private var began: Duration?
    /// The time since which no connection has lasted.
    private var failingSince: Duration?
    /// The reason why the player cannot be controlled, or nil if it can be, or if it is not running.
    public private(set) var problem: String?

    /// The time after which a connection has lasted, or after which a daemon that cannot be reached is a problem.
    static let patience = Duration.seconds(10)
    private static let shortestPause = Duration.milliseconds(200)
    private static let longestPause = Duration.seconds(10)

    public init() {}

    /// True if the daemon has reported its state over the connection in use.
    public var hasBegun: Bool { began != nil }

    /// Records that the daemon has reported its state.
    public mutating func begin(at now: Duration) {
        began = now
        problem = nil
    }

    /// Records that a connection has failed or could not be established.
    /// - Returns: the time at which to connect again.
    public mutating func fail(_ failure: Failure, at now: Duration) -> Duration {
        if let began, now - began >= Self.patience {
            pause = Self.shortestPause
            failingSince = nil
        }
        began = nil
        let since = failingSince ?? now
        failingSince = since
        switch failure {
        case .absent: problem = nil
        case .unreachable(let reason): if now - since >= Self.patience { problem = reason }
        case .refused(let reason): problem = reason
        }
        defer { pause = min(pause * 2, Self.longestPause) }
        return now + pause
    }
}
