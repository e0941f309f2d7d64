import ALSA
import AudioSession
import Evdev
import Signals

/// A source and the section that uses it.
struct ClaimedSource {
    let source: LevelSource
    let title: String
    let place: Place
}

extension LevelSource.Kind {
    /// The keys that specify the location; without one of them, the source has none.
    var locationKeys: [String] {
        switch self {
        case .line: ["Line", "Offset", "Chip"]
        case .input: ["Input", "Code"]
        case .jack: ["Jack"]
        case .call: ["Call"]
        case .bus: []
        }
    }

    /// The location keys of all kinds.
    static var allLocationKeys: [String] { allCases.flatMap(\.locationKeys) }
}

extension Draft {
    /// Where the level of a section's signal or button comes from. Reports an incomplete source, and one that another
    /// section already uses.
    /// - Returns: nil if the section has no source, or an incomplete one.
    mutating func source(
        of section: SectionDraft<some ReadSettings>, _ title: String, _ claimed: inout [ClaimedSource]
    ) -> LevelSource? {
        guard let kind = kind(of: section, title) else { return nil }
        let settings = section.settings.wiring
        let source: LevelSource
        let place: Place?
        switch kind {
        case .line:
            guard let wiring = wiring(of: section, title) else { return nil }
            source = .line(wiring)
            place = section.places["Line"] ?? section.places["Offset"]
        case .input:
            guard let device = required("Input", settings.input, of: section, title, "the device's name or path"),
                let code = required("Code", settings.code, of: section, title, "the switch or key, such as SW_LID")
            else { return nil }
            source = .input(InputSelector(device: device, code: code, isGrabbed: settings.isGrabbed))
            place = section.places["Input"]
        case .jack:
            guard let control = required("Jack", settings.jack, of: section, title, "the jack, such as Headphone Jack")
            else { return nil }
            source = .jack(JackSelector(control: control, card: settings.card))
            place = section.places["Jack"]
        case .call:
            guard let call = required("Call", settings.call, of: section, title, "ringing or active") else {
                return nil
            }
            source = .call(call)
            place = section.places["Call"]
        case .bus:
            source = .bus(lease: settings.lease)
            place = section.places["Source"]
        }
        if let place { claim(source, for: title, at: place, &claimed) }
        return source
    }

    /// Reports a source that another section already uses.
    mutating func claim(
        _ source: LevelSource, for title: String, at place: Place, _ claimed: inout [ClaimedSource]
    ) {
        if let other = claimed.first(where: { $0.source.collides(with: source) }) {
            report(
                .error, place, "\(title) uses \(source), which \(other.title) already uses (\(other.place))",
                "each \(source.noun) can have only one use: specify another")
        }
        claimed.append(ClaimedSource(source: source, title: title, place: place))
    }

    /// `Source=`, or else the only kind whose location the section specifies; nil if there is none.
    private mutating func kind(of section: SectionDraft<some WiredSettings>, _ title: String) -> LevelSource.Kind? {
        let located = LevelSource.Kind.allCases.filter { $0.locationKeys.contains { section.places[$0] != nil } }
        if let kind = section.settings.wiring.source {
            // The vendor's file can have a line that a drop-in replaces with another source. In one file it is a mistake.
            for other in located where other != kind {
                guard let key = other.locationKeys.first(where: { section.places[$0] != nil }),
                    let place = section.places[key], place.file == section.places["Source"]?.file
                else { continue }
                report(
                    .warning, place, "\(key)= in \(title) is ignored: Source= is \(kind.rawValue)",
                    "remove it, or write Source=\(other.rawValue)")
            }
            return kind
        }
        // A bad value has been reported.
        if section.sets("Source") { return nil }
        if located.count > 1 {
            let keys = located.compactMap { kind in kind.locationKeys.first { section.places[$0] != nil } }
            if let place = keys.last.flatMap({ section.places[$0] }) {
                report(
                    .error, place,
                    "\(title) has several sources: \(keys.map { "\($0)=" }.joined(separator: " and "))",
                    "write Source= with the one that counts: "
                        + "\(located.map(\.rawValue).alternatives); in a drop-in, an empty key unsets it")
            }
            return nil
        }
        return located.first
    }

    private mutating func required<Value>(
        _ key: String, _ value: Value?, of section: SectionDraft<some WiredSettings>, _ title: String, _ what: String
    ) -> Value? {
        if let value { return value }
        if section.sets(key) { return nil }
        let keys = ["Source"] + LevelSource.Kind.allLocationKeys
        if let place = keys.compactMap({ section.places[$0] }).first ?? section.declared {
            report(.error, place, "\(title) has no \(key)=", "write \(key)= with \(what)")
        }
        return nil
    }

    /// The defaults that differ for a source without wires: nothing bounces, and the end of a program ends its signal. Nor
    /// does a key bounce, because its driver waits for that; and a remote control presses it for an instant only.
    func policy(
        _ line: LinePolicy, for source: LevelSource?, of section: SectionDraft<some WiredSettings>
    ) -> LinePolicy {
        var line = line
        let (isProgram, isKey) =
            switch source {
            case .bus?, .call?: (true, false)
            case .input(let input)?: (false, !input.isSwitch)
            case .line?, .jack?, nil: (false, false)
            }
        if isProgram || isKey, !section.sets("Debounce") { line.debounce = .zero }
        if isProgram, !section.sets("WhenLost") { line.whenLost = .release }
        return line
    }
}

extension LevelSource {
    fileprivate var noun: String {
        switch self {
        case .line: "line"
        case .input(let input): input.isSwitch ? "switch" : "key"
        case .jack: "jack"
        case .call, .bus: "source"
        }
    }
}
