import AudioSession
import Testing

/// The states in which players are found, in contrast to what they report on their own.
@Suite struct PlayerReportTests {
    private static let mpd = PlayerID("mpd")
    private static let input = InputID("aux")

    /// A session with a player, which has an input only if `hasInput` is true.
    private func fixture(hasInput: Bool = false) -> Fixture {
        Fixture {
            $0.players = [Self.mpd]
            if hasInput { $0.inputs = [InputPolicy(id: Self.input, player: Self.mpd)] }
        }
    }

    /// Returns the orders that followed the last event.
    private func orders(_ fixture: Fixture) -> [PlayerCommand] {
        fixture.actions.compactMap { if case .player(_, let command) = $0 { command } else { nil } }
    }

    private func find(_ report: PlayerReport, _ fixture: inout Fixture) -> [PlayerCommand] {
        fixture.handle(.playerFound(Self.mpd, report))
        return orders(fixture)
    }

    @Test func playerFoundPausedAsOrderedStaysKeptAndResumes() {
        var fixture = fixture()
        fixture.handle(.player(Self.mpd, .playing))
        fixture.begin(Fixture.phone)
        #expect(orders(fixture) == [.pause])
        #expect(find(.paused, &fixture) == [] && fixture.session.keptPlayers == [Self.mpd])
        #expect(find(.paused, &fixture) == [])
        fixture.end(Fixture.phone)
        #expect(orders(fixture) == [.play])
        #expect(find(.playing, &fixture) == [] && fixture.session.playerReports == [Self.mpd: .playing])
    }

    private static let fault = Fault(player: mpd, .unconfirmed)

    /// Handles the fault of the player that is due by now, and returns its text.
    private func handleFault(_ fixture: inout Fixture) -> String? {
        let event = fixture.session.playerFault(by: fixture.now)
        event.map { _ = fixture.handle($0) }
        return event?.description
    }

    @Test func playerFoundPlayingInSpiteOfAnOrderIsAFaultAndNotOrderedAgain() {
        var fixture = fixture()
        fixture.handle(.player(Self.mpd, .playing))
        fixture.begin(Fixture.phone)
        #expect(find(.playing, &fixture) == [] && handleFault(&fixture) == "fault mpd unconfirmed")
        #expect(fixture.session.pausedPlayers == [] && fixture.session.playerReports == [Self.mpd: .playing])
        fixture.begin(Fixture.alarm)
        #expect(orders(fixture) == [] && find(.playing, &fixture) == [] && handleFault(&fixture) == nil)
        // The fault lasts until an order is confirmed.
        fixture.end(Fixture.phone)
        #expect(fixture.session.faults == [Self.fault])
        fixture.begin(Fixture.phone)
        #expect(orders(fixture) == [.pause] && fixture.session.faults == [Self.fault])
        #expect(find(.paused, &fixture) == [] && fixture.session.pausedPlayers == [Self.mpd])
        #expect(handleFault(&fixture) == "cleared mpd unconfirmed" && fixture.session.faults == [])
        #expect(fixture.session.pausedPlayers == [Self.mpd])
    }

    @Test func pauseThatIsNotConfirmedInTimeIsAFault() throws {
        var fixture = fixture()
        fixture.handle(.player(Self.mpd, .playing))
        fixture.begin(Fixture.phone)
        // What is ordered is not known.
        #expect(fixture.session.keptPlayers == [Self.mpd] && fixture.session.pausedPlayers == [])
        let deadline = try #require(fixture.session.deadline)
        #expect(deadline == fixture.now + .seconds(2))
        #expect(fixture.session.playerFault(by: deadline - .nanoseconds(1)) == nil)
        #expect(fixture.session.playerFault(by: deadline) == .fault(Self.fault))
    }

    @Test(arguments: [PlayerReport.paused, .gone]) func confirmationOrEndEndsTheWait(report: PlayerReport) {
        var fixture = fixture()
        fixture.handle(.player(Self.mpd, .playing))
        fixture.begin(Fixture.phone)
        #expect(find(report, &fixture) == [] && fixture.session.deadline == nil)
        #expect(fixture.session.pausedPlayers == (report == .paused ? [Self.mpd] : []))
    }

    @Test func endOfTheCallEndsTheWait() {
        var fixture = fixture()
        fixture.handle(.player(Self.mpd, .playing))
        fixture.begin(Fixture.phone)
        fixture.end(Fixture.phone)
        #expect(orders(fixture) == [.play] && fixture.session.deadline == nil)
    }

    @Test(arguments: PlayerReport.allCases) func touchEndsTheFaultUnlessThePlayerIsOrderedAgain(report: PlayerReport) {
        var fixture = fixture()
        fixture.handle(.player(Self.mpd, .playing))
        fixture.begin(Fixture.phone)
        _ = find(.playing, &fixture)
        _ = handleFault(&fixture)
        fixture.handle(.player(Self.mpd, report))
        #expect(orders(fixture) == (report == .playing ? [.pause] : []))
        #expect(handleFault(&fixture) == (report == .playing ? nil : "cleared mpd unconfirmed"))
        #expect(fixture.session.faults == (report == .playing ? [Self.fault] : []))
    }

