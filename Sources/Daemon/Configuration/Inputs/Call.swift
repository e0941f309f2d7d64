/// The state in which oFono's voice calls assert a signal. Any number of signals can follow the calls.
public enum CallState: String, Hashable, Sendable, CaseIterable {
    /// An incoming call that has not been accepted.
    case ringing
    /// A call that has been accepted or dialled, even while it is on hold.
    case active
}

extension LevelSource {
    public static func call(_ state: CallState) -> LevelSource { LevelSource(state) }
}

extension CallState: SourceKind {
    struct Keys: WrittenKeys { var state: CallState? }

    static let name = "call"
    static let summary = "any voice call of oFono that Call= selects, with the default WhenLost=release"
    static let location = ["Call"]
    static let keys: [Key<Keys>] = [
        Key(
            "Call", optional: \.state, .choice(),
            """
            Specifies which calls assert the signal. With ringing, these are incoming calls that nobody has accepted \
            yet, and Alert= defaults to yes. With active, these are calls that have been accepted or dialled, \
            including those on hold.
            """)
    ]

    static func read<Settings: WiredSettings>(
        _ section: SectionDraft<Settings>, _ title: String, _ draft: inout Draft
    ) -> CallState? {
        draft.required("Call", section.settings.source[CallState.self].state, of: section, title, "ringing or active")
    }

    public var description: String { self == .ringing ? "ringing calls" : "active calls" }
    var lossAdvice: String { "is oFono running?" }
    var stuckAdvice: String { "check whether a call has not ended" }
    var isProgram: Bool { true }
    var isAlert: Bool { self == .ringing }
}
