import AudioSession
import Configuration
import Signals

/// One button: levels of its line in, presses out. Pure; the caller passes the time.
///
/// A button that changes the volume repeats while it is held, like a key.
struct ButtonPress: Hashable, Sendable {
    static let repeatDelay = Duration.milliseconds(500)
    static let repeatInterval = Duration.milliseconds(120)

    let button: Button
    private var line: Conditioner
    private var repeats: Duration?

    /// - Parameter level: the electrical level; nil if it cannot be read. A button that is already pressed does not count as a press.
    init(_ button: Button, level: Bool?, at now: Duration) {
        self.button = button
        var policy = button.linePolicy
        // A button whose line is lost counts as released.
        policy.whenLost = .release
        line = Conditioner(policy: policy, level: level, at: now)
    }

    /// Its line's present faults.
    var faults: Set<Fault.Kind> { Set(line.faults.map(Fault.Kind.init)) }

    /// When `advance` must be called next; nil: not before the next edge.
    var deadline: Duration? {
        [line.deadline, repeats].compactMap { $0 }.min()
    }

    /// - Returns: the number of presses.
    mutating func edge(_ level: Bool?, at now: Duration) -> Int {
        let outputs = level.map { line.edge($0, at: now) } ?? line.lost(at: now)
        return presses(outputs, at: now)
    }

    /// The system has woken. Whatever happened meanwhile was no press.
    /// - Parameter level: the present electrical level; nil if it cannot be read.
    mutating func wake(_ level: Bool?, at now: Duration) {
        repeats = nil
        if let level { _ = line.wake(level, at: now) } else { _ = line.lost(at: now) }
        _ = line.advance(to: now)
    }

    mutating func advance(to now: Duration) -> Int {
        var count = presses(line.advance(to: now), at: now)
        while let next = repeats, next <= now {
            repeats = next + Self.repeatInterval
            count += 1
        }
        return count
    }

    private mutating func presses(_ outputs: [Conditioner.Output], at now: Duration) -> Int {
        var count = 0
        for output in outputs {
            switch output {
            case .asserted:
                count += 1
                if case .changeVolume = button.command { repeats = now + Self.repeatDelay }
            case .deasserted, .fault: repeats = nil
            case .cleared: break
            }
        }
        return count
    }
}
