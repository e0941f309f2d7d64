import AudioSession
import Testing

@testable import SessionClient

/// A real session posts notifications. Some of its updates are withheld from the bridge.
@Suite struct NotificationBridgeTests {
    private static let level = Level(decibels: -14) ?? .mute
    private var session = Session(
        policy: Policy(signals: [
            SignalPolicy(id: "phone-call", effect: .pause), SignalPolicy(id: "alarm", effect: .duck(level)),
        ]))
    private var bridge = NotificationBridge()

    init() { session.handle(.boot(Boot(saved: nil, trackCount: 1)), at: .zero) }

    private init(_ policy: Policy) {
        session = Session(policy: policy)
        session.handle(.boot(Boot(saved: nil, trackCount: 1)), at: .zero)
    }

    private mutating func handle(_ event: Event) -> SessionUpdate {
        var posted: [SessionNotification] = []
        for case .post(let notification) in session.handle(event, at: .seconds(1)) { posted.append(notification) }
        let snapshot = Snapshot(session, track: "one.flac", position: .zero, notifications: posted)
        return .event(SessionEvent(wallClock: .zero, time: .zero, name: "", snapshot: snapshot))
    }

    private mutating func turn(_ signal: SignalID, _ asserted: Bool) -> SessionUpdate {
        handle(.edge(Edge(signal, asserted: asserted)))
    }

    private var now: SessionUpdate { .available(Snapshot(session, track: "one.flac", position: .zero)) }

    @Test mutating func notificationsPassThrough() {
        #expect(bridge.take(now).isEmpty)
        #expect(bridge.take(turn("alarm", true)) == [.duckBegan(Self.level)])
        #expect(bridge.take(turn("phone-call", true)) == [.began(.default)])
        #expect(bridge.take(turn("phone-call", false)) == [.ended(.shouldResume)])
        #expect(bridge.take(turn("alarm", false)) == [.duckEnded])
        #expect(bridge.take(handle(.mediaServicesLost)) == [.mediaServicesWereLost])
        #expect(bridge.take(handle(.mediaServicesReset)) == [.mediaServicesWereReset])
        #expect(bridge.take(now).isEmpty)
    }

    @Test mutating func interruptionInProgressBeginsWithAppWasSuspended() {
        _ = turn("phone-call", true)
        #expect(bridge.take(now) == [.began(.appWasSuspended)])
        #expect(bridge.take(now).isEmpty)
    }

    /// The first event contains both the state and the notifications that it posted.
    @Test mutating func reconciledNotificationIsNotRepeated() {
        let event = turn("phone-call", true)
        #expect(bridge.take(now) == [.began(.appWasSuspended)])
        #expect(bridge.take(event).isEmpty)
        #expect(bridge.take(turn("phone-call", false)) == [.ended(.shouldResume)])
        let duck = turn("alarm", true)
        let loss = handle(.mediaServicesLost)
        #expect(bridge.take(duck) == [.duckBegan(Self.level)])
        #expect(bridge.take(loss) == [.mediaServicesWereLost])
        #expect(bridge.take(loss).isEmpty)
    }

    @Test mutating func missedNotificationsAreReportedAfterAGap() {
        _ = bridge.take(turn("phone-call", true))
        #expect(bridge.take(.unavailable(.notRunning)).isEmpty)
        _ = turn("phone-call", false)
        _ = turn("alarm", true)
        #expect(bridge.take(now) == [.ended(.shouldResume), .duckBegan(Self.level)])
        _ = handle(.mediaServicesLost)
        _ = turn("alarm", false)
        // A silent snapshot does not show ducking, but the first one that plays does.
        #expect(bridge.take(now) == [.mediaServicesWereLost])
        _ = handle(.mediaServicesReset)
        #expect(bridge.take(now) == [.mediaServicesWereReset, .duckEnded])
    }

    @Test mutating func missedEndWithoutResumingDoesNotRecommendIt() {
        _ = bridge.take(turn("phone-call", true))
        _ = handle(.command(.pause))
        _ = turn("phone-call", false)
        #expect(bridge.take(now) == [.ended([])])
    }

    // MARK: Sounds

    private static var sounds: NotificationBridgeTests {
        var alarm = SignalPolicy(id: "alarm", effect: .duck(level))
        alarm.cue = "siren"
        return NotificationBridgeTests(
            Policy(signals: [alarm], sounds: [SoundPolicy(id: "gong"), SoundPolicy(id: "siren", repeats: true)]))
    }

    private mutating func announce(_ sound: SoundID, _ id: Announcement.ID) -> SessionUpdate {
        handle(.command(.announce(Announcement(sound, id: id))))
    }

    @Test func soundsPassThroughWithTheirNumbers() {
        var lab = Self.sounds
        _ = lab.bridge.take(lab.now)
        #expect(lab.bridge.take(lab.announce("gong", 4)) == [.soundBegan("gong", id: 4)])
        #expect(lab.bridge.take(lab.now).isEmpty)
        // A hush also withdraws queued announcements.
        #expect(lab.bridge.take(lab.announce("gong", 5)).isEmpty)
        #expect(
            lab.bridge.take(lab.handle(.command(.hush))) == [
                .soundCut("gong", id: 4, because: .withdrawn), .soundCut("gong", id: 5, because: .withdrawn),
            ])
        #expect(lab.bridge.take(lab.turn("alarm", true)) == [.duckBegan(Self.level), .soundBegan("siren")])
        #expect(lab.bridge.take(lab.turn("alarm", false)) == [.soundCut("siren", because: .released), .duckEnded])
    }

    /// The announcement lowers the music, but that is not a duck by a signal.
    @Test func announcementFoundPlayingIsNotReportedAsADuck() {
        var lab = Self.sounds
        _ = lab.announce("gong", 4)
        #expect(lab.bridge.take(lab.now) == [.soundBegan("gong", id: 4)])
        #expect(lab.bridge.take(lab.handle(.soundEnded)) == [.soundEnded("gong", id: 4)])
    }

    /// It is unknown whether the sound was played to its end.
    @Test func soundThatEndedInAGapIsReportedAsCut() {
        var lab = Self.sounds
        _ = lab.bridge.take(lab.announce("gong", 4))
        let ended = lab.handle(.soundEnded)
        #expect(lab.bridge.take(lab.now) == [.soundCut("gong", id: 4, because: .unknown)])
        #expect(lab.bridge.take(ended).isEmpty)
        _ = lab.bridge.take(lab.announce("gong", 5))
        _ = lab.handle(.command(.hush))
        let next = lab.announce("gong", 6)
        #expect(lab.bridge.take(lab.now) == [.soundCut("gong", id: 5, because: .unknown), .soundBegan("gong", id: 6)])
        #expect(lab.bridge.take(next).isEmpty)
    }
}
