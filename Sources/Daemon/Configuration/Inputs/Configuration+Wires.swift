import ALSA
import AudioSession
import Signals

/// The purpose of a level, independent of its source.
public enum WireID: Hashable, Sendable, CustomStringConvertible {
    case signal(SignalID)
    /// The opposite contact of a signal's changeover contact.
    case complement(SignalID)
    case button(String)
    /// The jack of the output.
    case outputJack

    /// The name for people, such as `signal phone-call`.
    public var title: String {
        switch self {
        case .signal(let signal): "signal \(signal)"
        case .complement(let signal): "complement of signal \(signal)"
        case .button(let name): "button \(name)"
        case .outputJack: "jack"
        }
    }

    /// The heading of its section without brackets, such as `Signal phone-call`.
    public var section: String {
        switch self {
        case .signal(let signal), .complement(let signal): "Signal \(signal)"
        case .button(let name): "Button \(name)"
        case .outputJack: "Playback"
        }
    }

    public var description: String { "[\(section)]" }
}

extension Configuration {
    /// The sources of the signals, each followed by that of its complement, then those of the buttons, each in their
    /// order, and that of the output's jack.
    public var wires: [(id: WireID, source: LevelSource, policy: LinePolicy)] {
        var wires: [(id: WireID, source: LevelSource, policy: LinePolicy)] = session.signals.flatMap { signal in
            let line = lines[signal.id] ?? LinePolicy()
            var opposite = line
            opposite.isActiveLow.toggle()
            let contacts: [(WireID, LevelSource?, LinePolicy)] = [
                (.signal(signal.id), sources[signal.id], line),
                (.complement(signal.id), complements[signal.id].map(LevelSource.line), opposite),
            ]
            return contacts.compactMap { id, source, line in source.map { (id, $0, line) } }
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
