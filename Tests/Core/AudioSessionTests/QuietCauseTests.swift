import AudioSession
import Testing

/// The causes of changes to the intent, as the session records them, and the reasons why nothing is played.
@Suite struct QuietCauseTests {
    private static let door = SignalID("door")

    private func fixture(_ change: (inout Policy) -> Void = { _ in }, saved: SavedSession? = nil) -> Fixture {
        Fixture(
            {
                $0.signals.append(SignalPolicy(id: Self.door, effect: .pause, resume: .manual))
                change(&$0)
            }, saved: saved)
    }

    private func cause(_ events: [Event], _ change: (inout Policy) -> Void = { _ in }) -> IntentCause {
        var fixture = fixture(change)
        for event in events { fixture.handle(event) }
        return fixture.session.intentCause
    }

    private func begin(_ signal: SignalID) -> Event { .edge(Edge(signal, asserted: true)) }
    private func end(_ signal: SignalID) -> Event { .edge(Edge(signal, asserted: false)) }

    @Test func commandMakesTheUserTheCause() {
        for command in [Command.play, .pause, .playPause, .stop] { #expect(cause([.command(command)]) == .user) }
        #expect(cause([begin(Self.door), .command(.pause), end(Self.door)]) == .user)
        #expect(cause([.routeLost, .command(.pause)]) == .user)
        // This command does not affect playing.
        #expect(cause([.routeLost, .command(.volume(.mute))]) == .routeLost)
    }

    /// A user who goes on past the last track does not ask for silence.
    @Test func commandPastTheEndOfTheListEndsTheList() {
        let past = [Event.command(.next), .command(.next), .command(.next)]
        #expect(cause(past) { $0.repeats = .none } == .playlistEnded)
        for command in [Command.pause, .stop] {
            #expect(cause([.command(command)] + past) { $0.repeats = .none } == .user)
        }
    }

    @Test func endWithoutResumingNamesItsSignals() {
        let door = [begin(Self.door), end(Self.door)]
        #expect(cause(door) == .interruptionEnded([Self.door]))
        #expect(
            cause([begin(Fixture.phone), end(Fixture.phone)]) { $0.signals[0].resumeWithin = .milliseconds(10) }
                == .interruptionEnded([Fixture.phone]))
        // Only one of the two signals does not recommend resuming, and it is not the last one to end.
        #expect(
            cause([begin(Fixture.phone), begin(Self.door), end(Self.door), end(Fixture.phone)])
                == .interruptionEnded([Self.door]))
        #expect(cause([begin(Fixture.phone), end(Fixture.phone)]) == .start)
        #expect(cause(door + [.command(.play)] + [begin(Fixture.phone), end(Fixture.phone)]) == .user)
        // A later episode does not name the signals of an earlier one.
        var fixture = fixture { $0.signals[0].resumeWithin = .milliseconds(10) }
        for event in door + [.command(.play), begin(Fixture.phone), end(Fixture.phone)] { fixture.handle(event) }
        #expect(fixture.session.intentCause == .interruptionEnded([Fixture.phone]))
    }

    @Test func resetLostRouteAndEndOfTheListAreCauses() {
        #expect(cause([.mediaServicesLost, .mediaServicesReset]) { $0.resumesAfterReset = false } == .reset)
        #expect(cause([.mediaServicesLost, .mediaServicesReset]) == .start)
        #expect(cause([.playbackEnded]) == .playlistEnded)
        #expect(cause([.routeLost]) == .routeLost)
    }

    @Test func causeIsSavedAndRestored() throws {
        for event: Event in [.routeLost, .playbackEnded, .command(.pause)] {
            var before = fixture()
            before.handle(event)
            #expect(before.session.saved.intentCause == before.session.intentCause)
            #expect(before.actions.contains { if case .save = $0 { true } else { false } })
            #expect(fixture(saved: before.session.saved).session.intentCause == before.session.intentCause)
        }
        // A pause that only changes the cause is also saved.
        var fixture = fixture()
        fixture.handle(.routeLost)
        fixture.handle(.command(.pause))
        #expect(fixture.actions.contains { if case .save = $0 { true } else { false } })
    }

    @Test func bootNamesTheSignalsOfAnEpisodeThatEndedMeanwhile() {
        let paused = SavedSession(intent: .paused, track: 0, volume: .full, held: [], episode: nil)
        #expect(fixture(saved: paused).session.intentCause == .start)
        #expect(fixture({ $0.autoPlay = false }).session.intentCause == .start)
        let interrupted = SavedSession(
            intent: .playing, track: 0, volume: .full,
            held: [.init(signal: Self.door, standing: .active, began: .zero, isStuck: false)],
            episode: Episode(reason: .default))
        #expect(fixture(saved: interrupted).session.intentCause == .interruptionEnded([Self.door]))
    }

    @Test func reloadDuringAnEpisodeKeepsTheSignalsThatDoNotResume() {
        var fixture = fixture()
        for event in [begin(Fixture.phone), begin(Self.door), end(Self.door)] { fixture.handle(event) }
        fixture.reboot(lines: [Fixture.phone: .asserted], continues: true)
        fixture.handle(end(Fixture.phone))
        #expect(fixture.session.intentCause == .interruptionEnded([Self.door]))
    }

    /// Otherwise, exploring every state would take several times as long.
    @Test func sessionsThatDifferOnlyInTheCauseAreEqual() {
        var (user, plug) = (fixture(), fixture())
        user.handle(.command(.pause))
        plug.handle(.routeLost)
        plug.handle(.routeBack)
        #expect(user.session.intentCause != plug.session.intentCause)
        #expect(user.session == plug.session && user.session.hashValue == plug.session.hashValue)
        #expect(user.session.saved == plug.session.saved)
    }

    // MARK: Why nothing is heard

    @Test func interruptionRanksBeforeALostDevice() {
        var fixture = fixture()
        func quiet() -> QuietCause? { QuietCause(fixture.session) }
        #expect(quiet() == nil)
        fixture.handle(.command(.pause))
        #expect(quiet() == .notPlaying(.paused, .user))
        fixture.handle(.mediaServicesLost)
        #expect(quiet() == .deviceLost)
        fixture.begin(Fixture.phone)
        #expect(quiet() == .interrupted([Fixture.phone]) && quiet()?.clause() == "phone-call is asserted")
        fixture.handle(.tracksAvailable(0))
        #expect(quiet() == .nothingToPlay)
    }

    @Test func muteVolumeRanksBeforeAStallAndAStallBeforeADuck() {
        var fixture = fixture { $0.signals[1].effect = .duck(.mute) }
        fixture.begin(Fixture.alarm)
        #expect(QuietCause(fixture.session) == .ducked([Fixture.alarm]))
        #expect(QuietCause(fixture.session, stall: .device) == .stalled(.device))
        fixture.command(.volume(.mute))
        #expect(QuietCause(fixture.session, stall: .device) == .muteVolume)
    }

    @Test func causesAreParsedFromTheirText() {
        let intents: [IntentCause] = [
            .user, .start, .interruptionEnded([]), .interruptionEnded([Self.door, Fixture.phone]), .reset, .routeLost,
            .playlistEnded,
        ]
        for cause in intents { #expect(IntentCause(cause.description) == cause) }
        let causes: [QuietCause] = [
            .nothingToPlay, .interrupted([Self.door, Fixture.phone]), .deviceLost, .resumeDelay, .muteVolume,
            .stalled(.storage), .stalled(.device), .ducked([Fixture.alarm]),
        ]
        for cause in causes + intents.map({ .notPlaying(.stopped, $0) }) {
            #expect(QuietCause(cause.description) == cause, "\(cause)")
        }
        for text in ["", "paused", "paused by magic", "stalled", "bored"] { #expect(QuietCause(text) == nil) }
        #expect(IntentCause("of a later version") == nil)
    }

    @Test func causeIsOnTheBusAndNotInTheTrace() {
        var fixture = fixture()
        fixture.begin(Fixture.phone)
        let snapshot = Snapshot(fixture.session, track: nil, position: .zero)
        #expect(!snapshot.fields.contains { $0.key == .quietCause })
        #expect(snapshot.busFields.last?.value == .text("interrupted phone-call"))
    }

    // MARK: What follows

    @Test func outlookPredictsWhatTheSessionDoes() {
        var fixture = fixture { $0.resumeDelay = .seconds(5) }
        fixture.begin(Fixture.phone)
        #expect(fixture.session.outlookWhenUnblocked(at: fixture.now) == .plays)
        fixture.begin(Self.door)
        #expect(fixture.session.outlookWhenUnblocked(at: fixture.now) == .waitsForPlay)
        fixture.handle(.mediaServicesLost)
        fixture.command(.play)
        #expect(fixture.session.outlookWhenUnblocked(at: fixture.now) == .plays)
        fixture.command(.pause)
        #expect(fixture.session.outlookWhenUnblocked(at: fixture.now) == .stays(.paused))
    }
}
