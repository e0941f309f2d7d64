import AudioSession
import Configuration

/// A fault of a button's line or key. The session knows only signals, so buttons' faults are reported separately.
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
        let remedy = kind == .lost ? button.source.lossAdvice : "is a contact loose?"
        return "button \(button.name) \(kind.rawValue) (\(remedy))"
    }

    /// - Parameter problem: why the level cannot be read; nil: unknown.
    func entry(because problem: String?) -> JournalEntry {
        let words =
            kind == .lost
            ? "cannot be read: \(problem ?? "its line or device is gone"). It is not pressed."
            : "chatters, and is not pressed until it is quiet: is a contact loose?"
        return JournalEntry(.fault, "\(name) \(words)", priority: .warning)
            .with(.button, button.name).with(.fault, kind.rawValue)
    }

    var clearedEntry: JournalEntry {
        JournalEntry(.faultCleared, "\(name) is no longer \(kind.participle).")
            .with(.button, button.name).with(.fault, kind.rawValue)
    }

    private var name: String { "The button \(button.name) (\(button.source))" }
}
