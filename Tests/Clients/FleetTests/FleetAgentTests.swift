import AudioSession
import MQTT
import SessionClient
import Testing

@testable import Fleet

/// Requests and their answers.
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
        // The request is remembered before it is passed on.
        let remembered = try #require(first.firstIndex { if case .remember = $0 { true } else { false } })
        let called = try #require(first.firstIndex { if case .call = $0 { true } else { false } })
        #expect(remembered < called)
        let answered = try lab.answer(first)
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
                    + #""reason":"it was executed before tacet-mqtt restarted, so its answer is lost"}"#
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
        // When the same id is used again much later, the old answer is not returned.
        memory.add(first)
        #expect(memory.find(first) == .repeated(answer: nil))
    }

    @Test func requestThatIsNotExecutedIsInTheJournalAndItsAnswerHasItsID() throws {
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

    @Test func deletingARetainedMessageIsNotARequest() {
        var lab = AgentLab()
        #expect(lab.message("b/command", "").isEmpty && lab.message("all/announce", "").isEmpty)
    }

    @Test func healthIsNotPublishedBeforeItIsKnown() throws {
        var lab = AgentLab(connected: true, available: false)
        #expect(lab.advance(by: .seconds(1)).published("health").isEmpty)
        let available = lab.find()
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
        let answered = try lab.answer(first)
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
                "the clock is not synchronised, so announcements with expires_at are refused (is there a time server? see"
                    + " TrustClock= in mqtt.conf)"
            ])
        // The announcement was not executed, so it can be sent again.
        lab.now.isSynchronised = true
        #expect(lab.message("b/announce", #"{"id":"a","sound":"gong","expires_at":2000000}"#).calls.count == 1)
        #expect(lab.agent.problems.isEmpty)
    }

    @Test func retainedRequestsAreNotExecuted() {
        var lab = AgentLab()
        #expect(lab.message("b/announce", #"{"id":"a","sound":"gong"}"#, retained: true).calls.isEmpty)
        #expect(lab.message("b/command", "pause", retained: true).calls.isEmpty)
    }

    /// Otherwise, all boards of a fleet would parse retained requests each time they start.
    @Test(arguments: ["b/announce", "all/command"]) func retainedRequestIsRejectedBeforeItIsRead(_ topic: String) {
        var lab = AgentLab()
        let effects = lab.message(topic, #"{"id":"a","#, retained: true)
        #expect(
            effects.published("answer") == [
                #"{"id":null,"board":"b","answer":"refused","reason":"it is retained, so publish it without the retain flag"}"#
            ])
    }

    @Test func announcementIsLimitedToTheMaximumPriorityAndItsAnswerReportsIt() throws {
        var lab = AgentLab()
        func announcement(_ effects: [FleetEffect]) -> Announcement? {
            if case .announce(let order)? = effects.calls.first { order.announcement } else { nil }
        }
        let high = lab.message("b/announce", #"{"id":"a","sound":"gong","priority":100}"#)
        #expect(announcement(high)?.priority == 40)
        let receipt = try #require(AnnouncementReceipt([.string("deferred"), .uint64(9)]))
        let reason = "its priority of 100 was lowered to 40, the MaximumPriority= of this board"
        #expect(
            try lab.answer(high, .receipt(receipt)).published("answer") == [
                #"{"id":"a","board":"b","answer":"deferred","reason":"\#(reason)"}"#
            ])
        #expect(announcement(lab.message("b/announce", #"{"id":"b","sound":"gong","priority":40}"#))?.priority == 40)
        // The sound's own priority may also be higher, but Tacet limits it.
        let own = announcement(lab.message("b/announce", #"{"id":"c","sound":"gong"}"#))
        #expect(own?.priority == nil && own?.maximumPriority == 40)
    }

    @Test func announcementCannotBeACommand() {
        var lab = AgentLab()
        let effects = lab.message("b/command", #"{"id":"a","command":"announce gong"}"#)
        #expect(effects.calls.isEmpty)
        #expect(effects.published("answer").first?.contains("announcements have their own topic") ?? false)
        #expect(lab.message("b/command", " announce  gong").calls.isEmpty)
    }

    @Test func audioOfHeldAnnouncementsIsLimited() {
        var lab = AgentLab(available: false)
        let audio = String(repeating: "QUJD", count: CarriedAudio.longest / 3)
        for number in 0..<4 {
            let effects = lab.message("b/announce", #"{"id":"\#(number)","sound":"gong","audio":"\#(audio)"}"#)
            #expect(effects.published("answer").isEmpty)
        }
        let refused = lab.message("b/announce", #"{"id":"4","sound":"gong","audio":"\#(audio)"}"#)
        #expect(refused.published("answer").first?.contains("too much audio is already waiting") ?? false)
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
                // The first ten announcements are an hour old.
                + (0..<11).map { _ in (1, minute * 60) })
        #expect(files[..<most].allSatisfy { $0 })
        #expect(files[most...].enumerated().allSatisfy { $1 == (1...10).contains($0) } && files.count == most + 12)
        let half = WriteBudget.mostBytes / 2
        let bytes = admitted([(half, .zero), (half, minute), (1, minute * 59), (half, minute * 60), (1, minute * 60)])
        #expect(bytes == [true, true, false, true, false])
    }

    @Test func announcementWaitsForTacetUntilItExpires() {
        var lab = AgentLab()
        lab.lose()
        #expect(lab.message("b/announce", #"{"id":"a","sound":"gong","expires_at":1000003}"#).calls.isEmpty)
        #expect(lab.message("b/announce", #"{"id":"a","sound":"gong","expires_at":1000003}"#).calls.isEmpty)
        #expect(lab.message("b/announce", #"{"id":"b","sound":"gong","expires_at":1000001}"#).calls.isEmpty)
        let expired = lab.advance(by: .seconds(1))
        #expect(expired.published("answer").count == 1)
        let back = lab.find()
        #expect(
            back.calls == [
                .announce(
                    FleetAnnouncement(
                        Announcement("gong", maximumPriority: 40), audio: nil,
                        until: lab.now.monotonic + .seconds(2)))
            ])
        #expect(lab.message("b/announce", #"{"id":"a","sound":"gong","expires_at":1000003}"#).calls.isEmpty)
    }

    @Test func repeatedIDIsHeldOnceWhileTacetIsAway() {
        var lab = AgentLab()
        lab.lose()
        _ = lab.message("b/announce", #"{"id":"a","sound":"gong","expires_at":1000005}"#)
        let other = lab.message("b/announce", #"{"id":"a","sound":"gong","expires_at":1000006}"#)
        #expect(other.published("answer").joined().contains("another request had the id “a”"))
        #expect(lab.find().calls.count == 1)
    }

    @Test func announcementThatExpiresWithTacetsReturnIsNotPassedOn() {
        var lab = AgentLab()
        lab.lose()
        _ = lab.message("b/announce", #"{"id":"a","sound":"gong","expires_at":1000003}"#)
        lab.now.monotonic += .seconds(4)
        let back = lab.find()
        #expect(back.calls.isEmpty && back.published("answer").count == 1)
    }

    @Test func announcementIsNotPassedOnIfTheClockWasSetBeyondItsExpiry() {
        var lab = AgentLab()
        lab.lose()
        _ = lab.message("b/announce", #"{"id":"a","sound":"gong","expires_at":1000003}"#)
        lab.now.wallClock += .seconds(3600)
        #expect(lab.find().calls.isEmpty)
    }

    @Test func repeatedRequestGetsItsOwnAnswer() throws {
        var lab = AgentLab()
        let first = lab.message("b/command", #"{"id":"1","command":"pause"}"#)
        try lab.answer(first)
        _ = lab.message("b/command", #"{"id":"1","command":"play"}"#)
        let announced = lab.message("b/announce", #"{"id":"1","sound":"gong"}"#)
        try lab.answer(announced, .answer(name: "noSuchContent", reason: ""))
        let repeated = lab.message("b/command", #"{"id":"1","command":"pause"}"#)
        #expect(repeated.published("answer") == [#"{"id":"1","board":"b","answer":"success"}"#])
    }

    @Test func invalidResponseTopicIsIgnoredAndLongCorrelationDataRejected() throws {
        var lab = AgentLab()
        var message = MQTTMessage(
            topic: "tacet/b/command", payload: Array("next".utf8), responseTopic: "a/+", correlation: [1])
        let call = try #require(lab.give(.message(message)).lastCall)
        #expect(lab.give(.answered(call, .answer(name: "success", reason: ""))).published("answer").count == 1)
        message.correlation = Array(repeating: 1, count: FleetAgent.longestCorrelation + 1)
        #expect(lab.give(.message(message)).calls.isEmpty)
    }

    /// Otherwise, a client that may only send commands could make others read a false state.
    @Test(arguments: [
        "tacet/b/health", "tacet/b/state", "tacet/b/availability", "tacet/b/event", "tacet/b/command", "tacet/c/state",
        "tacet/all/signal/evacuation", "tacet/g/announce", "homeassistant/device/tacet_b/config",
        "homeassistant/status",
    ])
    func answerIsNotPublishedToATopicThatBoardsUse(_ topic: String) throws {
        var lab = AgentLab()
        let message = MQTTMessage(
            topic: "tacet/b/command", payload: Array(#"{"id":"c","command":"pause"}"#.utf8), responseTopic: topic)
        let call = try #require(lab.give(.message(message)).lastCall)
        let answered = lab.give(.answered(call, .answer(name: "success", reason: "")))
        #expect(answered.count { if case .publish = $0 { true } else { false } } == 1)
        #expect(
            answered.published("answer") == [
                #"{"id":"c","board":"b","answer":"success","#
                    + #""reason":"its response topic is not used, because boards or Home Assistant use it"}"#
            ])
    }

    @Test func answerCanGoToATopicBesideThoseOfTheBoards() throws {
        var lab = AgentLab()
        let message = MQTTMessage(
            topic: "tacet/b/command", payload: Array("next".utf8), responseTopic: "tacet/desk/answer")
        let call = try #require(lab.give(.message(message)).lastCall)
        let answered = lab.give(.answered(call, .answer(name: "success", reason: "")))
        #expect(
            answered.contains {
                if case .publish(let answer) = $0 { answer.topic == "tacet/desk/answer" } else { false }
            })
    }

    @Test func healthQueryDoesNotSpin() {
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
        try lab.answer(announced, .receipt(try #require(receipt)))
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
        let answered = try lab.answer(announced, .receipt(receipt))
        #expect(
            answered.published("answer") == [
                #"{"id":"a","board":"b","answer":"deferred"}"#, #"{"id":"a","board":"b","outcome":"expired"}"#,
            ])
        #expect(lab.agent.outcomes.isEmpty)
        // This announcement comes from another client.
        _ = lab.event("sound ended gong", [.soundEnded("gong", id: 10)])
        #expect(lab.agent.outcomes.isEmpty)
    }

    /// Programs on the board must also be able to announce, whatever the broker's clients send.
    @Test func announcementsFromTheBrokerTakeOnlyAPartOfThePlaces() throws {
        var lab = AgentLab()
        func announce(_ id: Int) throws -> Bool {
            let effects = lab.message("b/announce", #"{"id":"\#(id)","sound":"gong","expires_at":253402300799}"#)
            guard let call = effects.lastCall else {
                let reason = "8 announcements from the broker are open already"
                #expect(effects.published("answer").joined().contains(reason))
                return false
            }
            let receipt = try #require(AnnouncementReceipt([.string("deferred"), .uint64(UInt64(id))]))
            _ = lab.give(.answered(call, .receipt(receipt)))
            return true
        }
        let results = try (1...10).map(announce)
        #expect(results == Array(repeating: true, count: 8) + [false, false])
        _ = lab.event("sound ended gong", [.soundEnded("gong", id: 3)])
        let later = try [11, 12].map(announce)
        #expect(later == [true, false])
    }

    @Test func announcementsThatTacetHasNotAnsweredTakePlacesToo() {
        var lab = AgentLab()
        let calls = (1...10).flatMap { lab.message("b/announce", #"{"id":"\#($0)","sound":"gong"}"#).calls }
        #expect(calls.count == 8)
        _ = lab.give(.update(.unavailable(.notRunning)))
        for number in 11...30 { _ = lab.message("b/announce", #"{"id":"\#(number)","sound":"gong"}"#) }
        #expect(lab.agent.held.isEmpty)
    }

    /// Otherwise, the announcement would occupy its place in the queue for ever.
    @Test(arguments: [false, true]) func announcementWhoseEndWasMissedIsLost(afterAnotherSound: Bool) throws {
        var lab = AgentLab()
        let call = try #require(lab.message("b/announce", #"{"id":"a","sound":"gong"}"#).lastCall)
        let receipt = try #require(AnnouncementReceipt([.string("success"), .uint64(9)]))
        _ = lab.give(.answered(call, .receipt(receipt)))
        lab.settle()
        // The event for the end may be on its way.
        #expect(lab.event("pause", sound: afterAnotherSound ? "gong" : nil).published("answer").isEmpty)
        #expect(lab.advance(by: .seconds(29)).published("answer").isEmpty)
        var effects = lab.advance(by: .seconds(1))
        if afterAnotherSound {
            #expect(effects.published("answer").isEmpty)
            effects = lab.event("play")
        }
        #expect(effects.published("answer") == [#"{"id":"a","board":"b","outcome":"lost"}"#])
        #expect(lab.agent.outcomes.isEmpty)
    }
}
