import AudioSession
import Configuration
import Supervisor

/// The buttons of a virtual board. A change of a line counts as a press in the same way as on a real board.
struct VirtualButtons {
    private let all: [Button]
    /// The electrical levels, which stay as they are without power. A level is nil if the line is lost.
    private var levels: [String: Bool?]
    /// The buttons while Tacet runs.
    private var running: [ButtonPress] = []
    /// The presses that have not been handled yet, oldest first.
    private var pending: [(button: Button, press: Button.Press)] = []
    private var problems: [String] = []

    init(_ buttons: [Button]) {
        all = buttons
        levels = Dictionary(
            buttons.map { ($0.name, $0.linePolicy.isActiveLow) }, uniquingKeysWith: { first, _ in first })
    }

    subscript(_ name: String) -> Button? { all.first { $0.name == name } }

    /// The time at which to call `next`, or nil if nothing happens before the next change of a level.
    var deadline: Duration? { running.compactMap(\.deadline).min() }

    /// Reads the levels at a boot.
    mutating func start(at now: Duration) {
        pending = []
        running = all.map { ButtonPress($0, level: levels[$0.name] ?? nil, at: now) }
    }

    /// Reads the levels after a sleep.
    mutating func wake(at now: Duration) {
        for index in running.indices { running[index].wake(levels[running[index].button.name] ?? nil, at: now) }
    }

    /// Changes the level of a line, whether or not Tacet runs.
    mutating func set(_ name: String, to level: Bool?) { levels[name] = .some(level) }

    /// Passes the level of a line to Tacet, which runs.
    mutating func notice(_ name: String, at now: Duration) {
        for index in running.indices where running[index].button.name == name {
            let level = levels[name] ?? nil
            follow(index) { $0.level(level, at: now) }
        }
    }

    /// Returns the next press that has happened by now, or nil if there is none.
    mutating func next(at now: Duration) -> (button: Button, press: Button.Press)? {
        if pending.isEmpty {
            for index in running.indices { follow(index) { $0.advance(to: now) } }
        }
        return pending.isEmpty ? nil : pending.removeFirst()
    }

    private mutating func follow(_ index: Int, _ change: (inout ButtonPress) -> [Button.Press]) {
        let (button, before) = (running[index].button, running[index].faults)
        pending += change(&running[index]).map { (button, $0) }
        let faults = running[index].faults.subtracting(before)
        problems += faults.map { "the button \(button.name) has the fault \($0.rawValue) and counts as not pressed" }
    }

    /// Returns the faults that have begun since the last call, in words.
    mutating func takeProblems() -> [String] {
        defer { problems = [] }
        return problems
    }
}
