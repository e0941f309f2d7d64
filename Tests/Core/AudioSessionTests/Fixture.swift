import AudioSession

/// A booted session with its own clock, and shorthands for tests.
struct Fixture {
    static let duckLevel = Level(decibels: -14) ?? .mute
    static let phone = SignalID("phone-call")
    static let alarm = SignalID("alarm")
    static let cover = SignalID("cover-closed")

    var session: Session
    var now = Duration.zero
    /// The actions of the last event.
    var actions: [Action] = []

    init(
        _ change: (inout Policy) -> Void = { _ in }, saved: SavedSession? = nil,
        lines: [SignalID: Boot.Line] = [:], trackCount: Int = 3, servicesAvailable: Bool = true
    ) {
        var policy = Policy(signals: [
            SignalPolicy(id: Fixture.phone, effect: .pause),
            SignalPolicy(id: Fixture.alarm, effect: .duck(Fixture.duckLevel)),
            SignalPolicy(id: Fixture.cover, effect: .muteMicrophone),
        ])
        change(&policy)
        session = Session(policy: policy)
        actions = session.handle(
            .boot(
                Boot(
                    saved: saved, lines: lines, servicesAvailable: servicesAvailable, trackCount: trackCount)),
            at: now)
    }

    @discardableResult
    mutating func handle(_ event: Event, after seconds: Int = 1) -> [SessionNotification] {
        now += .seconds(seconds)
        actions = session.handle(event, at: now)
        return notifications
    }

    @discardableResult
    mutating func begin(_ signal: SignalID) -> [SessionNotification] { handle(.edge(Edge(signal, asserted: true))) }
    @discardableResult
    mutating func end(_ signal: SignalID, after seconds: Int = 1) -> [SessionNotification] {
        handle(.edge(Edge(signal, asserted: false)), after: seconds)
    }
    @discardableResult
    mutating func command(_ command: Command) -> Answer? {
        handle(.command(command))
        return answer
    }

    /// Boots after a power cut of a few seconds, with these levels of the lines.
    ///
    /// - Parameters:
    ///   - continues: true for a reload instead of a power cut.
    ///   - policy: the new policy, or nil if it does not change.
    mutating func reboot(
        after seconds: Int = 1, lines: [SignalID: Boot.Line] = [:], trackCount: Int = 3, continues: Bool = false,
        servicesAvailable: Bool = true, captureAvailable: Bool = true, policy: Policy? = nil
    ) {
        let before = session
        now += .seconds(seconds)
        session = Session(policy: policy ?? session.policy)
        actions = session.handle(
            .boot(
                Boot(
                    saved: before.saved, lines: lines, servicesAvailable: servicesAvailable,
                    captureAvailable: captureAvailable, trackCount: trackCount,
                    predecessor: continues ? Boot.Predecessor(before) : nil)), at: now)
    }

    var plays: Bool { session.directive != .silent }
    var notifications: [SessionNotification] { actions.compactMap { if case .post(let it) = $0 { it } else { nil } } }
    var answer: Answer? { actions.compactMap { if case .answer(let it) = $0 { it } else { nil } }.first }
    var recording: [RecordingDirective] {
        actions.compactMap { if case .record(let it) = $0 { it } else { nil } }
    }
    var noOpReasons: [NoOpReason] { actions.compactMap { if case .log(let it) = $0 { it } else { nil } } }
    var saves: [Bool] { actions.compactMap { if case .save(let urgently) = $0 { urgently } else { nil } } }
}
