import AudioSession
import Configuration
import Signals

/// Converts the levels of a button's line to presses. The type is pure, so the caller passes the time.
///
/// A button that changes the volume repeats while it is held, like a key.
struct ButtonPress: Hashable, Sendable {
    static let repeatDelay = Duration.milliseconds(500)
    static let repeatInterval = Duration.milliseconds(120)

    let button: Button
    private var line: Conditioner
    private var repeats: Duration?

    /// - Parameter level: The electrical level, or nil if it cannot be read. A button that is already pressed is not
    ///   treated as a press.
    init(_ button: Button, level: Bool?, at now: Duration) {
        self.button = button
        var policy = button.linePolicy
        // A button whose line is lost is treated as released.
        policy.whenLost = .release
        line = Conditioner(policy: policy, level: level, at: now)
    }

    /// The current faults of its line.
    var faults: Set<Fault.Kind> { Set(line.faults.map(Fault.Kind.init)) }

    /// The time at which `advance` must be called next, or nil if that is not necessary before the next level change.
    var deadline: Duration? {
        [line.deadline, repeats].compactMap { $0 }.min()
    }

    /// - Returns: The number of presses.
    mutating func level(_ level: Bool?, at now: Duration) -> Int {
        presses(line.level(level, at: now), at: now)
    }

    /// Handles the end of a sleep. Changes during the sleep are not treated as presses.
    /// - Parameter level: The current electrical level, or nil if it cannot be read.
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
                if button.command.isVolumeStep { repeats = now + Self.repeatDelay }
            case .deasserted, .fault: repeats = nil
            case .cleared: break
            }
        }
        return count
    }
}
