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
    static let summary = "the voice calls of oFono, Call=, with the defaults Debounce=0s and WhenLost=release"
    static let location = ["Call"]
    static let keys: [Key<Keys>] = [
        Key(
            "Call", optional: \.state, .choice(), since: "0.9.0",
            """
            Which calls assert the signal. ringing: an incoming call that nobody has accepted; then the default is \
            Alert=yes. active: a call that has been accepted or dialled, also while it is on hold.
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
