import ALSA

extension LevelSource {
    public static func jack(_ jack: JackSelector) -> LevelSource { LevelSource(jack) }
}

/// A jack of a sound card.
extension JackSelector: SourceKind {
    struct Keys: WrittenKeys {
        var control: String?
        var card: String?
    }

    static let name = "jack"
    static let summary = "a jack of a sound card, which Jack= specifies"
    static let location = ["Jack"]
    static let keys: [Key<Keys>] = [
        Key(
            "Jack", optional: \.control, .text(upTo: 43),
            """
            Specifies the jack by the name of its ALSA control. Use tacet inputs to list the jacks. The signal is \
            asserted while something is plugged in or, with ActiveLow=yes, while nothing is.
            """),
        Key(
            "Card", optional: \.card, .text(upTo: 31),
            withoutValue: .described("the only card that has such a jack"),
            """
            Specifies the sound card of Jack= by its number or ID, which tacet inputs lists. This is only necessary if \
            several cards have a jack of that name.
            """),
    ]

    static func read<Settings: WiredSettings>(
        _ section: SectionDraft<Settings>, _ title: String, _ draft: inout Draft
    ) -> JackSelector? {
        let keys = section.settings.source[JackSelector.self]
        return draft.required("Jack", keys.control, of: section, title, "the jack, such as Headphone Jack")
            .map { JackSelector(control: $0, card: keys.card) }
    }

    var noun: String { "jack" }
    var lossAdvice: String { "is Jack= right? see ‘tacet inputs’" }
    var stuckAdvice: String { "check its plug" }

    func collides(with other: JackSelector) -> Bool {
        control == other.control && (card == other.card || card == nil || other.card == nil)
    }
}

extension JackSelector {
    /// Returns advice for a technician in terms of a section's keys.
    public static func advice(_ reason: JackError.Reason) -> String? {
        switch reason {
        case .notFound: "is the card plugged in? ‘tacet inputs’ lists the jacks"
        case .ambiguous(let cards): "write Card= with one of: \(cards.joined(separator: ", "))"
        case .permission: nil
        }
    }
}
