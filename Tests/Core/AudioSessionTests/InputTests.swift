import AudioSession
import Testing

/// The section Inputs of AudioSession's Semantics.
@Suite struct InputTests {
    private static let airplay = InputID("airplay")
    private static let bluetooth = InputID("bluetooth")
    private static let radio = InputID("radio")
    private static let pager = InputID("pager")

    private func fixture(_ change: (inout Policy) -> Void = { _ in }) -> Fixture {
        Fixture {
            $0.inputs = [
                InputPolicy(id: Self.airplay), InputPolicy(id: Self.bluetooth),
                InputPolicy(id: Self.radio, role: .automaticProgramme), InputPolicy(id: Self.pager, role: .page),
            ]
            $0.signals.append(
                SignalPolicy(id: "page", effect: .pause, priority: 60, cue: "pager", input: Self.pager))
            change(&$0)
        }
    }

    @Test func inputTakesThePlaceOfTheLibraryWhileItSounds() {
        var fixture = fixture()
        #expect(fixture.handle(.inputBegan(Self.airplay)) == [.sourceChanged(.input(Self.airplay))])
        #expect(fixture.actions.contains(.select(.input(Self.airplay))))
        #expect(fixture.actions.contains(.apply(.play(.full), rewinding: false)))
        #expect(fixture.handle(.inputCeased(Self.airplay)) == [.sourceChanged(.library)])
        #expect(fixture.actions.contains(.select(.library)))
        // The library continues as after an interruption.
        #expect(fixture.actions.contains(.apply(.play(.full), rewinding: true)))
    }

    @Test func inputThatBeganLastIsSelected() {
        var fixture = fixture()
        fixture.handle(.inputBegan(Self.bluetooth))
        fixture.handle(.inputBegan(Self.airplay))
        #expect(fixture.session.source == .input(Self.airplay))
        fixture.handle(.inputBegan(Self.radio))
        #expect(fixture.session.source == .input(Self.airplay))
        fixture.handle(.inputCeased(Self.airplay))
        #expect(fixture.session.source == .input(Self.bluetooth))
        fixture.handle(.inputCeased(Self.bluetooth))
        #expect(fixture.session.source == .input(Self.radio))
    }

    @Test func beginningOfAnInputIsTheUsersPlay() {
        var fixture = fixture()
        fixture.command(.pause)
        fixture.handle(.inputBegan(Self.airplay))
        #expect(fixture.plays)
        // The library stays as the user left it.
        fixture.handle(.inputCeased(Self.airplay))
        #expect(!fixture.plays && fixture.session.intent == .paused)
    }

    @Test func gapBetweenTwoSongsDoesNotUndoAPause() {
        var fixture = fixture()
        fixture.handle(.inputBegan(Self.airplay))
        #expect(fixture.command(.pause) == .success)
        fixture.handle(.inputCeased(Self.airplay))
        fixture.handle(.inputBegan(Self.airplay), after: 59)
        #expect(!fixture.plays && fixture.session.intent == .paused)
        fixture.handle(.inputCeased(Self.airplay))
        fixture.handle(.inputBegan(Self.airplay), after: 60)
        #expect(fixture.plays)
    }

    @Test func automaticInputSharesTheIntentOfTheLibrary() {
        var fixture = fixture()
        fixture.command(.pause)
        fixture.handle(.inputBegan(Self.radio))
        #expect(!fixture.plays)
        fixture.command(.play)
        #expect(fixture.plays)
        #expect(fixture.command(.stop) == .success)
        #expect(fixture.actions.contains(.seek(.zero)))
        fixture.handle(.inputCeased(Self.radio))
        #expect(fixture.session.intent == .stopped)
    }

    @Test func libraryIsHeardWhenAnInputFallsSilentDuringACall() {
        var fixture = fixture()
        fixture.begin(Fixture.phone)
        fixture.handle(.inputBegan(Self.airplay))
        #expect(!fixture.plays)
        fixture.handle(.inputCeased(Self.airplay))
        #expect(fixture.end(Fixture.phone) == [.ended(.shouldResume)])
        #expect(fixture.plays && fixture.session.source == .library)
    }

