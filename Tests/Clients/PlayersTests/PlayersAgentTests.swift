import AudioSession
import Testing

@testable import Players

/// Single situations of the agent, in addition to those of `PlayersWorldTests`.
@Suite struct PlayersAgentTests {
    private static let playing = Sighting(.playing, track: "a")
    private static let paused = Sighting(.paused, track: "a")
    private static let identity = PlayerIdentity.process(connection: ":1.7", number: 7, started: "1")
    private static let mpd = PlayerInstance(player: "mpd", place: "1")
    private static let other = PlayerInstance(player: "mpd", place: "2")

    private static func record(_ stage: PlayerRecord.Stage) -> PlayerRecord {
        PlayerRecord(player: "mpd", identity: identity, stage: stage, track: "a", order: 1)
    }

    private var agent = PlayersAgent(remembered: [])

    @discardableResult
    private mutating func handle(_ inputs: PlayersInput...) -> [PlayersEffect] {
        inputs.flatMap { agent.handle($0, at: .zero) }
    }

    /// Connects an agent to Tacet, which lists a player in this way.
    private mutating func connect(
        _ remembered: [PlayerRecord] = [], _ sighting: Sighting, _ level: PlayerLevel
    ) -> [PlayersEffect] {
        agent = PlayersAgent(remembered: remembered)
        handle(.appeared(Self.mpd, Self.identity, sighting), .surveyed("mpd"), .daemonArrived)
        return handle(.levels(["mpd": level]))
    }

