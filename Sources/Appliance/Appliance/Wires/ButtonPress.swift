import AudioSession
import Configuration
import Signals

/// One button: its line's levels in, presses out. Pure, and told the time.
///
/// A button that turns the volume repeats while it is held, as a keyboard does.
struct ButtonPress: Hashable, Sendable {
    static let repeatDelay = Duration.milliseconds(500)
    static let repeatInterval = Duration.milliseconds(120)

    let button: Button
    private var line: Conditioner
    private var repeats: Duration?

    /// - Parameter level: the electrical level; nil when it cannot be read. One that is pressed already is not a press.
    init(_ button: Button, level: Bool?, at now: Duration) {
        self.button = button
        var policy = button.linePolicy
        // A button that is held or gone is no emergency: it is simply not pressed.
        policy.whenLost = .release
        line = Conditioner(policy: policy, level: level, at: now)
    }

    /// What is wrong with its line, until it clears.
    var faults: Set<Fault.Kind> { Set(line.faults.map(Fault.Kind.init)) }

    /// When something happens by itself.
    var deadline: Duration? {
        [line.deadline, repeats].compactMap { $0 }.min()
    }

    /// - Returns: how often it was pressed.
    mutating func edge(_ level: Bool?, at now: Duration) -> Int {
        let outputs = level.map { line.edge($0, at: now) } ?? line.lost(at: now)
        return presses(outputs, at: now)
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
