import MQTT
import Testing

@testable import Fleet

/// Publications and their results.
struct FleetPublicationTests {
    @Test func stateIsPublishedAtMostEvery200MillisecondsAndTheNewestAlways() {
        var lab = AgentLab()
        _ = lab.advance(by: .seconds(1))
        #expect(lab.event("a").published("state").count == 1)
        #expect(lab.event("b").published("state").isEmpty)
        #expect(lab.event("c").published("state").isEmpty)
        #expect(lab.agent.deadline == lab.now.monotonic + .milliseconds(200))
        let last = lab.advance(by: .milliseconds(200)).published("state")
        #expect(last.count == 1 && last[0].contains(#""event":"c""#))
        #expect(lab.advance(by: .seconds(1)).published("state").isEmpty)
    }

    @Test func floodIsIgnoredAndCounted() {
        var lab = AgentLab()
        var calls = 0
        for number in 0..<1000 {
            let effects = lab.message("b/command", #"{"id":"\#(number)","command":"next"}"#)
            calls += effects.calls.count
            if let call = effects.lastCall { _ = lab.give(.answered(call, .answer(name: "success", reason: ""))) }
        }
        #expect(calls == 100)
        #expect(lab.agent.deadline == lab.now.monotonic + .seconds(1))
        #expect(lab.advance(by: .seconds(1)).news == [.flood(ignored: 900, unlogged: 40)])
        _ = lab.advance(by: .seconds(10))
        #expect(lab.message("b/command", "next").calls.count == 1)
    }

    /// Each command makes tacet-mqtt and tacetd write to a disk, which wears out.
    @Test func commandsOfAnHourAreBoundedWhateverTheirRate() throws {
        var lab = AgentLab()
        var calls = 0
        var news: [FleetNews] = []
        var refusal = ""
        for number in 0..<(3600 * 5) {
            let effects = lab.message("b/command", #"{"id":"\#(number)","command":"volume -6dB"}"#)
            calls += effects.calls.count
            news += effects.news
            if let call = effects.lastCall { _ = lab.give(.answered(call, .answer(name: "success", reason: ""))) }
            refusal = effects.published("answer").last ?? refusal
            lab.settle()
            lab.now.monotonic += .milliseconds(200)
            lab.now.wallClock += .milliseconds(200)
        }
        #expect((699...701).contains(calls))
        #expect(refusal.contains(#""answer":"refused","reason":"this board executes at most 600 commands an hour"#))
        // The commands do not fill the journal either.
        let executed = news.count { if case .executed = $0 { true } else { false } }
        #expect((400...500).contains(executed), "\(executed)")
        // Nor do the commands prevent announcements from being executed and remembered.
        let announced = lab.message("b/announce", #"{"id":"a","sound":"gong"}"#)
        #expect(announced.calls.count == 1)
        #expect(announced.contains { if case .remember(let entry) = $0 { entry.id == "announce id a" } else { false } })
    }

    @Test func floodOfMalformedMessagesDoesNotFillTheJournal() {
        var lab = AgentLab()
        var news: [FleetNews] = []
        // Signals are never ignored.
        for _ in 0..<1000 { news += lab.message("b/signal/x", "maybe").news }
        #expect(news.count == 20)
        for _ in 0..<59 {
            lab.now.monotonic += .seconds(1)
            for _ in 0..<10 { news += lab.message("b/signal/x", "maybe").news }
        }
        let floods = news.compactMap { if case .flood(_, let unlogged) = $0 { unlogged } else { nil } }
        let rejections = news.count - floods.count
        #expect(floods.count == 1, "once a minute")
        #expect((30...33).contains(rejections), "a burst of 20, and one in five seconds")
        news += lab.advance(by: .seconds(10)).news
        let total = news.reduce(0) { if case .flood(_, let unlogged) = $1 { $0 + unlogged } else { $0 + 1 } }
        #expect(total == 1590, "each is reported or counted")
    }

    @Test func signalThatTogglesWithoutEndDoesNotFillTheJournal() {
        var lab = AgentLab()
        var news: [FleetNews] = []
        for number in 0..<1000 { news += lab.message("b/signal/x", number % 2 == 0 ? "on" : "off").news }
        #expect(news.count == 60 && news.first == .signal(topic: "tacet/b/signal/x", isOn: true))
        #expect(lab.advance(by: .seconds(1)).news == [.flood(ignored: 0, unlogged: 940)])
    }

    @Test func repeatedConnectionLossIsAProblemForTenMinutes() {
        var lab = AgentLab()
        for loss in 1...3 {
            #expect(lab.agent.problems.isEmpty)
            let news = lab.give(AgentLab.loss).news
            #expect(news.count { if case .losesConnections = $0 { true } else { false } } == (loss == 3 ? 1 : 0))
            // A failed attempt is not a loss, and a repeated reason is not logged again.
            #expect(lab.give(AgentLab.loss).news.isEmpty)
            lab.now.monotonic += .seconds(60)
            _ = lab.give(.connected(unacknowledged: 0))
        }
        #expect(
            lab.agent.problems == [
                "the connection to the broker was lost 3 times in ten minutes: is another board called b as well"
                    + " (Name= in mqtt.conf)?"
            ])
        _ = lab.give(.subscribed(AgentLab.granted))
        for _ in 0..<420 { _ = lab.advance(by: .seconds(1)) }
        lab.settle()
        #expect(lab.agent.fleetProblems.isEmpty)
    }

    @Test func repeatedConnectionsDoNotFillTheJournal() {
        var lab = AgentLab()
        var news: [FleetNews] = []
        for _ in 0..<500 {
            news += lab.give(AgentLab.loss).news + lab.give(.connected(unacknowledged: 0)).news
            lab.now.monotonic += .milliseconds(20)
        }
        let own = news.count {
            switch $0 {
            case .connected, .disconnected: true
            default: false
            }
        }
        #expect((20...22).contains(own), "\(own)")
    }

    @Test func repeatedTakeoverOfTheSessionNamesTheOtherClient() {
        var lab = AgentLab()
        for _ in 1...3 {
            _ = lab.give(.disconnected(MQTTLoss("the broker ends the connection: Session taken over", .rival)))
            _ = lab.give(.connected(unacknowledged: 0))
        }
        #expect(
            lab.agent.problems == [
                "the connection to the broker was lost 3 times in ten minutes: another client takes this board's session"
                    + " (is another board also called b? If not, see A BROKER in tacet-mqtt(8))"
            ])
    }

    /// The cause is not another board.
    @Test func repeatedConnectionLossForAKnownReasonNamesTheReason() {
        var lab = AgentLab()
        var news: [FleetNews] = []
        for _ in 1...3 {
            news += lab.give(.disconnected(MQTTLoss("Malformed UTF-8", .malformed))).news
            _ = lab.give(.connected(unacknowledged: 0))
        }
        let problem = "the connection to the broker was lost 3 times in ten minutes: Malformed UTF-8"
        #expect(lab.agent.problems == [problem] && news.contains(.losesConnections(problem)))
    }

    /// Otherwise, any client that publishes to such a topic would block every alarm, because a broker may retain and
    /// repeat the message.
    @Test func signalsAreSubscribedByTheirNamesAfterAMalformedTopic() throws {
        var lab = AgentLab()
        func filters(_ effects: [FleetEffect]) -> [[String]] {
            effects.subscriptions.map { $0.filter { $0.contains("/signal/") } }
        }
        lab.sendSignals(["evacuation"])
        _ = lab.give(.disconnected(MQTTLoss("Malformed UTF-8", .malformed)))
        let names = ["b", "g", "all"].map { "tacet/\($0)/signal/evacuation" }
        #expect(filters(lab.give(.connected(unacknowledged: 0))) == [names])
        _ = lab.give(.subscribed(AgentLab.granted))
        #expect(lab.message("all/signal/evacuation", "on", retained: true).calls.count == 1)
        // Tacet has another signal.
        let told = lab.sendSignals(["alarm", "evacuation", "a/b"])
        #expect(filters(told).first?.prefix(2) == ["tacet/b/signal/alarm", "tacet/b/signal/evacuation"])
        // After ten minutes, the next connection subscribes to all signals again.
        _ = lab.advance(by: .seconds(600))
        _ = lab.give(AgentLab.loss)
        #expect(filters(lab.give(.connected(unacknowledged: 0))) == [["b", "g", "all"].map { "tacet/\($0)/signal/+" }])
    }

    @Test func brokerThatAcknowledgesNothingIsAProblemAndLimitsTheQueue() {
        var lab = AgentLab()
        for number in 0..<1000 { _ = lab.event("e\(number)") }
        #expect(lab.agent.link.unacknowledged == BrokerLink.mostUnacknowledged)
        #expect(lab.agent.link.waiting.count <= BrokerLink.mostWaiting)
        _ = lab.advance(by: .seconds(60))
        #expect(lab.agent.problems == ["the broker has not acknowledged anything for a minute"])
        // The deadline has passed once, so the loop does not spin.
        #expect(lab.agent.deadline.map { $0 > lab.now.monotonic } ?? true)
        for _ in 0..<100 { _ = lab.give(.acknowledged(topic: "tacet/b/state", refused: nil)) }
        #expect(lab.agent.problems.isEmpty)
    }

    @Test func answersOutliveEventsWhileTheBrokerIsAway() throws {
        var lab = AgentLab()
        let call = try #require(lab.message("b/command", #"{"id":"c","command":"pause"}"#).lastCall)
        _ = lab.give(AgentLab.loss)
        _ = lab.event("first")
        _ = lab.give(.answered(call, .answer(name: "success", reason: "")))
        for number in 0..<(2 * BrokerLink.mostWaiting) { _ = lab.event("e\(number)") }
        #expect(lab.agent.link.waiting.count == BrokerLink.mostWaiting)
        var back = lab.give(.connected(unacknowledged: 0))
        for _ in 0..<(2 * BrokerLink.mostWaiting) {
            back += lab.give(.acknowledged(topic: "tacet/b/state", refused: nil))
        }
        #expect(back.published("answer") == [#"{"id":"c","board":"b","answer":"success"}"#])
        let events = back.published("event")
        #expect(events.count == BrokerLink.mostWaiting - 1)
        #expect(events.last?.contains(#""event":"e\#(2 * BrokerLink.mostWaiting - 1)""#) ?? false)
    }

    @Test func oldestAnswerIsLostWhenOnlyAnswersWait() {
        var lab = AgentLab()
        _ = lab.give(AgentLab.loss)
        for number in 0...BrokerLink.mostWaiting {
            _ = lab.message("b/command", #"{"id":"\#(number)","fly":1}"#)
            _ = lab.message("b/command", #"{"id":"\#(number)","command":"x","expires_at":1}"#)
            _ = lab.advance(by: .seconds(1))
        }
        _ = lab.event("late")
        #expect(lab.agent.link.waiting.count == BrokerLink.mostWaiting)
        #expect(lab.agent.link.waiting.allSatisfy { $0.topic == "tacet/b/answer" })
    }

    @Test func homeAssistantGetsOneAnnouncementASecondAndNoAnswerIsLostForIt() throws {
        var lab = AgentLab()
        let online = MQTTMessage(topic: "homeassistant/status", payload: Array("online".utf8))
        var published: [FleetEffect] = []
        for _ in 0..<1000 { published += lab.give(.message(online)) }
        #expect(published.count { if case .publish = $0 { true } else { false } } == 1)
        let command = lab.message("b/command", #"{"id":"c","command":"pause"}"#)
        let answered = try lab.answer(command)
        #expect(answered.published("answer").count == 1)
        #expect(lab.advance(by: .seconds(1)).contains { if case .publish = $0 { true } else { false } })
    }

    /// An answer to such a topic would end the connection, each time that it is repeated.
    @Test(arguments: [
        String(repeating: "/", count: 32), "$SYS/x", "$share/a/b", "a/+", "a\u{1}b", String(repeating: "a", count: 257),
        "",
    ])
    func invalidResponseTopicGetsNoAnswer(_ topic: String) throws {
        var lab = AgentLab()
        var message = MQTTMessage(topic: "tacet/b/command", payload: Array(#"{"id":"c","command":"pause"}"#.utf8))
        message.responseTopic = topic
        let effects = lab.give(.message(message))
        let answered = try lab.answer(effects)
        let topics = answered.compactMap { if case .publish(let message) = $0 { message.topic } else { nil } }
        #expect(!topics.contains(topic) && topics.contains("tacet/b/answer"))
    }

    @Test func refusalsOfTheBrokerDoNotFillTheJournal() {
        var lab = AgentLab()
        var news: [FleetNews] = []
        for _ in 0..<1000 { news += lab.give(.acknowledged(topic: "desk", refused: "Quota")).news }
        #expect(news.count == 20 && news.first == .brokerRefused("The broker refuses a publication: Quota."))
    }

    @Test func homeAssistantGetsAnotherAnnouncementWhenItRestarts() {
        var lab = AgentLab()
        let effects = lab.give(.message(MQTTMessage(topic: "homeassistant/status", payload: Array("online".utf8))))
        #expect(
            effects.contains {
                if case .publish(let message) = $0 {
                    message.topic == "homeassistant/device/tacet_b/config"
                } else {
                    false
                }
            })
    }
}
