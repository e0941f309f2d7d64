import AudioSession
import Testing

/// The section Players of AudioSession's Semantics.
@Suite struct PlayerTests {
    private static let airplay = InputID("airplay")
    private static let line = InputID("line")
    private static let sender = PlayerID("sender")
    private static let mpd = PlayerID("mpd")

    /// The player `sender` plays into the input `airplay`, and `mpd` has no input.
    private func fixture(_ change: (inout Policy) -> Void = { _ in }) -> Fixture {
        var fixture = Fixture {
            $0.inputs = [InputPolicy(id: Self.airplay, player: Self.sender), InputPolicy(id: Self.line)]
            $0.players = [Self.sender, Self.mpd]
            $0.sounds = [SoundPolicy(id: "gong", effect: .pause, expire: nil)]
            change(&$0)
        }
        for player in [Self.sender, Self.mpd] { fixture.handle(.player(player, .playing)) }
        return fixture
    }

    private func orders(_ fixture: Fixture) -> [String] {
        fixture.actions.compactMap { if case .player(let player, let order) = $0 { "\(player) \(order)" } else { nil } }
    }

    @Test func callPausesPlayersAndItsEndResumesThem() {
        var fixture = fixture()
        fixture.begin(Fixture.phone)
        #expect(orders(fixture) == ["sender pause", "mpd pause"])
        #expect(fixture.session.keptPlayers == [Self.sender, Self.mpd])
        fixture.end(Fixture.phone)
        #expect(orders(fixture) == ["sender play", "mpd play"])
        #expect(fixture.session.keptPlayers.isEmpty)
    }

    @Test func pausingAnnouncementPausesPlayers() {
        var fixture = fixture()
        fixture.command(.announce(Announcement("gong", id: 1)))
        #expect(orders(fixture) == ["sender pause", "mpd pause"])
        fixture.handle(.soundEnded)
        #expect(orders(fixture) == ["sender play", "mpd play"])
    }

    @Test func duckLeavesPlayersAlone() {
        var fixture = fixture()
        fixture.begin(Fixture.alarm)
        #expect(orders(fixture).isEmpty)
    }

    @Test(arguments: [PlayerReport.paused, .gone]) func playerThatSomebodyTouchesIsNotResumed(report: PlayerReport) {
        var fixture = fixture()
        fixture.begin(Fixture.phone)
        fixture.handle(.player(Self.mpd, report))
        #expect(fixture.session.keptPlayers == [Self.sender])
        fixture.end(Fixture.phone)
        #expect(orders(fixture) == ["sender play"])
    }

    @Test func playerThatWasPausedStaysPaused() {
        var fixture = fixture()
        fixture.handle(.player(Self.mpd, .paused))
        fixture.begin(Fixture.phone)
        #expect(orders(fixture) == ["sender pause"])
        fixture.end(Fixture.phone)
        #expect(orders(fixture) == ["sender play"])
    }

    @Test func playerThatStartsDuringACallIsPausedAndResumes() {
        var fixture = fixture()
        fixture.begin(Fixture.phone)
        fixture.handle(.player(Self.mpd, .playing))
        #expect(orders(fixture) == ["mpd pause"])
        fixture.end(Fixture.phone)
        #expect(orders(fixture).contains("mpd play"))
    }

    @Test func inputDisplacesPlayersButTheLibraryDoesNot() {
        var fixture = fixture()
        fixture.handle(.inputBegan(Self.airplay))
        #expect(orders(fixture) == ["mpd pause"])
        fixture.handle(.inputBegan(Self.line))
        #expect(orders(fixture) == ["sender pause"])
        #expect(fixture.session.heldInputs == [Self.airplay])
        fixture.handle(.inputCeased(Self.line))
        #expect(orders(fixture) == ["sender play"])
        fixture.handle(.inputCeased(Self.airplay))
        #expect(orders(fixture) == ["mpd play"])
    }

    @Test func endWithoutRecommendationReleasesPlayersWithoutAnInput() {
        var fixture = fixture { $0.signals[0].resume = .manual }
        fixture.begin(Fixture.phone)
        fixture.end(Fixture.phone)
        #expect(orders(fixture).isEmpty && fixture.session.keptPlayers.isEmpty)
    }

    @Test func pauseOfAnInputKeepsItsPlayerPaused() {
        var fixture = fixture()
        fixture.handle(.inputBegan(Self.airplay))
        fixture.command(.pause)
        #expect(orders(fixture) == ["sender pause"])
        fixture.begin(Fixture.phone)
        fixture.end(Fixture.phone)
        #expect(orders(fixture).isEmpty)
        #expect(fixture.session.keptPlayers.contains(Self.sender))
        #expect(fixture.command(.play) == .success)
        #expect(orders(fixture) == ["sender play"])
    }

    @Test func playerThatStartsAfterAPauseIsThePlayOfItsInput() {
        var fixture = fixture()
        fixture.handle(.inputBegan(Self.airplay))
        fixture.command(.pause)
        fixture.handle(.player(Self.sender, .playing))
        #expect(orders(fixture).isEmpty)
        #expect(fixture.plays)
    }

    @Test func commandsForTracksGoToThePlayer() {
        var fixture = fixture()
        fixture.handle(.inputBegan(Self.airplay))
        #expect(fixture.command(.next) == .success)
        #expect(orders(fixture) == ["sender next"])
        fixture.handle(.player(Self.sender, .gone))
        #expect(fixture.command(.next) == .noActionableNowPlayingItem)
    }

    @Test func lastWordOfTheLibraryDecidesForAPlayerWithoutAnInput() {
        var fixture = fixture()
        fixture.begin(Fixture.phone)
        fixture.command(.pause)
        fixture.end(Fixture.phone)
        #expect(orders(fixture) == ["sender play"])
    }

    @Test func playersThatAreKeptPausedAreRememberedAcrossABoot() {
        var fixture = fixture()
        fixture.begin(Fixture.phone)
        var boot = Boot(
            saved: fixture.session.saved, trackCount: 3, players: [Self.sender: .paused, Self.mpd: .paused],
            touchedPlayers: [Self.mpd])
        var session = Session(policy: fixture.session.policy)
        let actions = session.handle(.boot(boot), at: fixture.now)
        #expect(actions.contains(.player(Self.sender, .play)) && !actions.contains(.player(Self.mpd, .play)))
        boot.lines = [Fixture.phone: .asserted]
        session = Session(policy: fixture.session.policy)
        session.handle(.boot(boot), at: fixture.now)
        #expect(session.keptPlayers == [Self.sender])
    }
}
