import SessionClient
import Testing

@testable import Fleet

/// Retained signals and the subscriptions to them.
struct FleetSignalTests {
    @Test func signalIsSetAndRenewedWhileTheBrokerIsConnected() throws {
        var lab = AgentLab()
        let on = lab.message("all/signal/evacuation", "on", retained: true)
        #expect(on.calls == [.set("evacuation", true, lease: FleetSignals.lease)])
        try lab.answer(on)
        #expect(lab.advance(by: .seconds(4)).calls.isEmpty)
        let renewed = lab.advance(by: .seconds(1))
        #expect(renewed.calls == [.set("evacuation", true, lease: FleetSignals.lease)])
        try lab.answer(renewed)
        _ = lab.give(AgentLab.loss)
        #expect(lab.advance(by: .seconds(60)).calls.isEmpty)
        // The signal may have ended in the meantime, so its level is used again only when the broker has repeated it.
        #expect(lab.give(.connected(unacknowledged: 0)).calls.isEmpty)
        #expect(lab.message("all/signal/evacuation", "on", retained: true).calls == on.calls)
    }

    @Test func signalThatTheBrokerNoLongerKeepsIsNotRenewed() throws {
        var lab = AgentLab()
        let on = lab.message("all/signal/x", "on")
        try lab.answer(on)
        lab.reconnect()
        _ = lab.give(.subscribed([true]))
        #expect(lab.advance(by: .seconds(10)).calls.isEmpty)
        #expect(lab.agent.deadline.map { $0 > lab.now.monotonic } ?? true)
    }

    @Test func signalEndsIfTheBrokerKeepsOnlyAnotherTopicThatIsOff() throws {
        var lab = AgentLab()
        let off = lab.message("all/signal/x", "off")
        try lab.answer(off)
        let on = lab.message("b/signal/x", "on")
        #expect(on.calls == [.set("x", true, lease: FleetSignals.lease)])
        try lab.answer(on)
        lab.reconnect()
        _ = lab.give(.subscribed([true]))
        #expect(lab.message("all/signal/x", "off", retained: true).calls.isEmpty, "the other topic can still come")
        #expect(lab.advance(by: FleetSignals.settling).calls == [.set("x", false, lease: FleetSignals.lease)])
    }

    /// A broker that has kept the session first delivers the messages published in the meantime, and then the retained
    /// ones.
    @Test(arguments: [true, false])
    func messagePublishedDuringADisconnectionIsNotYetALevel(_ isKept: Bool) throws {
        var lab = AgentLab()
        lab.reconnect()
        #expect(lab.message("all/signal/x", "on").calls.isEmpty)
        #expect(lab.message("all/signal/x", "off").calls.isEmpty)
        #expect(lab.message("all/signal/y", "on").calls.isEmpty)
        _ = lab.give(.subscribed([true]))
        if isKept {
            let kept = lab.message("all/signal/x", "off", retained: true)
            #expect(kept.calls == [.set("x", false, lease: FleetSignals.lease)])
            try lab.answer(kept)
            // This message is not retained, but has just been published.
            #expect(lab.message("all/signal/x", "on").calls == [.set("x", true, lease: FleetSignals.lease)])
        }
        let settled = lab.advance(by: FleetSignals.settling).calls
        #expect(settled.contains(.set("y", true, lease: FleetSignals.lease)), "published without being kept")
        #expect(settled.contains(.set("x", false, lease: FleetSignals.lease)) == !isKept)
    }

    @Test func levelThatTacetCannotAcceptNowIsSetAgainSoon() throws {
        var lab = AgentLab()
        let on = lab.message("b/signal/x", "on")
        let busy = FleetAnswer.answer(name: "commandFailed", reason: "Tacet is about to stop")
        #expect(try lab.answer(on, busy).calls.isEmpty)
        #expect(lab.agent.deadline == lab.now.monotonic + FleetSignals.pause)
        #expect(lab.advance(by: FleetSignals.pause).calls == [.set("x", true, lease: FleetSignals.lease)])
    }

    @Test func refusedSubscriptionIsAProblem() {
        var lab = AgentLab()
        _ = lab.give(.subscribed([true, true, false] + AgentLab.granted))
        #expect(lab.agent.problems == ["the broker does not allow this board to subscribe to tacet/b/signal/+"])
        _ = lab.give(.subscribed(AgentLab.granted))
        #expect(lab.agent.problems.isEmpty)
        // An answer without results refuses all filters.
        _ = lab.give(.subscribed([]))
        #expect(lab.agent.problems.count == 1)
    }

