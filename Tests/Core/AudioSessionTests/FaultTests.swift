import AudioSession
import Testing

/// Faults, as the section Faulty signals of Semantics describes them.
@Suite struct FaultTests {
    private let stuck = Fault(Fixture.phone, .stuck)

    /// The names are legal, although two subjects of one configuration must not share a name.
    @Test(arguments: ["capture", "gong", "output", "signal"])
    func faultsOfSubjectsWithOneNameAreDistinguished(name: String) {
        let signals = [Fault.Kind.chatter, .lost, .stuck, .wire].map { Fault(SignalID(name), $0) }
        let faults =
            signals + [
                Fault(sound: SoundID(name)), Fault(input: InputID(name)), Fault(output: OutputID(name)), .capture,
                Fault(player: PlayerID(name), .lost), Fault(player: PlayerID(name), .unconfirmed),
                Fault(playback: .muted), Fault(playback: .quiet),
            ]
        let texts = faults.map(\.description)
        #expect(Set(texts).count == faults.count, "\(texts)")
        #expect(texts.map(Fault.init) == faults, "\(texts)")
    }

    @Test func aSignalWithASoundsNameHasItsOwnFault() {
        var fixture = Fixture {
            $0.signals[0].cue = "phone-call"
            $0.sounds = [SoundPolicy(id: "phone-call")]
        }
        fixture.handle(.soundReadable("phone-call", false))
        fixture.handle(.fault(Fault(Fixture.phone, .lost)))
        #expect(fixture.session.faults == [Fault(Fixture.phone, .lost), Fault(sound: "phone-call")])
        fixture.handle(.cleared(Fault(Fixture.phone, .lost)))
        #expect(fixture.session.faults == [Fault(sound: "phone-call")])
    }

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
        #expect(fixture.noOpReasons == [.lateEnd(Fixture.phone)] && fixture.session.faults == [])
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
