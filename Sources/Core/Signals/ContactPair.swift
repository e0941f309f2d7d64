/// One of the two contacts of a changeover contact.
public enum Contact: Hashable, Sendable {
    /// The contact of the line itself, to which `isActiveLow` applies.
    case main
    /// The opposite contact, which is open while the main contact is closed.
    case complement
}

/// The levels of a line and, if it is a changeover contact, of the line with the opposite contact.
///
/// Both lines of a changeover contact have the same level only while the contact moves. If this lasts longer than
/// `longestMove`, a wire is cut or shorted.
struct ContactPair: Hashable, Sendable {
    /// The longest time for which a contact moves.
    static let longestMove = Duration.milliseconds(200)

    /// True if there are two lines.
    let isPair: Bool
    /// The level of the main contact, or nil if it cannot be read.
    private var main: Bool?
    /// The level of the opposite contact, or nil if there is none or if it cannot be read.
    private var complement: Bool?
    /// The time since when both lines have had the same level, or nil if their levels differ or are unknown.
    private var alikeSince: Duration?

    init(isPair: Bool, main: Bool?, complement: Bool?, at now: Duration) {
        self.isPair = isPair
        self.main = main
        self.complement = isPair ? complement : nil
        alikeSince = areAlike ? now : nil
    }

    /// True if every line can be read.
    var isReadable: Bool { main != nil && (complement != nil || !isPair) }

    /// The level of the main contact, or nil while it is unknown or contradicts the other contact.
    var level: Bool? { isPair && main == complement || !isReadable ? nil : main }

    /// The time at which a wire counts as broken unless the levels change before, or nil if they do not contradict each
    /// other.
    var brokenAt: Duration? { alikeSince.map { $0 + Self.longestMove } }

    private var areAlike: Bool { isPair && main != nil && main == complement }

    /// Records the level of a contact, which is nil if it cannot be read.
    ///
    /// - Returns: true if the level has changed from another one.
    mutating func set(_ contact: Contact, to level: Bool?, at now: Duration) -> Bool {
        guard isPair || contact == .main else { return false }
        let before = contact == .main ? main : complement
        if contact == .main { main = level } else { complement = level }
        alikeSince = areAlike ? alikeSince ?? now : nil
        return before != level && before != nil && level != nil
    }

    /// Records the levels of both contacts, which were read together.
    mutating func read(main: Bool?, complement: Bool?, at now: Duration) {
        self.main = main
        self.complement = isPair ? complement : nil
        alikeSince = areAlike ? alikeSince ?? now : nil
    }

    /// Records that both contacts have been in this position for a long time.
    mutating func force(to level: Bool) {
        main = level
        complement = isPair ? !level : nil
        alikeSince = nil
    }
}
