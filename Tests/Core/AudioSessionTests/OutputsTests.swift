import AudioSession
import Testing

@Suite struct OutputsTests {
    private static let amplifier = OutputPolicy(
        id: "amplifier", meaning: .amplifier(lead: .milliseconds(50), lag: .seconds(1)))
    private static let silence: Set<OutputFact> = []
    private static let music: Set<OutputFact> = [.playing]

    private func outputs(_ meanings: OutputMeaning...) -> Outputs {
        Outputs(meanings.map { OutputPolicy(id: OutputID($0.name), meaning: $0) })
    }

    private func ms(_ milliseconds: Int) -> Duration { .milliseconds(milliseconds) }

    @Test func amplifierIsOnFromItsLeadToItsLag() {
        var outputs = Outputs([Self.amplifier])
        #expect(outputs.audibleFrom == nil && outputs.asserted == [])
        outputs.prepare(Self.music, at: ms(100))
        #expect(outputs.asserted == ["amplifier"] && outputs.audibleFrom == ms(150))
        outputs.settle(Self.music, quietAt: ms(100), at: ms(100))
        #expect(outputs.deadline == nil)
        outputs.settle(Self.silence, quietAt: ms(2_060), at: ms(2_000))
        #expect(outputs.isAsserted("amplifier") && outputs.deadline == ms(3_060))
        #expect(outputs.elapse(by: ms(3_059)) == nil)
        #expect(outputs.elapse(by: ms(3_060)) == "amplifier")
        #expect(outputs.asserted == [] && outputs.deadline == nil && outputs.audibleFrom == nil)
    }

    @Test func thereIsNoNewLeadDuringTheLag() {
        var outputs = Outputs([Self.amplifier])
        outputs.settle(Self.music, quietAt: .zero, at: .zero)
        outputs.settle(Self.silence, quietAt: ms(500), at: ms(500))
        outputs.prepare(Self.music, at: ms(900))
        #expect(outputs.audibleFrom == ms(50) && outputs.deadline == nil)
    }

    @Test func aLeadThatRunsContinuesAfterAShortSilence() {
        var outputs = Outputs([Self.amplifier])
        outputs.settle(Self.music, quietAt: .zero, at: .zero)
        outputs.settle(Self.silence, quietAt: ms(10), at: ms(10))
        outputs.prepare(Self.music, at: ms(20))
        #expect(outputs.audibleFrom == ms(50))
    }

    @Test func aFadeOutThatIsCutShortEndsTheLagEarlier() {
        var outputs = Outputs([Self.amplifier])
        outputs.settle(Self.music, quietAt: .zero, at: .zero)
        outputs.settle(Self.silence, quietAt: ms(800), at: ms(500))
        outputs.settle(Self.silence, quietAt: ms(600), at: ms(600))
        #expect(outputs.deadline == ms(1_600))
        // Later events do not extend the lag.
        outputs.settle(Self.silence, quietAt: ms(1_000), at: ms(1_000))
        #expect(outputs.deadline == ms(1_600))
    }

    @Test func withoutALagItIsOffInTheSameEvent() {
        var outputs = outputs(.amplifier(lead: .zero, lag: .zero))
        outputs.settle(Self.music, quietAt: .zero, at: .zero)
        outputs.settle(Self.silence, quietAt: ms(5), at: ms(5))
        #expect(outputs.asserted == [] && outputs.deadline == nil)
    }

    @Test func theSoundWaitsForTheSlowestAmplifier() {
        var outputs = Outputs([
            Self.amplifier, OutputPolicy(id: "valve", meaning: .amplifier(lead: .seconds(3), lag: .zero)),
        ])
        outputs.prepare(Self.music, at: .zero)
        #expect(outputs.audibleFrom == .seconds(3) && outputs.asserted == ["amplifier", "valve"])
    }

    @Test func levelsFollowTheFacts() {
        for fact in OutputFact.allCases {
            var outputs = Outputs(
                OutputFact.allCases.map { OutputPolicy(id: OutputID($0.rawValue), meaning: .follows($0)) })
            outputs.settle([fact], quietAt: .zero, at: .zero)
            #expect(outputs.asserted == [OutputID(fact.rawValue)])
            outputs.settle(Self.silence, quietAt: .zero, at: .zero)
            #expect(outputs.asserted == [])
        }
    }

    @Test func factsComeFromTheSession() {
        var session = Session(
            policy: Policy(signals: [
                SignalPolicy(id: "alarm", effect: .duck(.mute)), SignalPolicy(id: "phone-call", effect: .pause),
            ]))
        session.handle(.boot(Boot(saved: nil, trackCount: 1)), at: .zero)
        #expect(OutputFact.holding(in: session) == [.playing, .healthy])
        session.handle(.edge(Edge("alarm", asserted: true)), at: .zero)
        // Music at the level `mute` is also treated as playing.
        #expect(OutputFact.holding(in: session) == [.playing, .ducked, .silent, .healthy])
        session.handle(.edge(Edge("phone-call", asserted: true)), at: .zero)
        session.handle(.fault(Fault("alarm", .stuck)), at: .zero)
        #expect(OutputFact.holding(in: session) == [.interrupted, .silent])
        session.handle(.cleared(Fault("alarm", .stuck)), at: .zero)
        #expect(OutputFact.holding(in: session) == [.interrupted, .silent, .healthy])
        #expect(OutputFact.holding(in: session, isHealthy: false) == [.interrupted, .silent])
    }

    /// Preparing does not wait for what the event has to do in the player and on the disk.
    @Test func aMuteIsAssertedBeforeTheSoundIsOrdered() {
        var outputs = Outputs(
            [OutputFact.silent, .playing].map { OutputPolicy(id: OutputID($0.rawValue), meaning: .follows($0)) })
        outputs.settle(Self.music, quietAt: .zero, at: .zero)
        outputs.prepare([.silent], at: .zero)
        #expect(outputs.asserted == ["playing", "silent"])
        outputs.settle([.silent], quietAt: .seconds(1), at: .zero)
        #expect(outputs.asserted == ["silent"])
    }

    @Test func nothingIsSilentWhileASoundIsDue() {
        var session = Session(
            policy: Policy(
                signals: [SignalPolicy(id: "phone-call", effect: .pause)],
                sounds: [SoundPolicy(id: "gong", priority: 100)]))
        session.handle(.boot(Boot(saved: nil, trackCount: 1)), at: .zero)
        session.handle(.edge(Edge("phone-call", asserted: true)), at: .zero)
        #expect(OutputFact.holding(in: session).contains(.silent))
        session.handle(.command(.announce(Announcement("gong", id: 1))), at: .zero)
        #expect(OutputFact.holding(in: session).isSuperset(of: [.sounding, .interrupted]))
        #expect(!OutputFact.holding(in: session).contains(.silent))
    }

    @Test func reloadKeepsTheStateOfAnAmplifier() {
        var outputs = Outputs([Self.amplifier, OutputPolicy(id: "lamp", meaning: .follows(.playing))])
        outputs.settle(Self.music, quietAt: .zero, at: .zero)
        outputs.adopt([
            OutputPolicy(id: "lamp", meaning: .follows(.interrupted)),
            OutputPolicy(id: "amplifier", meaning: .amplifier(lead: .seconds(5), lag: .seconds(2))),
        ])
        #expect(outputs.asserted == ["amplifier"] && outputs.audibleFrom == ms(50))
        outputs.settle(Self.silence, quietAt: ms(100), at: ms(100))
        #expect(outputs.deadline == ms(2_100))
    }
}
