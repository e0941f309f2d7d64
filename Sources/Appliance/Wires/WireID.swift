import AudioSession

/// What a line is for.
enum WireID: Hashable, Sendable, CustomStringConvertible {
    case signal(SignalID)
    case button(String)

    var description: String {
        switch self {
        case .signal(let signal): "[Signal \(signal)]"
        case .button(let name): "[Button \(name)]"
        }
    }
}
