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
        return handle(.levels(["mpd": level])).filter { $0 != Self.noProblem }
    }

    /// What follows each first answer of Tacet.
    private static let noProblem = PlayersEffect.reportProblem("mpd", "")

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
        #expect(
            handle(.levels(["mpd": level])) == [.report("mpd", .paused, isOwn: false, after: 2), Self.noProblem])
    }

    @Test mutating func anotherProcessIsNotResumed() {
        let another = PlayerIdentity.process(connection: ":1.7", number: 7, started: "2")
        agent = PlayersAgent(remembered: [Self.record(.kept)])
        handle(.appeared(Self.mpd, another, Self.paused), .surveyed("mpd"), .daemonArrived)
        let level = PlayerLevel(.playing, isKept: false, order: 2)
        #expect(
            handle(.levels(["mpd": level])) == [.report("mpd", .paused, isOwn: false, after: 2), Self.noProblem])
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
        #expect(
            handle(.levels(["mpd": PlayerLevel(.gone, isKept: false, order: 5)])) == [claim, .query, Self.noProblem])
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

    /// Plays on although each of three orders to pause has arrived.
    /// - Parameter check: receives the effects until the program was looked at for the first time after each order.
    private mutating func ignoreThreeOrders(_ check: ([PlayersEffect]) -> Void = { _ in }) -> [PlayersEffect] {
        var effects: [PlayersEffect] = []
        for number in stride(from: 1, through: 7, by: 3) {
            effects += handle(.answered(Self.mpd, number), .looked(Self.mpd, number + 1, Self.playing))
            check(effects)
            effects += agent.handle(.time, at: agent.deadline ?? .zero)
            effects += handle(.looked(Self.mpd, number + 2, Self.playing))
        }
        return effects
    }

    @Test mutating func programThatDoesNotPauseIsDisconnectedFromItsSender() {
        _ = connect([], Self.playing, PlayerLevel(.playing, isKept: false, order: 1))
        handle(.order("mpd", .pause, 2))
        let effects = ignoreThreeOrders { #expect(!$0.contains(.disconnect(Self.mpd))) }
        #expect(effects.contains(.disconnect(Self.mpd)) && effects.contains(.log(.uncontrollable("mpd", nil))))
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

    // MARK: What is known about a player

    @Test mutating func refusedOrderIsReportedWithItsReasonUntilThePlayerHasPaused() {
        _ = connect([], Self.playing, PlayerLevel(.playing, isKept: false, order: 1))
        handle(.order("mpd", .pause, 2))
        #expect(!handle(.answered(Self.mpd, 1, refusal: "no permission")).contains { $0.isProblem })
        #expect(
            handle(.looked(Self.mpd, 2, Self.playing)).contains(
                .reportProblem("mpd", "it refuses to pause: no permission")))
        #expect(handle(.seen(Self.mpd, Self.paused)).contains(Self.noProblem))
    }

    @Test mutating func playerThatDoesNotPauseIsReportedAsPlayingAndOrderedAgainInTheNextHold() {
        _ = connect([], Self.playing, PlayerLevel(.playing, isKept: false, order: 1))
        handle(.order("mpd", .pause, 2))
        let effects = ignoreThreeOrders()
        #expect(effects.contains(.report("mpd", .playing, isOwn: false, after: 2)))
        #expect(effects.contains(.reportProblem("mpd", "it does not pause when it is ordered to")))
        // Tacet's level is the same order.
        handle(.reportFailed("mpd", isOwn: false))
        let level = handle(.levels(["mpd": PlayerLevel(.playing, isKept: true, order: 2)]))
        #expect(!level.contains { if case .send = $0 { true } else { false } })
        #expect(handle(.order("mpd", .pause, 3)).contains(.send(Self.mpd, .pause, 10)))
    }

    @Test mutating func problemOfAPlaceIsReportedOnceAndAgainToAnotherDaemon() {
        _ = connect([], Self.playing, PlayerLevel(.playing, isKept: false, order: 1))
        let problem = PlayersInput.problem("mpd", at: "mpd", "it refuses the password")
        #expect(handle(problem) == [.reportProblem("mpd", "it refuses the password")] && handle(problem) == [])
        handle(.daemonLeft, .daemonArrived)
        let again = handle(.levels(["mpd": PlayerLevel(.playing, isKept: false, order: 1)]))
        #expect(again.contains(.reportProblem("mpd", "it refuses the password")))
        #expect(handle(.problem("mpd", at: "mpd", nil)) == [Self.noProblem])
    }

    @Test mutating func reportOfAProblemThatFailsIsRepeatedAfterAPause() {
        _ = connect([], Self.playing, PlayerLevel(.playing, isKept: false, order: 1))
        #expect(handle(.problemReportFailed("mpd")) == [] && agent.deadline == PlayersAgent.queryPause)
        #expect(agent.handle(.time, at: PlayersAgent.queryPause) == [.query])
        let effects = agent.handle(
            .levels(["mpd": PlayerLevel(.playing, isKept: false, order: 1)]), at: PlayersAgent.queryPause)
        #expect(effects.contains(Self.noProblem))
    }

    // MARK: Players that play although they report something else

    /// Lets the agent ask a player that reports this in a hold, and returns the effects. The position is that of the time in
    /// milliseconds.
    private mutating func hold(
        _ status: Sighting.Status, looks: Int, position: (Int) -> Int
    ) -> [PlayersEffect] {
        _ = connect([], Sighting(status, track: "a"), PlayerLevel(.paused, isKept: false, order: 1))
        var effects = handle(.kept([], displaced: ["mpd"]))
        for _ in 0..<looks {
            guard let now = agent.deadline else { break }
            let asked = agent.handle(.time, at: now)
            effects += asked
            for case .look(let instance, let number) in asked {
                var sighting = Sighting(status, track: "a")
                sighting.position = .milliseconds(position(Int(now / .milliseconds(1))))
                effects += agent.handle(.looked(instance, number, sighting), at: now)
            }
        }
        return effects
    }

    private static let touch = PlayersEffect.report("mpd", .playing, isOwn: true, after: 1)

    @Test mutating func stoppedPlayerWhosePositionMovesIsReportedAsPlaying() {
        let effects = hold(.stopped, looks: 2) { $0 + 5_000 }
        #expect(effects.contains(Self.touch) && agent.deadline.map { $0 < .seconds(3) } == true)
    }

    @Test mutating func pausedPlayerWhosePositionMovesTwiceIsReportedAsPlaying() {
        #expect(!hold(.paused, looks: 2) { $0 }.contains(Self.touch))
        #expect(hold(.paused, looks: 3) { $0 }.contains(Self.touch))
    }

    /// A person seeks in a player that is paused.
    @Test(arguments: [300, 500, 5_000]) mutating func pausedPlayerWhosePositionJumpsIsLeftAlone(jump: Int) {
        let effects = hold(.paused, looks: 8) { $0 >= 1_000 ? jump : 0 }
        #expect(!effects.contains(Self.touch))
    }

    @Test(arguments: [Sighting.Status.stopped, .paused])
    mutating func playerWhosePositionStaysIsAskedEveryTwoSeconds(status: Sighting.Status) {
        let effects = hold(status, looks: 5) { _ in 7_000 }
        #expect(!effects.contains(Self.touch) && agent.deadline == .milliseconds(8_500))
        #expect(handle(.kept([], displaced: [])) == [] && agent.deadline == nil)
    }

    /// Such a player reports that it is stopped also while it plays, so that its position shows the outcome.
    @Test mutating func stoppedPlayerThatPlaysIsPausedAndResumedByItsPosition() {
        _ = hold(.stopped, looks: 2) { $0 }
        var now = Duration.milliseconds(600)
        var position = now
        var isPaused = false
        var effects = agent.handle(.order("mpd", .pause, 2), at: now)
        func sighting() -> Sighting {
            var sighting = Sighting(.stopped, track: "a")
            sighting.position = position
            return sighting
        }
        var done: [PlayersNews] = []
        var sent: [PlayerCommand] = []
        for command in [PlayerCommand.pause, .play] {
            if command == .play { effects = agent.handle(.order("mpd", .play, 3), at: now) }
            var turns = 0
            while turns < 20, done.count < (command == .pause ? 1 : 2) {
                turns += 1
                var next: [PlayersEffect] = []
                for effect in effects {
                    switch effect {
                    case .send(let instance, let order, let number):
                        sent.append(order)
                        isPaused = order == .pause
                        next += agent.handle(.answered(instance, number), at: now)
                    case .look(let instance, let number):
                        next += agent.handle(.looked(instance, number, sighting()), at: now)
                    case .log(let news): done.append(news)
                    default: break
                    }
                }
                effects = next
                guard effects.isEmpty else { continue }
                let due = max(now, agent.deadline ?? now)
                if !isPaused { position += due - now }
                now = due
                effects = agent.handle(.time, at: now)
            }
        }
        #expect(done == [.paused("mpd"), .resumed("mpd")] && sent == [.pause, .play])
    }
}

extension PlayersEffect {
    fileprivate var isProblem: Bool { if case .reportProblem = self { true } else { false } }
}
