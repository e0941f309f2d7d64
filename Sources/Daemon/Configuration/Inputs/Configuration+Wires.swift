import ALSA
import AudioSession
import Signals

/// The purpose of a level, independent of its source.
public enum WireID: Hashable, Sendable, CustomStringConvertible {
    case signal(SignalID)
    case button(String)
    /// The jack of the output.
    case outputJack

    /// The name for people, such as `signal phone-call`.
    public var title: String {
        switch self {
        case .signal(let signal): "signal \(signal)"
        case .button(let name): "button \(name)"
        case .outputJack: "jack"
        }
    }

    /// The heading of its section without brackets, such as `Signal phone-call`.
    public var section: String {
        switch self {
        case .signal(let signal): "Signal \(signal)"
        case .button(let name): "Button \(name)"
        case .outputJack: "Playback"
        }
    }

    public var description: String { "[\(section)]" }
}

extension Configuration {
    /// The sources of the signals, followed by those of the buttons, each in their order, and by that of the output's
    /// jack.
    public var wires: [(id: WireID, source: LevelSource, policy: LinePolicy)] {
        var wires: [(id: WireID, source: LevelSource, policy: LinePolicy)] = session.signals.compactMap { signal in
            sources[signal.id].map { (.signal(signal.id), $0, lines[signal.id] ?? LinePolicy()) }
        }
        wires += buttons.map { (.button($0.name), $0.source, $0.linePolicy) }
        if let jack = playback.jack {
            let card = PCMAddress(playback.device).card
            wires.append((.outputJack, .jack(JackSelector(control: jack, card: card)), LinePolicy()))
        }
        return wires
    }

    /// Returns the sources of one kind in the same order.
    public func wires<Kind>(of kind: Kind.Type) -> [(id: WireID, selector: Kind)] {
        wires.compactMap { id, source, _ in source.as(kind).map { (id: id, selector: $0) } }
    }
}