    @Test func restartAsksAgainWhetherAPlayerIsPausedAndReloadInheritsTheDoubt() {
        var fixture = fixture()
        fixture.handle(.player(Self.mpd, .playing))
        fixture.begin(Fixture.phone)
        let (saved, former) = (fixture.session.saved, fixture.session)
        func restarted(_ change: (inout Boot) -> Void) -> Session {
            var boot = Boot(
                saved: saved, lines: [Fixture.phone: .asserted], trackCount: 3, players: [Self.mpd: .paused])
            change(&boot)
            var session = Session(policy: former.policy)
            session.handle(.boot(boot), at: fixture.now)
            return session
        }
        let known = restarted { _ in }
        #expect(known.pausedPlayers == [Self.mpd] && known.deadline == nil)
        let assumed = restarted { $0.assumedPlayers = [Self.mpd] }
        #expect(assumed.pausedPlayers == [] && assumed.deadline == fixture.now + .seconds(30))
        let reloaded = restarted { $0.predecessor = Boot.Predecessor(former) }
        #expect(reloaded.pausedPlayers == [] && reloaded.deadline == fixture.now + .seconds(2))
    }

    @Test func playerFoundGoneIsForgotten() {
        var fixture = fixture()
        fixture.handle(.player(Self.mpd, .playing))
        fixture.begin(Fixture.phone)
        #expect(find(.gone, &fixture) == [] && fixture.session.keptPlayers == [])
        fixture.end(Fixture.phone)
        #expect(orders(fixture) == [])
    }

    @Test func playerFoundPlayingDuringACallIsPausedAndResumesAfterwards() {
        var fixture = fixture()
        fixture.begin(Fixture.phone)
        #expect(find(.playing, &fixture) == [.pause])
        #expect(find(.paused, &fixture) == [])
        fixture.end(Fixture.phone)
        #expect(orders(fixture) == [.play])
    }

    @Test func playerThatDoesNotResumeIsNotOrderedAgain() {
        var fixture = fixture()
        fixture.handle(.player(Self.mpd, .playing))
        fixture.begin(Fixture.phone)
        fixture.end(Fixture.phone)
        #expect(find(.paused, &fixture) == [] && fixture.session.playerReports == [Self.mpd: .paused])
        fixture.begin(Fixture.phone)
        fixture.end(Fixture.phone)
        #expect(orders(fixture) == [])
    }

    @Test func playerFoundPlayingOutsideACallIsNotOrderedToPlay() {
        var fixture = fixture()
        fixture.handle(.player(Self.mpd, .paused))
        #expect(find(.playing, &fixture) == [])
        fixture.begin(Fixture.phone)
        #expect(orders(fixture) == [.pause])
    }

    @Test(arguments: [
        (PlayerCommand.pause, "pause"), (.play, "play"), (.next, "next"), (.previous, "previous"),
        (.seek(.milliseconds(12_500)), "seek 12.5s"),
    ]) func orderIsWrittenAndReadBack(order: PlayerCommand, words: String) {
        #expect("\(order)" == words && PlayerCommand(words) == order)
    }

    @Test(arguments: ["", "stop", "seek", "seek ", "seek -1s", "seek infinity", "seek 9999999999999s", "pause now"])
    func otherTextIsNotAnOrder(words: String) { #expect(PlayerCommand(words) == nil) }

    @Test func foundPlayerIsNotTheUsersPlay() {
        var fixture = fixture(hasInput: true)
        fixture.handle(.playerFound(Self.mpd, .playing))
        fixture.handle(.inputBegan(Self.input))
        fixture.command(.pause)
        #expect(orders(fixture) == [.pause] && fixture.session.intent == .paused)
        #expect(find(.playing, &fixture) == [] && fixture.session.intent == .paused)
        // In contrast, this is the user's play.
        fixture.command(.play)
        fixture.handle(.player(Self.mpd, .playing))
        fixture.command(.pause)
        fixture.handle(.player(Self.mpd, .playing))
        #expect(fixture.session.intent == .playing)
    }

    @Test func keptPlayerResumesWhenTheCallEndedDuringAPowerCut() {
        var fixture = fixture()
        fixture.handle(.player(Self.mpd, .playing))
        fixture.begin(Fixture.phone)
        let saved = fixture.session.saved
        var session = Session(policy: fixture.session.policy)
        let actions = session.handle(
            .boot(Boot(saved: saved, trackCount: 3, players: [Self.mpd: .paused])), at: fixture.now)
        #expect(actions.contains(.player(Self.mpd, .play)) && session.playerReports == [Self.mpd: .playing])
    }
}
