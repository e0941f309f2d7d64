import AudioSession
import Configuration
import GPIO

/// A fault of a button's line. The session knows only signals, so buttons' faults are reported separately.
struct ButtonFault: Hashable, Sendable {
    let button: Button
    let kind: Fault.Kind

    /// Those of all buttons, in their order.
    static func all(of buttons: [ButtonPress]) -> [ButtonFault] {
        buttons.flatMap { press in
            Fault.Kind.allCases.filter(press.faults.contains).map { ButtonFault(button: press.button, kind: $0) }
        }
    }

    /// Whether it is the same fault for a technician, even if the button has been rewired since.
    func isLike(_ other: ButtonFault) -> Bool { button.name == other.button.name && kind == other.kind }

    /// For the list of problems, while it lasts.
    var advice: String {
        let remedy = kind == .lost ? "is Line= right? see ‘tacet lines’" : "is a contact loose?"
        return "button \(button.name) \(kind.rawValue) (\(remedy))"
    }

    /// - Parameter problem: why the line cannot be read; nil: unknown.
    func entry(because problem: GPIOError?) -> JournalEntry {
        let words =
            kind == .lost
            ? "cannot be read: \(problem.map { "\($0)" } ?? "its line or chip is gone"). It is not pressed."
            : "chatters, and is not pressed until it is quiet: is a contact loose?"
        return JournalEntry(.fault, "\(name) \(words)", priority: .warning)
            .with(.button, button.name).with(.fault, kind.rawValue)
    }

    var clearedEntry: JournalEntry {
        JournalEntry(.faultCleared, "\(name) is no longer \(kind.participle).")
            .with(.button, button.name).with(.fault, kind.rawValue)
    }

    private var name: String { "The button \(button.name) (\(button.wiring))" }
}
