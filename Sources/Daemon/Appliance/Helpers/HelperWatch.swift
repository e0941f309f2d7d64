import AudioSession
import Clocks
import Configuration

/// A program beside the daemon that reports over the bus.
enum Helper: String, Hashable, CaseIterable {
    case players = "tacet-players"
    case streams = "tacet-stream"

    /// The problem of everything that needs the program while it is missing.
    var absence: String { "\(rawValue) is not running, see ‘systemctl status \(rawValue)’" }
}

/// Watches which helpers are connected to the bus. It outlives an installation. Use it on the control thread only.
///
/// A helper that has reported something is present until its connection ends. One that restarts is not missing at once.
final class HelperWatch {
    private enum State {
        case absent(since: Duration)
        case present(connection: String)
    }

    /// The time for which a helper may be absent. A restart takes a few seconds, and a boot a few more.
    static let patience = Duration.seconds(20)

    private var states: [Helper: State]
    /// Called when a helper may have appeared or left.
    var onChange: () -> Void = {}

    init(at now: Duration = SystemClock.monotonic.now) {
        states = Dictionary(uniqueKeysWithValues: Helper.allCases.map { ($0, .absent(since: now)) })
    }

    /// The connections of the helpers that are present.
    var connections: [String] {
        states.values.compactMap { if case .present(let connection) = $0 { connection } else { nil } }
    }

    /// Records that a helper has reported something.
    func reported(_ helper: Helper, by connection: String) {
        let isNew = !connections.contains(connection)
        states[helper] = .present(connection: connection)
        if isNew { onChange() }
    }

    /// Records the end of a connection.
    func left(_ connection: String, at now: Duration = SystemClock.monotonic.now) {
        for (helper, state) in states {
            guard case .present(connection) = state else { continue }
            states[helper] = .absent(since: now)
            onChange()
        }
    }

    /// Records that the daemon has lost its own connection, so that no helper can reach it.
    func leaveBus(at now: Duration = SystemClock.monotonic.now) {
        for connection in connections { left(connection, at: now) }
    }

    /// Returns true if a helper has been absent for too long.
    func isMissing(_ helper: Helper, at now: Duration = SystemClock.monotonic.now) -> Bool {
        guard case .absent(let since)? = states[helper] else { return false }
        return since + Self.patience <= now
    }

    /// The time on CLOCK_MONOTONIC at which a helper that is absent will be missing, or nil if there is none.
    func deadline(after now: Duration = SystemClock.monotonic.now) -> Duration? {
        states.values.compactMap { state in
            guard case .absent(let since) = state, since + Self.patience > now else { return nil }
            return since + Self.patience
        }.min()
    }
}
