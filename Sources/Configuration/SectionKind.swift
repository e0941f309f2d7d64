/// The sections there are.
enum SectionKind: String, Hashable, Sendable, CaseIterable {
    case session = "Session"
    case playback = "Playback"
    case signal = "Signal"
    case button = "Button"
    case state = "State"
    case health = "Health"

    /// Whether there is one for each of something: `[Signal phone-call]`.
    var takesName: Bool { self == .signal || self == .button }

    /// `[Signal NAME]`
    var heading: String { takesName ? "[\(rawValue) NAME]" : "[\(rawValue)]" }
}
