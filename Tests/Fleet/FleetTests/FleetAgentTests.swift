import AudioSession
import MQTT
import SessionClient
import Testing

@testable import Fleet

/// An agent under test, with a clock of its own.
struct AgentLab {
    var agent: FleetAgent
    var now = Instant(monotonic: .seconds(100), wallClock: .seconds(1_000_000), isSynchronised: true)

    init(connected: Bool = true, available: Bool = true, ruter: RuterSettings = RuterSettings()) {
        agent = FleetAgent(
            FleetAgent.Settings(
                topics: FleetTopics(prefix: "tacet", board: "b", groups: ["g"]), discoveryPrefix: "homeassistant",
                version: "1", ruter: ruter))
        if connected {
            now.monotonic -= FleetSignals.settling
            now.wallClock -= FleetSignals.settling
            _ = give(.connected(unacknowledged: 0))
            _ = give(.subscribed(AgentLab.granted))
            _ = advance(by: FleetSignals.settling)
        }
        if available { _ = give(.update(.available(AgentLab.snapshot()))) }
        settle()
    }

    /// The broker's answer that grants everything.
    static let granted = [Bool](repeating: true, count: 99)

    static func snapshot(_ notifications: [SessionNotification] = []) -> Snapshot {
        Snapshot(Session(policy: Policy(signals: [])), track: nil, position: .zero, notifications: notifications)
    }

    mutating func give(_ input: FleetInput) -> [FleetEffect] { agent.handle(input, at: now) }

    mutating func give(_ event: MQTTEvent) -> [FleetEffect] { give(.broker(event)) }

    static let loss = MQTTEvent.disconnected(MQTTLoss("The connection was lost.", .perhapsRival))

    /// Acknowledges everything and answers the questions about health.
    mutating func settle() {
        for _ in 0..<20 { _ = give(.acknowledged(topic: "tacet/b/state", refused: nil)) }
        for number in 1..<20 { _ = give(.answered(number, .health([]))) }
    }

    /// Answers the next question about health, with the signals that Tacet has.
    @discardableResult
    mutating func tellSignals(_ names: Set<String>) -> [FleetEffect] {
        if agent.health.deadline != nil { _ = advance(by: .seconds(10)) }
        guard let question = agent.calls.purposes.first(where: { $0.value == .health }) else { return [] }
        return give(.answered(question.key, .health([], signals: names)))
    }

    mutating func advance(by time: Duration) -> [FleetEffect] {
        now.monotonic += time
        now.wallClock += time
        return give(.time)
    }

    mutating func message(_ topic: String, _ payload: String, retained: Bool = false) -> [FleetEffect] {
        give(.message(MQTTMessage(topic: "tacet/\(topic)", payload: Array(payload.utf8), isRetained: retained)))
    }

    /// - Parameter sound: what is being heard.
    mutating func event(
        _ name: String, _ notifications: [SessionNotification] = [], sound: SoundID? = nil
    ) -> [FleetEffect] {
        var snapshot = AgentLab.snapshot(notifications)
        snapshot.sound = sound
        return give(
            .update(
                .event(
                    SessionEvent(
                        wallClock: now.wallClock, time: now.monotonic, name: name,
                        snapshot: snapshot))))
    }
}

extension [FleetEffect] {
    var calls: [FleetCall] {
        compactMap { if case .call(_, let call) = $0, call != .health { call } else { nil } }
    }

    var news: [FleetNews] { compactMap { if case .log(let news) = $0 { news } else { nil } } }

    /// The filters of each subscription.
    var subscriptions: [[String]] { compactMap { if case .subscribe(let filters) = $0 { filters } else { nil } } }

    /// Payloads published to a topic of the board.
    func published(_ topic: String) -> [String] {
        compactMap {
            guard case .publish(let message) = $0, message.topic == "tacet/b/\(topic)" else { return nil }
            return String(decoding: message.payload, as: UTF8.self)
        }
    }

    var lastCall: Int? {
        compactMap { if case .call(let number, let call) = $0, call != .health { number } else { nil } }.last
    }
}

struct FleetAgentTests {
    @Test func connectingSubscribesAndAnnouncesTheBoard() {
        var lab = AgentLab(connected: false)
        let effects = lab.give(.connected(unacknowledged: 0))
        let filters = effects.subscriptions.first ?? []
        #expect(filters.contains("tacet/all/announce") && filters.contains("homeassistant/status"))
        #expect(effects.published("availability") == ["online"])
        #expect(effects.published("state").count == 1)
        #expect(effects.published("health").count == 1)
    }