    @Test func subscriptionThatTheBrokerDoesNotAnswerIsAProblemUntilItDoes() {
        var lab = AgentLab()
        lab.reconnect()
        #expect(lab.advance(by: SubscriptionState.timeout - .milliseconds(1)).news.isEmpty)
        let problem = "the broker does not answer the subscription, so its requests may not reach this board"
        #expect(
            lab.advance(by: .milliseconds(1)).news == [.brokerRefused("A request to the broker failed: \(problem).")])
        #expect(lab.agent.problems == [problem])
        // The missing answer is reported once, and another connection alone is not an answer.
        #expect(lab.advance(by: SubscriptionState.timeout).news.isEmpty)
        lab.reconnect()
        #expect(lab.agent.problems == [problem])
        _ = lab.give(.subscribed(AgentLab.granted))
        #expect(lab.agent.problems.isEmpty)
    }

    @Test func subscriptionThatCannotBeSentIsAProblem() {
        var lab = AgentLab()
        lab.reconnect()
        #expect(
            lab.give(.notSubscribed("too large")).news
                == [.brokerRefused("A request to the broker failed: too large.")])
        #expect(lab.agent.problems == ["too large"])
        // No answer is awaited any more.
        _ = lab.advance(by: SubscriptionState.timeout)
        #expect(lab.agent.problems == ["too large"])
    }

    @Test func publicationThatTheBrokerRefusesIsAProblemUntilItAcceptsTheNextOne() {
        var lab = AgentLab()
        _ = lab.give(.acknowledged(topic: "tacet/b/state", refused: "too large"))
        _ = lab.give(.acknowledged(topic: "tacet/b/event", refused: nil))
        // The topics of answers belong to other clients.
        for topic in (0..<100).flatMap({ ["desk/\($0)", "tacet/b/x\($0)", "tacet/b/answer/\($0)"] }) {
            _ = lab.give(.acknowledged(topic: topic, refused: "not allowed"))
        }
        #expect(lab.agent.problems == ["the broker does not have tacet/b/state: too large"])
        _ = lab.give(.acknowledged(topic: "tacet/b/state", refused: nil))
        #expect(lab.agent.problems.isEmpty)
    }

    @Test func unknownSignalsMakeRoomForOthers() throws {
        var lab = AgentLab()
        for number in 0..<FleetSignals.most {
            let on = lab.message("b/signal/\(number)", "on")
            try lab.answer(on, .failure(.refused("no")))
        }
        #expect(lab.message("all/signal/evacuation", "on").calls.count == 1)
    }

    /// Write access to one topic must not be enough to block an alarm for the whole fleet.
    @Test func knownSignalIsAcceptedHoweverManyOthersThereAre() throws {
        var lab = AgentLab()
        lab.sendSignals(["evacuation"])
        for number in 0..<(2 * FleetSignals.most) { _ = lab.message("b/signal/\(number)", "on", retained: true) }
        let on = lab.message("all/signal/evacuation", "on", retained: true)
        #expect(on.calls == [.set("evacuation", true, lease: FleetSignals.lease)])
        try lab.answer(on)
        for number in 0..<(2 * FleetSignals.most) { _ = lab.message("b/signal/x\(number)", "on", retained: true) }
        #expect(lab.message("all/signal/evacuation", "off").calls.count == 1)
        #expect(lab.agent.fleetProblems == ["the broker has more than 64 signals that Tacet does not have"])
    }

    /// The broker may be available before Tacet.
    @Test func subscribesAgainOnceTacetHasReportedItsSignals() {
        var lab = AgentLab(available: false)
        for number in 0...FleetSignals.most { _ = lab.message("b/signal/\(number)", "on", retained: true) }
        #expect(lab.message("all/signal/evacuation", "on", retained: true).calls.isEmpty)
        _ = lab.find()
        let told = lab.sendSignals(["evacuation"])
        #expect(told.contains { if case .subscribe = $0 { true } else { false } })
        let on = lab.message("all/signal/evacuation", "on", retained: true)
        #expect(on.calls == [.set("evacuation", true, lease: FleetSignals.lease)])
        // The board does not subscribe again and again if there are too many signals that Tacet does not have.
        _ = lab.message("b/signal/one-more", "on", retained: true)
        #expect(!lab.sendSignals(["evacuation"]).contains { if case .subscribe = $0 { true } else { false } })
    }

    /// A flood on the bus must not end a lease.
    @Test func signalRefusedByABusyTacetIsSetAgainSoon() throws {
        var lab = AgentLab()
        let on = lab.message("all/signal/evacuation", "on", retained: true)
        let failed = try lab.answer(on, .failure(.unavailable("a full message queue")))
        #expect(failed.news.isEmpty && failed.calls.isEmpty && lab.agent.problems.isEmpty)
        #expect(lab.advance(by: FleetSignals.pause).calls == [.set("evacuation", true, lease: FleetSignals.lease)])
    }

    /// The configuration may be given a signal after other signals have taken its place.
    @Test func droppedSignalIsRequestedAgainWhenTacetHasIt() throws {
        var lab = AgentLab()
        lab.sendSignals(["alarm"])
        let on = lab.message("all/signal/new", "on", retained: true)
        try lab.answer(on, .failure(.refused("there is no signal ‘new’")))
        var other = lab
        for number in 0..<FleetSignals.most { _ = lab.message("b/signal/\(number)", "on") }
        #expect(lab.sendSignals(["alarm", "new"]).contains { if case .subscribe = $0 { true } else { false } })
        // A signal that has not been dropped is set at once.
        #expect(other.sendSignals(["alarm", "new"]).calls == [.set("new", true, lease: FleetSignals.lease)])
    }

    @Test func signalIsOnWhileAnyTopicIsOn() throws {
        var lab = AgentLab()
        var effects = lab.message("all/signal/x", "on")
        try lab.answer(effects)
        #expect(lab.message("b/signal/x", "on").calls.isEmpty)
        #expect(lab.message("all/signal/x", "off").calls.isEmpty)
        effects = lab.message("b/signal/x", "")
        #expect(effects.calls == [.set("x", false, lease: FleetSignals.lease)])
    }

    @Test func signalThatTacetRefusesIsAProblemAndTriedAgain() throws {
        var lab = AgentLab()
        let on = lab.message("b/signal/unknown", "on")
        try lab.answer(on, .failure(.refused("there is no signal ‘unknown’")))
        #expect(lab.agent.problems == ["signal unknown from the broker: there is no signal ‘unknown’"])
        #expect(lab.advance(by: .seconds(59)).calls.isEmpty)
        #expect(lab.advance(by: .seconds(1)).calls.count == 1)
    }

    @Test func signalsAreSetAgainAfterARestartOfTacet() throws {
        var lab = AgentLab()
        let on = lab.message("b/signal/x", "on")
        try lab.answer(on)
        lab.lose()
        #expect(lab.find().calls.count == 1)
    }
}
