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

    @Test func playerFoundPlayingInSpiteOfAnOrderIsNeitherKeptNorOrderedAgain() {
        var fixture = fixture()
        fixture.handle(.player(Self.mpd, .playing))
        fixture.begin(Fixture.phone)
        #expect(find(.playing, &fixture) == [])
        #expect(fixture.session.keptPlayers == [] && fixture.session.playerReports == [:])
        fixture.begin(Fixture.alarm)
        #expect(orders(fixture) == [])
        fixture.end(Fixture.phone)
        #expect(orders(fixture) == [])
        // It can be paused again once it has reported something on its own.
        fixture.begin(Fixture.phone)
        fixture.handle(.player(Self.mpd, .playing))
        #expect(orders(fixture) == [.pause])
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
