import ALSA
import Evdev

/// Where the level of a signal or a button comes from.
public enum LevelSource: Hashable, Sendable, CustomStringConvertible {
    /// A GPIO line.
    case line(Wiring)
    /// A switch or key of an input device.
    case input(InputSelector)
    /// A jack of a sound card.
    case jack(JackSelector)
    /// The voice calls of oFono.
    case call(CallState)
    /// Programs on the message bus.
    /// - Parameter lease: how long a program's assertion counts if it does not renew it; nil: for as long as the program
    ///   stays on the bus.
    case bus(lease: Duration?)

    /// As in `Source=`.
    enum Kind: String, Hashable, Sendable, CaseIterable {
        case line
        case input = "switch"
        case jack, call, bus
    }

    /// `PHONE_CALL on gpiochip0`, `SW_LID of Lid Switch`, `Headphone Jack of card 1`, `active calls`, `the bus`.
    public var description: String {
        switch self {
        case .line(let wiring): wiring.description
        case .input(let input): input.description
        case .jack(let jack): jack.description
        case .call(let state): state == .ringing ? "ringing calls" : "active calls"
        case .bus: "the bus"
        }
    }

    /// The GPIO line; nil for other sources.
    public var wiring: Wiring? { if case .line(let wiring) = self { wiring } else { nil } }

    /// Whether both are the same level, which would then have two uses. Any number of signals can follow the calls.
    func collides(with other: LevelSource) -> Bool {
        switch (self, other) {
        case (.line(let a), .line(let b)): a.collides(with: b)
        case (.input(let a), .input(let b)): a.device == b.device && a.code == b.code
        case (.jack(let a), .jack(let b)):
            a.control == b.control && (a.card == b.card || a.card == nil || b.card == nil)
        default: false
        }
    }
}

/// Which of oFono's voice calls assert a signal.
public enum CallState: String, Hashable, Sendable, CaseIterable {
    /// An incoming call that has not been accepted.
    case ringing
    /// A call that has been accepted or dialled, also while it is on hold.
    case active
}