    @Test func endWithoutRecommendationPausesEverySource() {
        var fixture = fixture { $0.signals[0].resume = .manual }
        fixture.handle(.inputBegan(Self.airplay))
        fixture.begin(Fixture.phone)
        fixture.end(Fixture.phone)
        #expect(!fixture.plays && fixture.session.intent == .paused)
        fixture.handle(.inputCeased(Self.airplay))
        #expect(!fixture.plays && fixture.session.intent == .paused)
    }

    @Test func inputThatBeginsDuringACallIsTheLastWordForItAlone() {
        var fixture = fixture { $0.signals[0].resume = .manual }
        fixture.begin(Fixture.phone)
        fixture.handle(.inputBegan(Self.airplay))
        fixture.end(Fixture.phone)
        #expect(fixture.plays)
        fixture.handle(.inputCeased(Self.airplay))
        #expect(!fixture.plays && fixture.session.intent == .paused)
    }

    @Test(arguments: [Command.next, .previous, .seek(to: .seconds(1))]) func inputWithoutPlayerHasNoTracks(
        command: Command
    ) {
        var fixture = fixture()
        fixture.handle(.inputBegan(Self.airplay))
        #expect(fixture.command(command) == .noActionableNowPlayingItem)
    }

    @Test func inputPlaysWithoutATrack() {
        var fixture = fixture()
        fixture.handle(.tracksAvailable(0))
        fixture.handle(.inputBegan(Self.airplay))
        #expect(fixture.plays)
        #expect(fixture.command(.play) == .success)
    }

    @Test func lossOfTheRoutePausesEverySource() {
        var fixture = fixture()
        fixture.handle(.inputBegan(Self.airplay))
        fixture.handle(.routeLost)
        #expect(!fixture.plays)
        fixture.handle(.inputCeased(Self.airplay))
        #expect(!fixture.plays)
    }

    @Test func pageAssertsItsSignalAndIsItsCue() {
        var fixture = fixture()
        #expect(fixture.handle(.inputBegan(Self.pager)) == [.began(.default), .soundBegan("pager")])
        #expect(fixture.session.source == .library && !fixture.plays)
        #expect(
            fixture.handle(.inputCeased(Self.pager)) == [
                .soundCut("pager", because: .released), .ended(.shouldResume),
            ])
        #expect(fixture.plays)
    }

    @Test func inputThatSoundedBeforeABootKeepsItsIntent() {
        var fixture = fixture()
        fixture.handle(.inputBegan(Self.bluetooth))
        fixture.handle(.inputBegan(Self.airplay))
        fixture.command(.pause)
        let boot = Boot(saved: fixture.session.saved, trackCount: 3, arrivals: [Self.airplay, Self.bluetooth])
        var session = Session(policy: fixture.session.policy)
        let actions = session.handle(.boot(boot), at: fixture.now)
        #expect(session.source == .input(Self.airplay) && session.intent == .paused)
        #expect(actions.contains(.post(.sourceChanged(.input(Self.airplay)))))
    }

    @Test func inputThatIsNewAtABootPlays() {
        var fixture = fixture()
        fixture.command(.pause)
        let boot = Boot(saved: fixture.session.saved, trackCount: 3, arrivals: [Self.airplay])
        var session = Session(policy: fixture.session.policy)
        session.handle(.boot(boot), at: fixture.now)
        #expect(session.directive == .play(.full))
    }

    @Test func stuckSignalIsDroppedWhenSomebodyStartsAnInput() {
        var fixture = fixture()
        fixture.begin(Fixture.phone)
        fixture.handle(.fault(Fault(Fixture.phone, .stuck)))
        fixture.handle(.inputBegan(Self.radio))
        #expect(!fixture.plays)
        fixture.handle(.inputBegan(Self.airplay))
        #expect(fixture.plays)
    }
}
