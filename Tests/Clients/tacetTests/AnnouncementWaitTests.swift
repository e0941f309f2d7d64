import AudioSession
import SessionClient
import Testing

@testable import tacet

/// The ends of announcements for `tacet announce --wait`.
@Suite struct AnnouncementWaitTests {
    private var session = Session(
        policy: Policy(
            signals: [SignalPolicy(id: "phone-call", effect: .pause)],
            sounds: [SoundPolicy(id: "gong"), SoundPolicy(id: "stop", priority: 50)]))
    private var time = Duration.zero

    init() { session.handle(.boot(Boot(saved: nil, trackCount: 1)), at: .zero) }

    private mutating func update(_ name: String, _ event: Event) -> SessionUpdate {
        time += .seconds(1)
        var posted: [SessionNotification] = []
        for case .post(let notification) in session.handle(event, at: time) { posted.append(notification) }
        let snapshot = Snapshot(session, track: "one.flac", position: .zero, notifications: posted)
        return .event(SessionEvent(wallClock: .zero, time: time, name: name, snapshot: snapshot))
    }

    private mutating func announce(_ sound: SoundID, _ id: Announcement.ID) -> SessionUpdate {
        update("command announce \(sound)", .command(.announce(Announcement(sound, id: id))))
    }

    private mutating func turn(_ isAsserted: Bool) -> SessionUpdate {
        update("\(isAsserted ? "assert" : "deassert") phone-call", .edge(Edge("phone-call", asserted: isAsserted)))
    }

    private func end(_ update: SessionUpdate, of id: Announcement.ID = 1) -> AnnouncementWait.End? {
        AnnouncementWait.end(of: id, in: update)
    }

    /// The announcement is played again after the call, and after an announcement of higher priority.
    @Test mutating func cutThatIsNotFinalDoesNotEndTheWait() {
        #expect(end(announce("gong", 1)) == nil)
        #expect(end(turn(true)) == nil)
        #expect(end(turn(false)) == nil)
        #expect(end(announce("stop", 2)) == nil)
        #expect(end(update("sound ended stop", .soundEnded)) == nil)
        #expect(end(update("sound ended gong", .soundEnded)) == .heard)
    }

    @Test mutating func hushEndsTheWaitOfPlayingAndQueuedAnnouncements() {
        _ = announce("gong", 1)
        _ = announce("gong", 2)
        let hush = update("command hush", .command(.hush))
        #expect(end(hush, of: 1) == .hushed && end(hush, of: 2) == .hushed && end(hush, of: 3) == nil)
    }

    @Test mutating func expiryEndsTheWaitEvenWithTheCutThatCausesIt() {
        _ = announce("gong", 1)
        time += .seconds(20)
        #expect(end(turn(true)) == .expired)
    }

    @Test mutating func onlyItsOwnNumberEndsTheWait() {
        _ = announce("gong", 1)
        _ = announce("gong", 2)
        let first = update("sound ended gong", .soundEnded)
        #expect(end(first, of: 1) == .heard && end(first, of: 2) == nil)
    }

    @Test mutating func lossOfTheSupervisorEndsTheWait() {
        #expect(end(.unavailable(.notRunning)) == .gone)
        #expect(end(.available(Snapshot(session, track: nil, position: .zero))) == nil)
    }
}
