import AudioSession
import Configuration
import Signals

/// Converts the levels of a button's line to presses. The type is pure, so the caller passes the time.
///
/// Without a command for long or double presses, a press counts as soon as the button is pressed. A button that changes
/// the volume then repeats while it is held, like a key. With a command for long presses, a short press counts when the
/// button is released. With a command for double presses, a short press also waits for a second one.
public struct ButtonPress: Hashable, Sendable {
    static let repeatDelay = Duration.milliseconds(500)
    static let repeatInterval = Duration.milliseconds(120)

    public let button: Button
    private var line: Conditioner
    /// The time at which a press began of which it is not known yet whether it is short or long.
    private var began: Duration?
    /// The time until which a short press waits for a second one.
    private var waits: Duration?
    private var repeats: Repeat?

    private struct Repeat: Hashable {
        let press: Button.Press
        var next: Duration
    }

    /// - Parameter level: The electrical level, or nil if it cannot be read. A button that is already pressed is not
    ///   treated as a press.
    public init(_ button: Button, level: Bool?, at now: Duration) {
        self.button = button
        var policy = button.linePolicy
        // A button whose line is lost is treated as released.
        policy.whenLost = .release
        line = Conditioner(policy: policy, level: level, at: now)
    }

    /// The current faults of its line.
    public var faults: Set<Fault.Kind> { Set(line.faults.map(Fault.Kind.init)) }

    /// The time at which `advance` must be called next, or nil if that is not necessary before the next level change.
    public var deadline: Duration? {
        [line.deadline, becomesLong, waits, repeats?.next].compactMap { $0 }.min()
    }

    /// The time at which the present press becomes a long one.
    private var becomesLong: Duration? {
        button.longCommand == nil ? nil : began.map { $0 + button.longPress }
    }

    /// - Returns: The presses, including those that were due before `now`.
    public mutating func level(_ level: Bool?, at now: Duration) -> [Button.Press] {
        var presses = advance(before: now)
        handle(line.level(level, at: now), at: now, &presses)
        return presses
    }

    /// Handles the end of a sleep. Changes during the sleep are not treated as presses.
    /// - Parameter level: The current electrical level, or nil if it cannot be read.
    public mutating func wake(_ level: Bool?, at now: Duration) {
        forget()
        if let level { _ = line.wake(level, at: now) } else { _ = line.lost(at: now) }
        _ = line.advance(to: now)
    }

    public mutating func advance(to now: Duration) -> [Button.Press] {
        var presses = advance(before: now)
        pass(now, &presses)
        return presses
    }

    /// Handles what was due before a time, one instant after the other, because the caller may be late.
    private mutating func advance(before now: Duration) -> [Button.Press] {
        var presses: [Button.Press] = []
        while let next = deadline, next < now { pass(next, &presses) }
        return presses
    }

    private mutating func pass(_ now: Duration, _ presses: inout [Button.Press]) {
        handle(line.advance(to: now), at: now, &presses)
        if let becomesLong, becomesLong <= now {
            began = nil
            press(.long, at: becomesLong, &presses)
        }
        if let waits, waits <= now {
            self.waits = nil
            press(.short, at: waits, &presses)
        }
        while let repeats, repeats.next <= now {
            self.repeats?.next += Self.repeatInterval
            presses.append(repeats.press)
        }
    }

    private mutating func handle(
        _ outputs: [Conditioner.Output], at now: Duration, _ presses: inout [Button.Press]
    ) {
        for output in outputs {
            switch output {
            case .asserted: begin(at: now, &presses)
            case .deasserted: end(at: now, &presses)
            // A line that is not reliable neither completes a press nor repeats one.
            case .fault: forget()
            case .cleared: break
            }
        }
    }

    private mutating func begin(at now: Duration, _ presses: inout [Button.Press]) {
        if waits != nil {
            waits = nil
            return press(.double, at: now, &presses)
        }
        if button.longCommand != nil {
            began = now
        } else if button.doubleCommand != nil {
            waits = now + Button.doublePress
        } else {
            press(.short, at: now, &presses)
        }
    }

    private mutating func end(at now: Duration, _ presses: inout [Button.Press]) {
        repeats = nil
        guard let began else { return }
        self.began = nil
        let waits = began + Button.doublePress
        if button.doubleCommand != nil, waits > now { self.waits = waits } else { press(.short, at: now, &presses) }
    }

    private mutating func press(_ press: Button.Press, at now: Duration, _ presses: inout [Button.Press]) {
        presses.append(press)
        guard button.command(of: press)?.isVolumeStep == true else { return }
        switch press {
        // If another kind of press is possible, the button is not held any more, or its being held has another meaning.
        case .short where button.longCommand == nil && button.doubleCommand == nil:
            repeats = Repeat(press: press, next: now + Self.repeatDelay)
        case .long: repeats = Repeat(press: press, next: now + Self.repeatInterval)
        case .short, .double: break
        }
    }

    private mutating func forget() {
        began = nil
        waits = nil
        repeats = nil
    }
}
