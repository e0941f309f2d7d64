import Time

/// The lease with which programs on the message bus assert a signal.
public struct ProgramLease: Hashable, Sendable {
    /// The time for which an assertion is valid if its program does not renew it, or nil if it is valid for as long as
    /// the program stays on the bus.
    public var time: Duration?
}

extension LevelSource {
    public static func bus(lease: Duration?) -> LevelSource { LevelSource(ProgramLease(time: lease)) }
}

extension ProgramLease: SourceKind {
    struct Keys: WrittenKeys { var lease: Duration? = .seconds(30) }

    static let name = "bus"
    static let summary = """
        any program that may control Tacet, such as tacet assert, for as long as Lease= allows, with the default \
        WhenLost=release
        """
    static let location: [String] = []
    static let keys: [Key<Keys>] = [
        Key(
            "Lease", \.lease, .limit(.milliseconds(100) ... .seconds(365 * 86_400)),
            """
            Specifies how long an assertion counts with Source=bus, if the program neither renews it nor requests \
            another time. When this time has passed, or when the program leaves the bus, the signal is lost, and \
            LostGrace= and WhenLost= apply. With infinity, an assertion counts for as long as the program stays on \
            the bus. After a restart of the daemon, a signal that was active stays active for one lease, so that the \
            program can renew it.
            """)
    ]

    static func read<Settings: WiredSettings>(
        _ section: SectionDraft<Settings>, _ title: String, _ draft: inout Draft
    ) -> ProgramLease? { ProgramLease(time: section.settings.source[ProgramLease.self].lease) }

    public var description: String { "the bus" }
    func details(_ level: String) -> String { "lease \(time.map(TimeSpan.format) ?? "infinity")" }
    var lossAdvice: String { "has its program ended, or lost the fleet's broker?" }
    var stuckAdvice: String { "check the program that asserts it" }
    var isProgram: Bool { true }
}
