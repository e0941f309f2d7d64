import AudioSession
import Configuration
import Supervisor

/// A fault of a button's line or key. The session handles only signals, so the faults of buttons are reported
/// separately.
struct ButtonFault: Hashable, Sendable {
    let button: Button
    let kind: Fault.Kind

    /// Returns the faults of all buttons, in their order.
    static func all(of buttons: [ButtonPress]) -> [ButtonFault] {
        buttons.flatMap { press in
            Fault.Kind.allCases.filter(press.faults.contains).map { ButtonFault(button: press.button, kind: $0) }
        }
    }

    /// Returns true if a technician would consider both faults the same, even if the button has been rewired since.
    func isLike(_ other: ButtonFault) -> Bool { button.name == other.button.name && kind == other.kind }

    /// The text for the list of problems while the fault is present.
    var advice: String {
        let remedy = kind == .lost ? button.source.lossAdvice : "is a contact loose?"
        return "button \(button.name) is \(kind.participle) (\(remedy))"
    }

    /// - Parameter problem: The reason why the level cannot be read, or nil if it is unknown.
    func entry(because problem: String?) -> JournalEntry {
        let words =
            kind == .lost
            ? "is lost: \((problem ?? "its line or device has disappeared").asSentenceEnd) It counts as not pressed."
            : "chatters and counts as not pressed until it settles, so check for a loose contact."
        return JournalEntry(.fault, "\(name) \(words)", priority: .warning)
            .with(.button, button.name).with(.fault, kind.rawValue)
    }

    var clearedEntry: JournalEntry {
        JournalEntry(.faultCleared, "\(name) is no longer \(kind.participle).")
            .with(.button, button.name).with(.fault, kind.rawValue)
    }

    private var name: String { "The button \(button.name) (\(button.source))" }
}
