import Configuration
import Systemd

/// The issuer of a command.
enum Issuer: Hashable, Sendable {
    case button(String, Button.Press = .short)
    /// A client of the message bus, such as `tacet`, a remote control or another program.
    case bus(BusCaller)

    /// The value of `TACET_ISSUER`.
    var name: String {
        switch self {
        case .button: "button"
        case .bus: "bus"
        }
    }

    /// The text for people, such as `button volume-up` or `playerctl (pid 812, uid 1000)`.
    var words: String {
        switch self {
        case .button(let name, let press):
            return "button \(name)" + (press == .short ? "" : " (\(press.rawValue) press)")
        case .bus(let caller):
            let facts = [caller.process.map { "pid \($0)" }, caller.user.map { "uid \($0)" }].compactMap { $0 }
            let program = caller.processName ?? "a program on the bus"
            return facts.isEmpty ? program : "\(program) (\(facts.joined(separator: ", ")))"
        }
    }
}

extension JournalEntry {
    /// The values that identify the dial or the remote control that gave the command.
    var issuer: [String] { self[.issuer] + self[.button] }

    /// Adds the issuer of the command if it is known.
    func from(_ issuer: Issuer?) -> JournalEntry {
        guard let issuer else { return self }
        let entry = saying("Requested by \(issuer.words).").with(.issuer, issuer.name)
        switch issuer {
        case .button(let name, let press): return entry.with(.button, name).with(.press, press.rawValue)
        case .bus(let caller):
            return entry.with(.issuerUser, caller.user.map { "\($0)" })
                .with(.issuerProcess, caller.process.map { "\($0)" }).with(.issuerName, caller.processName)
        }
    }
}
