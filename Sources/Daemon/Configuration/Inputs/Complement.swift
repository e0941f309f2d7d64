import AudioSession
import GPIO
import Signals

/// The line with the opposite contact of a signal's changeover contact.
extension KeyTable {
    static let complement: [Key<SignalSettings>] = [
        Key(
            "Complement", optional: \.complement, .text(upTo: 255),
            """
            Specifies a second line with the opposite contact, for a changeover contact whose normally open and normally \
            closed contacts each have a line. The value is the name of the line, or its chip and number, such as \
            pinctrl-rp1:5. Bias= applies to both lines, and ActiveLow= is that of the first one. A change counts when both \
            lines have been stable for Debounce=. If both have the same level for longer than 200 ms, a wire is cut or \
            shorted. This is the fault wire, and the signal is lost, so LostGrace= and WhenLost= apply.
            """)
    ]
}

extension Draft {
    /// Returns the line of a signal's opposite contact, or nil if there is none. Reports a line that has another use.
    mutating func complement(
        of section: SectionDraft<SignalSettings>, _ source: LevelSource?, _ title: String,
        _ claimed: inout [ClaimedSource]
    ) -> Wiring? {
        guard let written = section.settings.complement, let place = section.places["Complement"] else { return nil }
        guard let main = source?.as(Wiring.self) else {
            report(
                .error, place, "\(title) has Complement= but no Line=",
                "write Line= with the line of the main contact, or remove Complement=")
            return nil
        }
        let wiring = Wiring(line: LineSelector(complement: written), bias: main.bias)
        claim(.line(wiring), for: "Complement= in \(title)", at: place, &claimed)
        return wiring
    }
}

extension LineSelector {
    /// Parses `NAME` or `CHIP:OFFSET`.
    fileprivate init(complement text: String) {
        if let colon = text.lastIndex(of: ":"), colon > text.startIndex,
            let offset = Int(text[text.index(after: colon)...]), (0...65_535).contains(offset)
        {
            self = .offset(offset, chip: String(text[..<colon]))
        } else {
            self = .named(text, chip: nil)
        }
    }
}