    @Test mutating func orderIsRememberedBeforeItIsSent() {
        _ = connect([], Self.playing, PlayerLevel(.playing, isKept: false, order: 1))
        #expect(
            handle(.order("mpd", .pause, 1)) == [.remember([Self.record(.pausing)]), .send(Self.mpd, .pause, 1)])
        #expect(handle(.answered(Self.mpd, 1)) == [.look(Self.mpd, 2)])
        #expect(
            handle(.looked(Self.mpd, 2, Self.paused)) == [
                .remember([Self.record(.kept)]), .log(.paused("mpd")),
                .report("mpd", .paused, isOwn: false, after: 1),
            ])
        #expect(
            handle(.order("mpd", .play, 2)) == [.remember([Self.record(.resuming)]), .send(Self.mpd, .play, 3)])
    }

    @Test mutating func missedOrderIsMadeUpFor() {
        let kept = PlayerLevel(.paused, isKept: true, order: 1)
        #expect(connect([], Self.playing, kept).contains(.send(Self.mpd, .pause, 1)))
        let resumed = PlayerLevel(.playing, isKept: false, order: 2)
        #expect(connect([Self.record(.kept)], Self.paused, resumed).contains(.send(Self.mpd, .play, 1)))
    }

    @Test mutating func playerThatPlaysAgainWithoutAnOrderWasUsed() {
        let effects = connect([Self.record(.kept)], Self.playing, PlayerLevel(.paused, isKept: true, order: 1))
        #expect(effects == [.report("mpd", .playing, isOwn: true, after: 1), .query])
    }

    @Test mutating func playerThatTacetHasNotPausedIsReportedAsUsed() {
        let effects = connect([], Self.paused, PlayerLevel(.paused, isKept: true, order: 1))
        #expect(effects == [.report("mpd", .paused, isOwn: true, after: 1)])
        #expect(handle(.order("mpd", .play, 2)) == [.report("mpd", .paused, isOwn: false, after: 2)])
    }

    @Test mutating func releasedPlayerIsForgottenAndStaysPaused() {
        let effects = connect([Self.record(.kept)], Self.paused, PlayerLevel(.paused, isKept: false, order: 1))
        #expect(effects == [.remember([]), .report("mpd", .paused, isOwn: false, after: 1)])
    }

    @Test mutating func recordOfAProgramThatDoesNotAppearIsForgotten() {
        agent = PlayersAgent(remembered: [Self.record(.kept)])
        #expect(handle(.surveyed("vlc")) == [] && handle(.surveyed("mpd")) == [.remember([])])
        // A program that starts later with the same identity is not resumed.
        handle(.appeared(Self.mpd, Self.identity, Self.paused), .daemonArrived)
        let level = PlayerLevel(.playing, isKept: false, order: 2)
        #expect(handle(.levels(["mpd": level])) == [.report("mpd", .paused, isOwn: false, after: 2)])
    }

    @Test mutating func anotherProcessIsNotResumed() {
        let another = PlayerIdentity.process(connection: ":1.7", number: 7, started: "2")
        agent = PlayersAgent(remembered: [Self.record(.kept)])
        handle(.appeared(Self.mpd, another, Self.paused), .surveyed("mpd"), .daemonArrived)
        let level = PlayerLevel(.playing, isKept: false, order: 2)
        #expect(handle(.levels(["mpd": level])) == [.report("mpd", .paused, isOwn: false, after: 2)])
    }

    @Test mutating func programsOfAPlayerArePausedAndResumedTogether() {
        _ = connect([], Self.playing, PlayerLevel(.playing, isKept: false, order: 1))
        handle(.appeared(Self.other, .remote(startedAt: 1), Self.playing))
        let pause = handle(.order("mpd", .pause, 1))
        #expect(pause.contains(.send(Self.mpd, .pause, 1)) && pause.contains(.send(Self.other, .pause, 1)))
        // The outcome is reported once both have paused.
        let first = handle(.answered(Self.mpd, 1), .looked(Self.mpd, 2, Self.paused))
        #expect(!first.contains(.report("mpd", .paused, isOwn: false, after: 1)))
        let second = handle(.answered(Self.other, 1), .looked(Self.other, 2, Self.paused))
        #expect(second.contains(.report("mpd", .paused, isOwn: false, after: 1)))
        // One that ends does not keep the other one from resuming.
        #expect(!handle(.vanished(Self.other)).contains(.report("mpd", .paused, isOwn: true, after: 1)))
        #expect(handle(.order("mpd", .play, 2)).contains(.send(Self.mpd, .play, 3)))
    }

    /// Tacet has ordered a player to play and has restarted before the order arrived, so it receives the report that the player plays.
    /// Meanwhile, another program of the player ends.
    @Test mutating func anotherProgramThatEndsDoesNotLeaveAKeptOnePaused() {
        agent = PlayersAgent(remembered: [Self.record(.kept)])
        handle(
            .appeared(Self.mpd, Self.identity, Self.paused), .appeared(Self.other, .remote(startedAt: 1), Self.paused),
            .surveyed("mpd"), .daemonArrived)
        let claim = PlayersEffect.report("mpd", .playing, isOwn: false, after: 5)
        #expect(handle(.levels(["mpd": PlayerLevel(.gone, isKept: false, order: 5)])) == [claim, .query])
        #expect(handle(.vanished(Self.other)) == [claim])
        // The answer may be older than the report.
        #expect(handle(.levels(["mpd": PlayerLevel(.playing, isKept: false, order: 5)])) == [.query])
        let effects = handle(.levels(["mpd": PlayerLevel(.playing, isKept: false, order: 5)]))
        #expect(effects.contains(.send(Self.mpd, .play, 1)))
    }

    @Test mutating func orderDecidesWhatAPlayerThatTacetHadForgottenDoes() {
        let effects = connect([Self.record(.kept)], Self.paused, PlayerLevel(.gone, isKept: false, order: 5))
        #expect(effects == [.report("mpd", .playing, isOwn: false, after: 5), .query])
        #expect(handle(.order("mpd", .pause, 6)).contains(.report("mpd", .paused, isOwn: false, after: 6)))
    }

    @Test mutating func programThatDoesNotPauseIsDisconnectedFromItsSender() {
        _ = connect([], Self.playing, PlayerLevel(.playing, isKept: false, order: 1))
        handle(.order("mpd", .pause, 2))
        var effects: [PlayersEffect] = []
        for number in stride(from: 1, through: 7, by: 3) {
            effects += handle(.answered(Self.mpd, number), .looked(Self.mpd, number + 1, Self.playing))
            #expect(!effects.contains(.disconnect(Self.mpd)))
            effects += agent.handle(.time, at: agent.deadline ?? .zero)
            effects += handle(.looked(Self.mpd, number + 2, Self.playing))
        }
        #expect(effects.contains(.disconnect(Self.mpd)) && effects.contains(.log(.uncontrollable("mpd"))))
        // Its sender continues on its own, so Tacet does not resume it.
        handle(.seen(Self.mpd, Sighting(.stopped, track: "a")))
        #expect(!handle(.order("mpd", .play, 3)).contains { if case .send = $0 { true } else { false } })
    }

    @Test mutating func questionThatFailsIsRepeated() {
        handle(.surveyed("mpd"))
        #expect(handle(.daemonArrived) == [.query] && handle(.levels(nil)) == [])
        #expect(agent.deadline == PlayersAgent.queryPause)
        #expect(agent.handle(.time, at: PlayersAgent.queryPause) == [.query])
        #expect(handle(.daemonLeft) == [] && agent.deadline == nil)
    }
}
