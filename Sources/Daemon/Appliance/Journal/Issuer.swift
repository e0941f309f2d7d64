import Systemd

/// Who gave a command.
enum Issuer: Hashable, Sendable {
    case button(String)
    /// A client of the message bus: `tacet`, a remote control, another program.
    case bus(BusCaller)

    /// `TACET_ISSUER`.
    var name: String {
        switch self {
        case .button: "button"
        case .bus: "bus"
        }
    }

    /// `button volume-up`, `playerctl (pid 812, uid 1000)`.
    var words: String {
        switch self {
        case .button(let name): return "button \(name)"
        case .bus(let caller):
            let facts = [caller.process.map { "pid \($0)" }, caller.user.map { "uid \($0)" }].compactMap { $0 }
            let program = caller.processName ?? "a program on the bus"
            return facts.isEmpty ? program : "\(program) (\(facts.joined(separator: ", ")))"
        }
    }
}

extension JournalEntry {
    /// What identifies the dial or the remote control that gave the command.
    var issuer: [String] { self[.issuer] + self[.button] }

    /// Adds who gave the command; nil if unknown.
    func from(_ issuer: Issuer?) -> JournalEntry {
        guard let issuer else { return self }
        let entry = saying("From \(issuer.words).").with(.issuer, issuer.name)
        switch issuer {
        case .button(let name): return entry.with(.button, name)
        case .bus(let caller):
            return entry.with(.issuerUser, caller.user.map { "\($0)" })
                .with(.issuerProcess, caller.process.map { "\($0)" }).with(.issuerName, caller.processName)
        }
    }
}
