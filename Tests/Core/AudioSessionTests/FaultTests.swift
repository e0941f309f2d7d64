import AudioSession
import Testing

/// Faults: Semantics, Signals that cannot be believed.
@Suite struct FaultTests {
    private let stuck = Fault(Fixture.phone, .stuck)

    @Test func stuckSignalKeepsItsEffectWithHold() {
        var fixture = Fixture()
        fixture.begin(Fixture.phone)
        #expect(fixture.handle(.fault(stuck)) == [])
        #expect(!fixture.plays && fixture.session.faults == [stuck])
        #expect(fixture.end(Fixture.phone) == [.ended(.shouldResume)])
        #expect(fixture.plays && fixture.session.faults == [])
    }

    @Test func stuckSignalIsDroppedWithReleaseUntilDeasserted() {
        var fixture = Fixture { $0.signals[0].whenStuck = .release }
        fixture.begin(Fixture.phone)
        #expect(fixture.handle(.fault(stuck)) == [.ended(.shouldResume)])
        #expect(fixture.plays && fixture.session.active == [] && fixture.session.faults == [stuck])
        #expect(fixture.begin(Fixture.phone) == [])
        #expect(fixture.plays)
        #expect(fixture.end(Fixture.phone) == [])
        #expect(fixture.remarks == [.lateEnd(Fixture.phone)] && fixture.session.faults == [])
        #expect(fixture.begin(Fixture.phone) == [.began(.default)])
    }

    @Test(arguments: [Command.play, .playPause]) func playDropsAStuckSignal(play: Command) {
        var fixture = Fixture()
        fixture.begin(Fixture.phone)
        fixture.handle(.fault(stuck))
        if play == .playPause { fixture.command(.pause) }
        #expect(fixture.command(play) == .success)
        #expect(fixture.notifications == [.ended(.shouldResume)])
        #expect(fixture.plays && fixture.session.active == [])
        #expect(fixture.end(Fixture.phone) == [])
    }

    @Test func playIsDeferredWhileAnotherSignalBlocks() {
        var fixture = Fixture { $0.signals.append(SignalPolicy(id: "door", effect: .pause)) }
        fixture.begin(Fixture.phone)
        fixture.begin("door")
        fixture.handle(.fault(stuck))
        #expect(fixture.command(.play) == .deferred)
        #expect(fixture.end("door") == [.ended(.shouldResume)])
        #expect(fixture.plays)
    }

    @Test func chatterCountsAsAsserted() {
        var fixture = Fixture()
        let chatter = Fault(Fixture.phone, .chatter)
        #expect(fixture.handle(.fault(chatter)) == [.began(.default)])
        #expect(fixture.session.faults == [chatter] && fixture.session.active == [Fixture.phone])
        #expect(fixture.handle(.cleared(chatter)) == [])
        #expect(fixture.end(Fixture.phone) == [.ended(.shouldResume)])
        #expect(fixture.session.faults == [])
    }

    @Test func lostLineKeepsItsEffect() {
        var fixture = Fixture()
        let lost = Fault(Fixture.phone, .lost)
        fixture.begin(Fixture.phone)
        #expect(fixture.handle(.fault(lost)) == [])
        #expect(!fixture.plays && fixture.session.faults == [lost])
        #expect(fixture.end(Fixture.phone) == [.ended(.shouldResume)])
        #expect(fixture.session.faults == [lost])
        fixture.handle(.cleared(lost))
        #expect(fixture.session.faults == [])
    }
}