    @Test func commandIsPassedOnOnceForEachID() throws {
        var lab = AgentLab()
        let payload = #"{"id":"c1","command":"pause"}"#
        let first = lab.message("b/command", payload)
        #expect(first.calls == [.command("pause")])
        // Remembered before it is passed on.
        let remembered = try #require(first.firstIndex { if case .remember = $0 { true } else { false } })
        let called = try #require(first.firstIndex { if case .call = $0 { true } else { false } })
        #expect(remembered < called)
        let answered = lab.give(.answered(try #require(first.lastCall), .answer(name: "success", reason: "")))
        #expect(answered.published("answer") == [#"{"id":"c1","board":"b","answer":"success"}"#])

        let second = lab.message("all/command", payload)
        #expect(second.calls.isEmpty)
        #expect(second.published("answer") == [#"{"id":"c1","board":"b","answer":"success"}"#])
        let third = lab.message("b/command", #"{"id":"c1","command":"play"}"#)
        #expect(third.calls.isEmpty)
        #expect(third.published("answer").joined().contains("another request had the id “c1”"))
    }

    @Test func idIsRememberedAcrossARestart() throws {
        var lab = AgentLab()
        _ = lab.message("b/announce", #"{"id":"a","sound":"gong"}"#)
        var next = AgentLab(connected: false, available: false)
        next.agent = FleetAgent(lab.agent.settings, remembered: lab.agent.memory.entries)
        _ = next.give(.connected(unacknowledged: 0))
        _ = next.give(.update(.available(AgentLab.snapshot())))
        let repeated = next.message("b/announce", #"{"id":"a","sound":"gong"}"#)
        #expect(repeated.calls.isEmpty)
        #expect(
            repeated.published("answer") == [
                #"{"id":"a","board":"b","answer":"refused","#
                    + #""reason":"it was obeyed before tacet-mqtt restarted; its answer is lost"}"#
            ])
        // Without a restart, the answer follows.
        #expect(lab.message("b/announce", #"{"id":"a","sound":"gong"}"#).published("answer").isEmpty)
    }

    @Test func memoryIsBounded() {
        var memory = IDMemory()
        for number in 0..<(3 * IDMemory.capacity) { memory.add(IDMemory.Entry(id: "\(number)", checksum: 1)) }
        #expect(memory.entries.count == IDMemory.capacity)
        #expect(memory.find(IDMemory.Entry(id: "0", checksum: 1)) == .new)
        #expect(memory.find(IDMemory.Entry(id: "\(3 * IDMemory.capacity - 1)", checksum: 1)) == .repeated(answer: nil))
    }

    @Test func answerIsForgottenWithItsRequest() {
        var memory = IDMemory()
        let first = IDMemory.Entry(id: "first", checksum: 1)
        memory.add(first)
        memory.note(answer: "old", to: "first")
        #expect(memory.find(first) == .repeated(answer: "old"))
        for number in 0..<IDMemory.capacity { memory.add(IDMemory.Entry(id: "\(number)", checksum: 1)) }
        #expect(memory.find(first) == .new)
        // The same id, much later: its answer is another.
        memory.add(first)
        #expect(memory.find(first) == .repeated(answer: nil))
    }

    @Test func requestThatIsNotObeyedIsInTheJournalAndItsAnswerHasItsID() throws {
        var lab = AgentLab()
        let unknown = lab.message("b/announce", #"{"id":"a","sound":"gong","volume":1}"#)
        #expect(unknown.published("answer").joined().hasPrefix(#"{"id":"a","board":"b","answer":"refused""#))
        #expect(unknown.news.count == 1)
        let late = lab.message("b/announce", #"{"id":"b","sound":"gong","expires_at":1}"#)
        #expect(
            late.news == [.rejected(topic: "tacet/b/announce", reason: "it expired at 1970-01-01T00:00:01.000Z (b)")])
        let call = try #require(lab.message("b/announce", #"{"id":"c","sound":"gogn"}"#).lastCall)
        let receipt = try #require(AnnouncementReceipt([.string("noSuchContent"), .uint64(0)]))
        let answered = lab.give(.answered(call, .receipt(receipt)))
        #expect(
            answered.published("answer").joined().contains(#""reason":"this board has no such sound, or cannot read"#))
        guard case .rejected(_, let reason)? = answered.news.first else { return #expect(Bool(false)) }
        #expect(reason.hasPrefix("this board has no such sound") && reason.hasSuffix(" (c)"))
    }

    @Test func deletingWhatTheBrokerKeepsIsNoRequest() {
        var lab = AgentLab()
        #expect(lab.message("b/command", "").isEmpty && lab.message("all/announce", "").isEmpty)
    }

    @Test func healthIsNotPublishedBeforeItIsKnown() throws {
        var lab = AgentLab(connected: true, available: false)
        #expect(lab.advance(by: .seconds(1)).published("health").isEmpty)
        let available = lab.give(.update(.available(AgentLab.snapshot())))
        #expect(available.published("health").isEmpty)
        let number = available.compactMap { if case .call(let number, .health) = $0 { number } else { nil } }.first
        #expect(lab.give(.answered(try #require(number), .health([]))).published("health") == ["[]"])
    }

    @Test func correlationDataOfMQTT5IsAnID() throws {
        var lab = AgentLab()
        let message = MQTTMessage(
            topic: "tacet/b/command", payload: Array("next".utf8), responseTopic: "desk/answers", correlation: [1, 255])
        let first = lab.give(.message(message))
        #expect(first.calls == [.command("next")])
        let answered = lab.give(.answered(try #require(first.lastCall), .answer(name: "success", reason: "")))
        let publications = answered.compactMap { if case .publish(let message) = $0 { message } else { nil } }
        #expect(publications.contains { $0.topic == "desk/answers" && $0.correlation == [1, 255] })
        #expect(lab.give(.message(message)).calls.isEmpty)
    }

    @Test func announcementIsNeverPassedOnAfterItsExpiry() {
        var lab = AgentLab()
        let late = lab.message("b/announce", #"{"id":"a","sound":"gong","expires_at":1000000}"#)
        #expect(late.calls.isEmpty)
        #expect(late.published("answer").joined().contains(#""answer":"expired""#))
        let inTime = lab.message("b/announce", #"{"id":"b","sound":"gong","priority":30,"expires_at":1000000.5}"#)
        #expect(
            inTime.calls == [
                .announce(
                    FleetAnnouncement(
                        Announcement("gong", priority: 30, maximumPriority: 40), audio: nil,
                        until: lab.now.monotonic + .milliseconds(500)))
            ])
    }

    @Test func withoutATrustworthyClockAnExpiryIsRefusedAndReported() {
        var lab = AgentLab()
        lab.now.isSynchronised = false
        let refused = lab.message("b/announce", #"{"id":"a","sound":"gong","expires_at":2000000}"#)
        #expect(refused.calls.isEmpty)
        #expect(refused.published("answer").joined().contains("clock is not synchronised"))
        #expect(
            lab.agent.problems == [
                "the clock is not synchronised: announcements with expires_at are refused (is there a time server? see"
                    + " TrustClock= in mqtt.conf)"
            ])
        // It was not obeyed, so it can be sent again.
        lab.now.isSynchronised = true
        #expect(lab.message("b/announce", #"{"id":"a","sound":"gong","expires_at":2000000}"#).calls.count == 1)
        #expect(lab.agent.problems.isEmpty)
    }

    @Test func retainedRequestsAreNotObeyed() {
        var lab = AgentLab()
        #expect(lab.message("b/announce", #"{"id":"a","sound":"gong"}"#, retained: true).calls.isEmpty)
        #expect(lab.message("b/command", "pause", retained: true).calls.isEmpty)
    }

    /// A fleet's boards would all read it at each start.
    @Test(arguments: ["b/announce", "all/command"]) func retainedRequestIsRejectedBeforeItIsRead(_ topic: String) {
        var lab = AgentLab()
        let effects = lab.message(topic, #"{"id":"a","#, retained: true)
        #expect(
            effects.published("answer") == [
                #"{"id":null,"board":"b","answer":"refused","reason":"it is retained: publish it without"}"#
            ])
    }

    @Test func announcementHasAtMostTheMaximumPriorityAndItsAnswerSaysSo() throws {
        var lab = AgentLab()
        func announcement(_ effects: [FleetEffect]) -> Announcement? {
            if case .announce(let order)? = effects.calls.first { order.announcement } else { nil }
        }
        let high = lab.message("b/announce", #"{"id":"a","sound":"gong","priority":100}"#)
        #expect(announcement(high)?.priority == 40)
        let receipt = try #require(AnnouncementReceipt([.string("deferred"), .uint64(9)]))
        let reason = "its priority of 100 was lowered to 40, the MaximumPriority= of this board"
        #expect(
            lab.give(.answered(try #require(high.lastCall), .receipt(receipt))).published("answer") == [
                #"{"id":"a","board":"b","answer":"deferred","reason":"\#(reason)"}"#
            ])
        #expect(announcement(lab.message("b/announce", #"{"id":"b","sound":"gong","priority":40}"#))?.priority == 40)
        // The sound's own can be higher, too: Tacet limits it.
        let own = announcement(lab.message("b/announce", #"{"id":"c","sound":"gong"}"#))
        #expect(own?.priority == nil && own?.maximumPriority == 40)
    }

    @Test func announcementCannotBeACommand() {
        var lab = AgentLab()
        let effects = lab.message("b/command", #"{"id":"a","command":"announce gong"}"#)
        #expect(effects.calls.isEmpty)
        #expect(effects.published("answer").first?.contains("announcements have a topic") ?? false)
        #expect(lab.message("b/command", " announce  gong").calls.isEmpty)
    }

    @Test func audioThatWaitsForTacetIsBounded() {
        var lab = AgentLab(available: false)
        let audio = String(repeating: "QUJD", count: CarriedAudio.longest / 3)
        for number in 0..<4 {
            let effects = lab.message("b/announce", #"{"id":"\#(number)","sound":"gong","audio":"\#(audio)"}"#)
            #expect(effects.published("answer").isEmpty)
        }
        let refused = lab.message("b/announce", #"{"id":"4","sound":"gong","audio":"\#(audio)"}"#)
        #expect(refused.published("answer").first?.contains("too much audio waits") ?? false)
        #expect(lab.message("b/announce", #"{"id":"5","sound":"gong"}"#).published("answer").isEmpty)
    }

    @Test func writesOfAnyHourAreBounded() {
        let minute = Duration.seconds(60)
        func admitted(_ writes: [(bytes: Int, time: Duration)]) -> [Bool] {
            var budget = WriteBudget()
            return writes.map { budget.admits($0.bytes, at: $0.time) }
        }
        let most = WriteBudget.mostFiles
        let files = admitted(
            (0..<most).map { (1, minute * ($0 / 10)) } + [(1, minute * 59)]
                // The first ten are an hour old.
                + (0..<11).map { _ in (1, minute * 60) })
        #expect(files[..<most].allSatisfy { $0 })
        #expect(Array(files[most...]) == [false] + Array(repeating: true, count: 10) + [false])
        let half = WriteBudget.mostBytes / 2
        let bytes = admitted([(half, .zero), (half, minute), (1, minute * 59), (half, minute * 60), (1, minute * 60)])
        #expect(bytes == [true, true, false, true, false])
    }

    @Test func announcementWaitsForTacetUntilItExpires() {
        var lab = AgentLab()
        _ = lab.give(.update(.unavailable(.notRunning)))
        #expect(lab.message("b/announce", #"{"id":"a","sound":"gong","expires_at":1000003}"#).calls.isEmpty)
        #expect(lab.message("b/announce", #"{"id":"a","sound":"gong","expires_at":1000003}"#).calls.isEmpty)
        #expect(lab.message("b/announce", #"{"id":"b","sound":"gong","expires_at":1000001}"#).calls.isEmpty)
        let expired = lab.advance(by: .seconds(1))
        #expect(expired.published("answer").count == 1)
        let back = lab.give(.update(.available(AgentLab.snapshot())))
        #expect(
            back.calls == [
                .announce(
                    FleetAnnouncement(
                        Announcement("gong", maximumPriority: 40), audio: nil,
                        until: lab.now.monotonic + .seconds(2)))
            ])
        #expect(lab.message("b/announce", #"{"id":"a","sound":"gong","expires_at":1000003}"#).calls.isEmpty)
    }

    @Test func idIsHeldOnceWhileTacetIsAway() {
        var lab = AgentLab()
        _ = lab.give(.update(.unavailable(.notRunning)))
        _ = lab.message("b/announce", #"{"id":"a","sound":"gong","expires_at":1000005}"#)
        let other = lab.message("b/announce", #"{"id":"a","sound":"gong","expires_at":1000006}"#)
        #expect(other.published("answer").joined().contains("another request had the id “a”"))
        #expect(lab.give(.update(.available(AgentLab.snapshot()))).calls.count == 1)
    }

    @Test func announcementThatExpiresWithTacetsReturnIsNotPassedOn() {
        var lab = AgentLab()
        _ = lab.give(.update(.unavailable(.notRunning)))
        _ = lab.message("b/announce", #"{"id":"a","sound":"gong","expires_at":1000003}"#)
        lab.now.monotonic += .seconds(4)
        let back = lab.give(.update(.available(AgentLab.snapshot())))
        #expect(back.calls.isEmpty && back.published("answer").count == 1)
    }

    @Test func announcementIsNotPassedOnIfTheClockWasSetBeyondItsExpiry() {
        var lab = AgentLab()
        _ = lab.give(.update(.unavailable(.notRunning)))
        _ = lab.message("b/announce", #"{"id":"a","sound":"gong","expires_at":1000003}"#)
        lab.now.wallClock += .seconds(3600)
        #expect(lab.give(.update(.available(AgentLab.snapshot()))).calls.isEmpty)
    }

    @Test func repeatedRequestGetsItsOwnAnswer() throws {
        var lab = AgentLab()
        let first = lab.message("b/command", #"{"id":"1","command":"pause"}"#)
        _ = lab.give(.answered(try #require(first.lastCall), .answer(name: "success", reason: "")))
        _ = lab.message("b/command", #"{"id":"1","command":"play"}"#)
        let announced = lab.message("b/announce", #"{"id":"1","sound":"gong"}"#)
        _ = lab.give(.answered(try #require(announced.lastCall), .answer(name: "noSuchContent", reason: "")))
        let repeated = lab.message("b/command", #"{"id":"1","command":"pause"}"#)
        #expect(repeated.published("answer") == [#"{"id":"1","board":"b","answer":"success"}"#])
    }

    @Test func responseTopicThatIsNoneIsIgnoredAndLongCorrelationDataRejected() throws {
        var lab = AgentLab()
        var message = MQTTMessage(
            topic: "tacet/b/command", payload: Array("next".utf8), responseTopic: "a/+", correlation: [1])
        let call = try #require(lab.give(.message(message)).lastCall)
        #expect(lab.give(.answered(call, .answer(name: "success", reason: ""))).published("answer").count == 1)
        message.correlation = Array(repeating: 1, count: FleetAgent.longestCorrelation + 1)
        #expect(lab.give(.message(message)).calls.isEmpty)
    }

    @Test func questionAboutHealthDoesNotSpin() {
        var lab = AgentLab()
        _ = lab.advance(by: .seconds(10))
        _ = lab.event("a")
        lab.now.monotonic += .seconds(1)
        _ = lab.give(.time)
        for _ in 0..<20 { _ = lab.give(.acknowledged(topic: "tacet/b/state", refused: nil)) }
        #expect(lab.agent.deadline.map { $0 > lab.now.monotonic } ?? true, "\(String(describing: lab.agent.deadline))")
    }

    @Test func outcomeOfAnAnnouncementIsPublished() throws {
        var lab = AgentLab()
        let announced = lab.message("b/announce", #"{"id":"a","sound":"gong"}"#)
        let receipt = AnnouncementReceipt([.string("success"), .uint64(9)])
        _ = lab.give(.answered(try #require(announced.lastCall), .receipt(try #require(receipt))))
        #expect(lab.event("assert x", [.soundCut("gong", id: 9, because: .displaced)]).published("answer").isEmpty)
        let ended = lab.event("sound ended gong", [.soundEnded("gong", id: 9)])
        #expect(ended.published("answer") == [#"{"id":"a","board":"b","outcome":"ended"}"#])
        #expect(lab.event("sound ended gong", [.soundEnded("gong", id: 9)]).published("answer").isEmpty)
    }

    @Test func outcomeThatArrivesBeforeItsReceiptIsPublishedAfterTheAnswer() throws {
        var lab = AgentLab()
        let announced = lab.message("b/announce", #"{"id":"a","sound":"gong"}"#)
        #expect(lab.event("sound expired gong", [.soundExpired("gong", id: 9)]).published("answer").isEmpty)
        let receipt = try #require(AnnouncementReceipt([.string("deferred"), .uint64(9)]))
        let answered = lab.give(.answered(try #require(announced.lastCall), .receipt(receipt)))
        #expect(
            answered.published("answer") == [
                #"{"id":"a","board":"b","answer":"deferred"}"#, #"{"id":"a","board":"b","outcome":"expired"}"#,
            ])
        #expect(lab.agent.outcomes.isEmpty)
        // Another client's announcement.
        _ = lab.event("sound ended gong", [.soundEnded("gong", id: 10)])
        #expect(lab.agent.outcomes.isEmpty)
    }

    // MARK: Signals

    @Test func signalIsToldAndRenewedWhileTheBrokerIsConnected() throws {
        var lab = AgentLab()
        let on = lab.message("all/signal/evacuation", "on", retained: true)
        #expect(on.calls == [.set("evacuation", true, lease: FleetSignals.lease)])
        _ = lab.give(.answered(try #require(on.lastCall), .answer(name: "success", reason: "")))
        #expect(lab.advance(by: .seconds(4)).calls.isEmpty)
        let renewed = lab.advance(by: .seconds(1))
        #expect(renewed.calls == [.set("evacuation", true, lease: FleetSignals.lease)])
        _ = lab.give(.answered(try #require(renewed.lastCall), .answer(name: "success", reason: "")))
        _ = lab.give(AgentLab.loss)
        #expect(lab.advance(by: .seconds(60)).calls.isEmpty)
        // It may have ended meanwhile: the level counts again when the broker has repeated it.
        #expect(lab.give(.connected(unacknowledged: 0)).calls.isEmpty)
        #expect(lab.message("all/signal/evacuation", "on", retained: true).calls == on.calls)
    }

    @Test func signalThatTheBrokerNoLongerKeepsIsNotRenewed() throws {
        var lab = AgentLab()
        let on = lab.message("all/signal/x", "on")
        _ = lab.give(.answered(try #require(on.lastCall), .answer(name: "success", reason: "")))
        _ = lab.give(AgentLab.loss)
        _ = lab.give(.connected(unacknowledged: 0))
        _ = lab.give(.subscribed([true]))
        #expect(lab.advance(by: .seconds(10)).calls.isEmpty)
        #expect(lab.agent.deadline.map { $0 > lab.now.monotonic } ?? true)
    }

    @Test func signalEndsIfTheBrokerKeepsOnlyAnotherTopicThatIsOff() throws {
        var lab = AgentLab()
        let off = lab.message("all/signal/x", "off")
        _ = lab.give(.answered(try #require(off.lastCall), .answer(name: "success", reason: "")))
        let on = lab.message("b/signal/x", "on")
        #expect(on.calls == [.set("x", true, lease: FleetSignals.lease)])
        _ = lab.give(.answered(try #require(on.lastCall), .answer(name: "success", reason: "")))
        _ = lab.give(AgentLab.loss)
        _ = lab.give(.connected(unacknowledged: 0))
        _ = lab.give(.subscribed([true]))
        #expect(lab.message("all/signal/x", "off", retained: true).calls.isEmpty, "the other topic can still come")
        #expect(lab.advance(by: FleetSignals.settling).calls == [.set("x", false, lease: FleetSignals.lease)])
    }

    /// A broker that has kept the session delivers what was published meanwhile, and then what it keeps.
    @Test(arguments: [true, false])
    func whatWasPublishedWhileAwayIsNoLevelYet(_ isKept: Bool) throws {
        var lab = AgentLab()
        _ = lab.give(AgentLab.loss)
        _ = lab.give(.connected(unacknowledged: 0))
        #expect(lab.message("all/signal/x", "on").calls.isEmpty)
        #expect(lab.message("all/signal/x", "off").calls.isEmpty)
        #expect(lab.message("all/signal/y", "on").calls.isEmpty)
        _ = lab.give(.subscribed([true]))
        if isKept {
            let kept = lab.message("all/signal/x", "off", retained: true)
            #expect(kept.calls == [.set("x", false, lease: FleetSignals.lease)])
            _ = lab.give(.answered(try #require(kept.lastCall), .answer(name: "success", reason: "")))
            // Published now.
            #expect(lab.message("all/signal/x", "on").calls == [.set("x", true, lease: FleetSignals.lease)])
        }
        let settled = lab.advance(by: FleetSignals.settling).calls
        #expect(settled.contains(.set("y", true, lease: FleetSignals.lease)), "published without being kept")
        #expect(settled.contains(.set("x", false, lease: FleetSignals.lease)) == !isKept)
    }

    @Test func levelThatTacetCannotTakeAtTheMomentIsReportedAgainSoon() throws {
        var lab = AgentLab()
        let on = lab.message("b/signal/x", "on")
        let busy = FleetAnswer.answer(name: "commandFailed", reason: "Tacet is about to stop")
        #expect(lab.give(.answered(try #require(on.lastCall), busy)).calls.isEmpty)
        #expect(lab.agent.deadline == lab.now.monotonic + FleetSignals.pause)
        #expect(lab.advance(by: FleetSignals.pause).calls == [.set("x", true, lease: FleetSignals.lease)])
    }

    @Test func refusedSubscriptionIsAProblem() {
        var lab = AgentLab()
        _ = lab.give(.subscribed([true, true, false] + AgentLab.granted))
        #expect(lab.agent.problems == ["the broker does not let this board subscribe to tacet/b/signal/+"])
        _ = lab.give(.subscribed(AgentLab.granted))
        #expect(lab.agent.problems.isEmpty)
        // An answer for none is a refusal of all.
        _ = lab.give(.subscribed([]))
        #expect(lab.agent.problems.count == 1)
    }

    @Test func subscriptionThatTheBrokerDoesNotAnswerIsAProblemUntilItDoes() {
        var lab = AgentLab()
        _ = lab.give(AgentLab.loss)
        _ = lab.give(.connected(unacknowledged: 0))
        #expect(lab.advance(by: SubscriptionState.timeout - .milliseconds(1)).news.isEmpty)
        let problem = "the broker does not answer the subscription, so its requests may not reach this board"
        #expect(lab.advance(by: .milliseconds(1)).news == [.brokerRefused("Fleet: \(problem).")])
        #expect(lab.agent.problems == [problem])
        // It is reported once, and another connection alone is not an answer.
        #expect(lab.advance(by: SubscriptionState.timeout).news.isEmpty)
        _ = lab.give(AgentLab.loss)
        _ = lab.give(.connected(unacknowledged: 0))
        #expect(lab.agent.problems == [problem])
        _ = lab.give(.subscribed(AgentLab.granted))
        #expect(lab.agent.problems.isEmpty)
    }

    @Test func subscriptionThatCannotBeSentIsAProblem() {
        var lab = AgentLab()
        _ = lab.give(AgentLab.loss)
        _ = lab.give(.connected(unacknowledged: 0))
        #expect(lab.give(.notSubscribed("too large")).news == [.brokerRefused("Fleet: too large.")])
        #expect(lab.agent.problems == ["too large"])
        // Nothing is waited for any more.
        _ = lab.advance(by: SubscriptionState.timeout)
        #expect(lab.agent.problems == ["too large"])
    }

    @Test func publicationThatTheBrokerDoesNotTakeIsAProblemUntilItTakesTheNextOne() {
        var lab = AgentLab()
        _ = lab.give(.acknowledged(topic: "tacet/b/state", refused: "too large"))
        _ = lab.give(.acknowledged(topic: "tacet/b/event", refused: nil))
        // The topics of answers are those of others.
        for topic in (0..<100).flatMap({ ["desk/\($0)", "tacet/b/x\($0)", "tacet/b/answer/\($0)"] }) {
            _ = lab.give(.acknowledged(topic: topic, refused: "not allowed"))
        }
        #expect(lab.agent.problems == ["tacet/b/state is not at the broker: too large"])
        _ = lab.give(.acknowledged(topic: "tacet/b/state", refused: nil))
        #expect(lab.agent.problems.isEmpty)
    }

    @Test func signalsThatTacetDoesNotHaveMakeRoom() throws {
        var lab = AgentLab()
        for number in 0..<FleetSignals.most {
            let on = lab.message("b/signal/\(number)", "on")
            _ = lab.give(.answered(try #require(on.lastCall), .failure(.refused("no"))))
        }
        #expect(lab.message("all/signal/evacuation", "on").calls.count == 1)
    }

    /// Whoever may write to one topic must not keep an alarm of the whole fleet away.
    @Test func signalThatTacetHasIsTakenHoweverManyOthersThereAre() throws {
        var lab = AgentLab()
        lab.tellSignals(["evacuation"])
        for number in 0..<(2 * FleetSignals.most) { _ = lab.message("b/signal/\(number)", "on", retained: true) }
        let on = lab.message("all/signal/evacuation", "on", retained: true)
        #expect(on.calls == [.set("evacuation", true, lease: FleetSignals.lease)])
        _ = lab.give(.answered(try #require(on.lastCall), .answer(name: "success", reason: "")))
        for number in 0..<(2 * FleetSignals.most) { _ = lab.message("b/signal/x\(number)", "on", retained: true) }
        #expect(lab.message("all/signal/evacuation", "off").calls.count == 1)
        #expect(lab.agent.fleetProblems == ["the broker has more than 64 signals that Tacet does not have"])
    }

    /// The broker can be there before Tacet.
    @Test func brokerIsAskedAgainForSignalsOnceTacetHasToldWhichItHas() {
        var lab = AgentLab(available: false)
        for number in 0...FleetSignals.most { _ = lab.message("b/signal/\(number)", "on", retained: true) }
        #expect(lab.message("all/signal/evacuation", "on", retained: true).calls.isEmpty)
        _ = lab.give(.update(.available(AgentLab.snapshot())))
        let told = lab.tellSignals(["evacuation"])
        #expect(told.contains { if case .subscribe = $0 { true } else { false } })
        let on = lab.message("all/signal/evacuation", "on", retained: true)
        #expect(on.calls == [.set("evacuation", true, lease: FleetSignals.lease)])
        // Not for ever, if there are too many of others.
        _ = lab.message("b/signal/one-more", "on", retained: true)
        #expect(!lab.tellSignals(["evacuation"]).contains { if case .subscribe = $0 { true } else { false } })
    }

    /// Whoever floods the bus must not end a lease.
    @Test func signalThatTacetCannotTakeNowIsToldAgainSoon() throws {
        var lab = AgentLab()
        let on = lab.message("all/signal/evacuation", "on", retained: true)
        let failed = lab.give(.answered(try #require(on.lastCall), .failure(.unavailable("a full message queue"))))
        #expect(failed.news.isEmpty && failed.calls.isEmpty && lab.agent.problems.isEmpty)
        #expect(lab.advance(by: FleetSignals.pause).calls == [.set("evacuation", true, lease: FleetSignals.lease)])
    }

    /// The configuration can have a signal later, when others have taken its place.
    @Test func signalThatMadeRoomIsAskedForWhenTacetHasIt() throws {
        var lab = AgentLab()
        lab.tellSignals(["alarm"])
        let on = lab.message("all/signal/new", "on", retained: true)
        _ = lab.give(.answered(try #require(on.lastCall), .failure(.refused("there is no signal ‘new’"))))
        var other = lab
        for number in 0..<FleetSignals.most { _ = lab.message("b/signal/\(number)", "on") }
        #expect(lab.tellSignals(["alarm", "new"]).contains { if case .subscribe = $0 { true } else { false } })
        // If it is still there, it is told at once.
        #expect(other.tellSignals(["alarm", "new"]).calls == [.set("new", true, lease: FleetSignals.lease)])
    }

    @Test func signalIsOnWhileAnyoneSaysSo() throws {
        var lab = AgentLab()
        var effects = lab.message("all/signal/x", "on")
        _ = lab.give(.answered(try #require(effects.lastCall), .answer(name: "success", reason: "")))
        #expect(lab.message("b/signal/x", "on").calls.isEmpty)
        #expect(lab.message("all/signal/x", "off").calls.isEmpty)
        effects = lab.message("b/signal/x", "")
        #expect(effects.calls == [.set("x", false, lease: FleetSignals.lease)])
    }

    @Test func signalThatTacetRefusesIsAProblemAndTriedAgain() throws {
        var lab = AgentLab()
        let on = lab.message("b/signal/unknown", "on")
        _ = lab.give(.answered(try #require(on.lastCall), .failure(.refused("there is no signal ‘unknown’"))))
        #expect(lab.agent.problems == ["signal unknown from the broker: there is no signal ‘unknown’"])
        #expect(lab.advance(by: .seconds(59)).calls.isEmpty)
        #expect(lab.advance(by: .seconds(1)).calls.count == 1)
    }

    @Test func restartedTacetIsToldAgain() throws {
        var lab = AgentLab()
        let on = lab.message("b/signal/x", "on")
        _ = lab.give(.answered(try #require(on.lastCall), .answer(name: "success", reason: "")))
        _ = lab.give(.update(.unavailable(.notRunning)))
        #expect(lab.give(.update(.available(AgentLab.snapshot()))).calls.count == 1)
    }

    // MARK: What is published

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
        #expect(lab.advance(by: .seconds(1)).news == [.flood(ignored: 900, unlogged: 0)])
        #expect(lab.message("b/command", "next").calls.count == 1)
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

    @Test func connectionThatIsLostAgainAndAgainIsAProblemForTenMinutes() {
        var lab = AgentLab()
        for loss in 1...3 {
            #expect(lab.agent.problems.isEmpty)
            let news = lab.give(AgentLab.loss).news
            #expect(news.count { if case .losesConnections = $0 { true } else { false } } == (loss == 3 ? 1 : 0))
            // An attempt that fails is no loss, and the same reason no news.
            #expect(lab.give(AgentLab.loss).news.isEmpty)
            lab.now.monotonic += .seconds(60)
            _ = lab.give(.connected(unacknowledged: 0))
        }
        #expect(
            lab.agent.problems == [
                "the connection to the broker was lost 3 times in ten minutes: is another board called b, too"
                    + " (Name= in mqtt.conf)?"
            ])
        _ = lab.give(.subscribed(AgentLab.granted))
        for _ in 0..<420 { _ = lab.advance(by: .seconds(1)) }
        lab.settle()
        #expect(lab.agent.fleetProblems.isEmpty)
    }

    /// Another board is not to blame.
    @Test func connectionThatIsLostForAKnownReasonAgainAndAgainIsAProblemThatNamesTheReason() {
        var lab = AgentLab()
        var news: [FleetNews] = []
        for _ in 1...3 {
            news += lab.give(.disconnected(MQTTLoss("Malformed UTF-8", .malformed))).news
            _ = lab.give(.connected(unacknowledged: 0))
        }
        let problem = "the connection to the broker was lost 3 times in ten minutes: Malformed UTF-8"
        #expect(lab.agent.problems == [problem] && news.contains(.losesConnections(problem)))
    }

    /// Whoever publishes such a topic would otherwise keep every alarm away: a broker may keep and repeat it.
    @Test func signalsAreSubscribedByTheirNamesAfterAMalformedTopic() throws {
        var lab = AgentLab()
        func filters(_ effects: [FleetEffect]) -> [[String]] {
            effects.subscriptions.map { $0.filter { $0.contains("/signal/") } }
        }
        lab.tellSignals(["evacuation"])
        _ = lab.give(.disconnected(MQTTLoss("Malformed UTF-8", .malformed)))
        let names = ["b", "g", "all"].map { "tacet/\($0)/signal/evacuation" }
        #expect(filters(lab.give(.connected(unacknowledged: 0))) == [names])
        _ = lab.give(.subscribed(AgentLab.granted))
        #expect(lab.message("all/signal/evacuation", "on", retained: true).calls.count == 1)
        // Tacet has another one.
        let told = lab.tellSignals(["alarm", "evacuation", "a/b"])
        #expect(filters(told).first?.prefix(2) == ["tacet/b/signal/alarm", "tacet/b/signal/evacuation"])
        // After ten minutes the next connection tries all.
        _ = lab.advance(by: .seconds(600))
        _ = lab.give(AgentLab.loss)
        #expect(filters(lab.give(.connected(unacknowledged: 0))) == [["b", "g", "all"].map { "tacet/\($0)/signal/+" }])
    }

    @Test func brokerThatAcknowledgesNothingIsAProblemAndBoundsWhatWaits() {
        var lab = AgentLab()
        for number in 0..<1000 { _ = lab.event("e\(number)") }
        #expect(lab.agent.link.unacknowledged == BrokerLink.mostUnacknowledged)
        #expect(lab.agent.link.waiting.count <= BrokerLink.mostWaiting)
        _ = lab.advance(by: .seconds(60))
        #expect(lab.agent.problems == ["the broker has acknowledged nothing for a minute"])
        // The deadline has passed once: the loop does not spin.
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
        let answered = lab.give(.answered(try #require(command.lastCall), .answer(name: "success", reason: "")))
        #expect(answered.published("answer").count == 1)
        #expect(lab.advance(by: .seconds(1)).contains { if case .publish = $0 { true } else { false } })
    }

    /// It would end the connection, and again at each repetition.
    @Test(arguments: [
        String(repeating: "/", count: 32), "$SYS/x", "$share/a/b", "a/+", "a\u{1}b", String(repeating: "a", count: 257),
        "",
    ])
    func topicThatABrokerDoesNotTakeGetsNoAnswer(_ topic: String) throws {
        var lab = AgentLab()
        var message = MQTTMessage(topic: "tacet/b/command", payload: Array(#"{"id":"c","command":"pause"}"#.utf8))
        message.responseTopic = topic
        let effects = lab.give(.message(message))
        let answered = lab.give(.answered(try #require(effects.lastCall), .answer(name: "success", reason: "")))
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
