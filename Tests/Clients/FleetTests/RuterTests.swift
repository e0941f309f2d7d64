import AudioSession
import MQTT
import SessionClient
import Testing
import Time

@testable import Fleet

/// Ruter's vehicle API, according to its published schemas and examples:
/// <https://github.com/RuterNo/adt-doc/tree/master/asyncapi/json-schemas>
struct RuterTests {
    private static let settings = RuterSettings(
        audio: RuterSettings.Audio(
            topic: "pe/audio", sound: "next-stop", speakers: ["INTERNAL", "DRIVER"],
            server: "http://webserver.local/resources/"),
        stopRequest: RuterSettings.StopRequest(
            topic: "sensors/stop_button", signal: "stop", accessibleSignal: "blue-button"),
        door: RuterSettings.Door(topic: "sensors/door", signal: "door"))

    /// Returns an agent at a given time, with a synchronised clock.
    private static func lab(at time: String = "2018-11-13T08:39:33Z", available: Bool = true) throws -> AgentLab {
        var lab = AgentLab(connected: false, available: available, ruter: settings)
        lab.now.wallClock = try #require(Timestamp.parse(time))
        _ = lab.give(.connected(unacknowledged: 0))
        lab.settle()
        return lab
    }

    private static func message(_ payload: String, retained: Bool = false) -> MQTTEvent {
        .message(MQTTMessage(topic: "pe/audio", payload: Array(payload.utf8), isRetained: retained))
    }

    /// Returns a message like the published example with two files, but with two tiny files instead of the truncated
    /// ones.
    private static func example(
        trace: String = "3841a268-0c03-4588-b476-211be0f26a0d", first: String = #""content":"T25l""#,
        second: String = #""content":"VHdv""#
    ) -> String {
        #"""
        {"traceId":"\#(trace)","eventTimestamp":"2018-11-13T11:40:02.749Z",
         "expiryDateTime":"2018-11-13T08:40:32.249Z","preferredStartDateTime":"2018-11-13T08:39:32.749Z",
         "ref":"RUT:StopPlace:03012453","source":"campaign","audio":[
          {"encoding":"MP3",\#(first),"speakers":{"INTERNAL":70}},
          {"encoding":"MP3",\#(second),"speakers":{"INTERNAL":70,"EXTERNAL":40}}]}
        """#
    }

    private func announcements(_ effects: [FleetEffect]) -> [FleetAnnouncement] {
        effects.calls.compactMap { if case .announce(let order) = $0 { order } else { nil } }
    }

    private func rejections(_ effects: [FleetEffect]) -> [String] {
        effects.compactMap { if case .log(.rejected(_, let reason)) = $0 { reason } else { nil } }
    }

    private func downloads(_ effects: [FleetEffect]) -> [(number: Int, url: String, within: Duration)] {
        effects.compactMap {
            if case .download(let number, let url, let time) = $0 { (number, url, time) } else { nil }
        }
    }

    @Test func topicIsSubscribed() throws {
        var lab = AgentLab(connected: false, ruter: RuterTests.settings)
        let filters = lab.give(.connected(unacknowledged: 0)).subscriptions.joined()
        #expect(filters.contains("pe/audio"))
    }

    @Test func publishedExampleIsHeardInItsOrderOnceAtItsVolume() throws {
        var lab = try RuterTests.lab()
        let effects = lab.give(RuterTests.message(RuterTests.example()))
        let heard = announcements(effects)
        #expect(heard.map(\.announcement.sound) == ["next-stop", "next-stop"])
        #expect(heard.map { String(decoding: $0.audio?.bytes ?? [], as: UTF8.self) } == ["One", "Two"])
        #expect(heard.allSatisfy { abs($0.level.decibels + 3.098) < 0.001 })
        // 59.249 s are left.
        #expect(heard.allSatisfy { $0.until == lab.now.monotonic + .milliseconds(59_249) })
        let remembered = try #require(effects.firstIndex { if case .remember = $0 { true } else { false } })
        let called = try #require(effects.firstIndex { if case .call = $0 { true } else { false } })
        #expect(remembered < called)
        #expect(announcements(lab.give(RuterTests.message(RuterTests.example()))).isEmpty)
        let other = lab.give(RuterTests.message(RuterTests.example(first: #""content":"QUJD""#)))
        #expect(announcements(other).isEmpty && rejections(other).joined().contains("another message had the traceId"))
    }

    /// The published example of local files, without traceId, but with `speaker`, `volume` and `contentUrl`.
    @Test func exampleOfAnEarlierVersionIsHeardAfterItsDownload() throws {
        var lab = try RuterTests.lab()
        let payload = #"""
            {"eventDateTime":"2018-11-13T11:40:02.749Z","expiryDateTime":"2018-11-13T08:40:32.249Z",
             "preferredStartDateTime":"2018-11-13T08:39:32.749Z","ref":"RUT:StopPlace:03012453","audio":[
              {"encoding":"OPUS","contentUrl":"http://webserver.local/resources/safety_long.opus",
               "speaker":"INTERNAL","volume":70},
              {"encoding":"MP3","content":"VHdv","speaker":"INTERNAL","volume":70}]}
            """#
        let effects = lab.give(RuterTests.message(payload))
        // The second file does not overtake the first.
        #expect(announcements(effects).isEmpty)
        let download = try #require(downloads(effects).first)
        #expect(download.url == "http://webserver.local/resources/safety_long.opus" && download.within == .seconds(10))
        // In the meantime, the message is delivered again.
        #expect(downloads(lab.give(RuterTests.message(payload))).isEmpty)
        // The next message does not overtake it either.
        #expect(announcements(lab.give(RuterTests.message(RuterTests.example()))).isEmpty)
        let downloaded = lab.give(.downloaded(download.number, .success(Array("One".utf8))))
        let heard = announcements(downloaded)
        #expect(heard.map { String(decoding: $0.audio?.bytes ?? [], as: UTF8.self) } == ["One", "Two"])
        #expect(announcements(lab.give(RuterTests.message(payload))).isEmpty)
        // The next message waits for the end of both files. One of them is over before Tacet's answer arrives.
        let number = try #require(downloaded.lastCall)
        let receipts = try (1...2).map { try #require(AnnouncementReceipt([.string("success"), .uint64($0)])) }
        #expect(lab.give(.answered(number - 1, .receipt(receipts[0]))).calls.isEmpty)
        #expect(lab.event("x", [.soundEnded("next-stop", id: 2)], sound: "next-stop").calls.isEmpty)
        #expect(lab.give(.answered(number, .receipt(receipts[1]))).calls.isEmpty)
        let ended = lab.event("x", [.soundEnded("next-stop", id: 1)], sound: "next-stop")
        #expect(announcements(ended).count == 2)
        #expect(lab.agent.outcomes.isEmpty)
    }

    @Test func filesOfAListHaveTwoMinutesAndASingleFileTheSoundsOwnTime() throws {
        var lab = try RuterTests.lab()
        let file = #"{"content":"T25l","speakers":{"INTERNAL":70}}"#
        let list = announcements(lab.give(RuterTests.message(#"{"traceId":"1","audio":[\#(file),\#(file)]}"#)))
        #expect(list.map(\.until) == Array(repeating: lab.now.monotonic + .seconds(120), count: 2))
        lab = try RuterTests.lab()
        let single = announcements(lab.give(RuterTests.message(#"{"traceId":"1","audio":[\#(file)]}"#)))
        #expect(single.map(\.until) == [nil])
    }

    @Test func fileThatCannotBeDownloadedIsSkippedAndReported() throws {
        var lab = try RuterTests.lab()
        let url = #""contentURL":"http://webserver.local/resources/a.mp3""#
        let download = try #require(downloads(lab.give(RuterTests.message(RuterTests.example(first: url)))).first)
        let effects = lab.give(.downloaded(download.number, .failure(DownloadFailure(description: "gone"))))
        #expect(announcements(effects).count == 1)
        #expect(rejections(effects) == ["gone (3841a268-0c03-4588-b476-211be0f26a0d)"])
    }

    @Test(arguments: [
        "http://elsewhere.example/resources/a.mp3", "file:///etc/passwd", "http://webserver.local/resource",
        "http://webserver.local@elsewhere.example/resources/",
    ])
    func filesOfOtherServersAreNotDownloaded(_ url: String) throws {
        var lab = try RuterTests.lab()
        let effects = lab.give(RuterTests.message(RuterTests.example(first: #""contentURL":"\#(url)""#)))
        #expect(downloads(effects).isEmpty && announcements(effects).count == 1)
        #expect(rejections(effects).joined().hasPrefix("AudioServer= does not allow \(url)"))
    }

    @Test(arguments: [
        "../a.mp3", "x/../../a.mp3", "./a.mp3", "..", "%2e%2e/a.mp3", "%2E./a.mp3", "x%2f..%2fa.mp3", "..%5ca.mp3",
        "..\\a.mp3", "%252e%252e/a.mp3", "..;x=1/a.mp3", "..?x", "..#x", "%25252525252e%25252525252e/a.mp3",
    ])
    func urlThatLeavesTheServersFolderIsNotDownloaded(_ path: String) throws {
        var lab = try RuterTests.lab()
        let url = "http://webserver.local/resources/\(path)"
        let text = url.replacing("\\", with: "\\\\")
        let effects = lab.give(RuterTests.message(RuterTests.example(first: #""contentURL":"\#(text)""#)))
        #expect(downloads(effects).isEmpty && announcements(effects).count == 1)
        let reason = rejections(effects).first ?? "none"
        #expect(reason.hasPrefix("AudioServer= does not allow \(url), because its path has a segment"), "\(reason)")
    }

    @Test(arguments: ["a..b.mp3", "...", "a.mp3?next=../b", "a%20b.mp3", "100%.mp3", ".hidden", "a/b;../c.mp3"])
    func dotsThatAreNotASegmentAreAllowed(_ path: String) throws {
        var lab = try RuterTests.lab()
        let url = "http://webserver.local/resources/\(path)"
        let effects = lab.give(RuterTests.message(RuterTests.example(first: #""contentURL":"\#(url)""#)))
        #expect(downloads(effects).map(\.url) == [url])
    }

    @Test func priorityIsLimited() throws {
        var lab = try RuterTests.lab()
        let heard = announcements(lab.give(RuterTests.message(RuterTests.example())))
        #expect(heard.map(\.announcement.maximumPriority) == [40, 40])
    }

    @Test func retainedMessageIsRejectedBeforeItIsRead() throws {
        var lab = try RuterTests.lab()
        #expect(
            rejections(lab.give(RuterTests.message("{", retained: true)))
                == ["it is retained, so publish it without the retain flag"])
    }

    @Test func audioForOtherSpeakersOrWithoutVolumeIsNotHeard() throws {
        var lab = try RuterTests.lab()
        let payload = RuterTests.example().replacing("INTERNAL", with: "EXTERNAL")
        #expect(lab.give(RuterTests.message(payload)).calls.isEmpty)
        let silent = RuterTests.example(trace: "t2").replacing("70", with: "0")
        #expect(lab.give(RuterTests.message(silent)).calls.isEmpty)
        let loudest = RuterTests.example(trace: "t3").replacing(#""EXTERNAL":40"#, with: #""DRIVER":100"#)
        #expect(announcements(lab.give(RuterTests.message(loudest))).last?.level == .full)
    }

    @Test func nothingIsHeardBeforeItsPreferredStartOrAfterItsExpiry() throws {
        var lab = try RuterTests.lab(at: "2018-11-13T08:39:30Z")
        #expect(lab.give(RuterTests.message(RuterTests.example())).calls.isEmpty)
        #expect(lab.agent.deadline.map { $0 <= lab.now.monotonic + .milliseconds(2749) } ?? false)
        #expect(announcements(lab.advance(by: .milliseconds(2748))).isEmpty)
        #expect(announcements(lab.advance(by: .milliseconds(1))).count == 2)

        var late = try RuterTests.lab(at: "2018-11-13T08:40:32.249Z")
        let effects = late.give(RuterTests.message(RuterTests.example()))
        #expect(effects.calls.isEmpty && rejections(effects).joined().hasPrefix("it has expired"))

        var slow = try RuterTests.lab()
        let url = #""contentURL":"http://webserver.local/resources/a.mp3""#
        let download = try #require(downloads(slow.give(RuterTests.message(RuterTests.example(first: url)))).first)
        #expect(rejections(slow.advance(by: .seconds(60))).count == 1)
        #expect(slow.give(.downloaded(download.number, .success([1]))).calls.isEmpty)
    }

    /// Otherwise, the message would occupy places in the queue.
    @Test func messageForTomorrowIsRefused() throws {
        var lab = try RuterTests.lab()
        let payload = RuterTests.example().replacing("2018-11-13T08:39:32.749Z", with: "9999-01-01T00:00:00Z")
            .replacing(#""expiryDateTime":"2018-11-13T08:40:32.249Z","#, with: "")
        #expect(rejections(lab.give(Self.message(payload))) == ["it is to begin in more than an hour"])
    }

    @Test func retainedMessagesAndExpiriesWithoutAClockAreRefused() throws {
        var lab = try RuterTests.lab()
        #expect(lab.give(RuterTests.message(RuterTests.example(), retained: true)).calls.isEmpty)
        lab.now.isSynchronised = false
        let effects = lab.give(RuterTests.message(RuterTests.example()))
        #expect(effects.calls.isEmpty && rejections(effects).joined().contains("clock is not synchronised"))
    }

    @Test func messageWaitsForTacet() throws {
        var lab = try RuterTests.lab(available: false)
        #expect(lab.give(RuterTests.message(RuterTests.example())).calls.isEmpty)
        #expect(announcements(lab.give(.update(.available(AgentLab.snapshot())))).count == 2)
    }

    @Test func waitingAudioIsBounded() throws {
        var lab = try RuterTests.lab(at: "2018-11-13T08:39:30Z")
        let file = String(repeating: "QUJD", count: 500_000)
        var refused: [String] = []
        for number in 0..<6 {
            let payload = RuterTests.example(trace: "t\(number)", first: #""content":"\#(file)""#)
            refused += rejections(lab.give(RuterTests.message(payload)))
        }
        #expect(refused == ["too much audio is already waiting"])
    }

    @Test func partThatTacetRefusesIsReported() throws {
        var lab = try RuterTests.lab()
        let effects = lab.give(RuterTests.message(RuterTests.example()))
        let number = try #require(effects.lastCall)
        let settled = lab.give(.answered(number, .answer(name: "noSuchContent", reason: "")))
        #expect(rejections(settled).joined().hasPrefix("a part cannot be played: noSuchContent"))
        #expect(settled.published("answer").isEmpty)
    }

    @Test(arguments: [
        ("{}", "“audio” is missing"),
        ("[]", #"the payload is an array, not an object such as {"audio": [{"content": …}]}"#),
        (#"{"audio":{}}"#, "“audio” must be a list of objects"),
        (#"{"audio":[1]}"#, "“audio” must be a list of objects, but one is a number"),
        (#"{"audio":[{"speakers":{"INTERNAL":70}}]}"#, "a part of “audio” needs either “content” or “contentURL”"),
        (
            #"{"audio":[{"content":"T25l","contentURL":"http://a/","speakers":{}}]}"#,
            "a part of “audio” needs either “content” or “contentURL”"
        ),
        (#"{"audio":[{"content":"T25l"}]}"#, "a part of “audio” needs “speakers”"),
        (
            #"{"audio":[{"content":"T25l","speakers":{"INTERNAL":"70"}}]}"#,
            "“speakers” has a string instead of a number"
        ),
        (#"{"audio":[{"content":"T25l","speakers":[]}]}"#, "“speakers” is an array, not an object"),
        (#"{"audio":[{"content":"!","speakers":{}}]}"#, "“content” is not base64"),
        (#"{"audio":[{"contentURL":"http://a b/","speakers":{}}]}"#, "“contentURL” must be a URL"),
        (#"{"audio":[],"expiryDateTime":"soon"}"#, "“expiryDateTime” must be a number of seconds since 1970, or"),
    ])
    func badMessageIsRejectedWithTheReason(_ payload: String, _ reason: String) {
        do throws(BadPayload) {
            _ = try RuterAudioMessage(Array(payload.utf8))
            Issue.record("accepted: \(payload)")
        } catch {
            #expect(error.description.hasPrefix(reason), "\(error)")
        }
    }

    // MARK: Stop request and doors

    private func published(_ effects: [FleetEffect], _ topic: String) -> [[String: JSONValue]] {
        effects.compactMap {
            guard case .publish(let message) = $0, message.topic == topic,
                case .object(let members)? = try? JSONValue(message.payload)
            else { return nil }
            #expect(message.isRetained == (topic == "sensors/door"))
            return members
        }
    }

    private func event(_ active: [String], _ lab: inout AgentLab) -> [FleetEffect] {
        lab.now.monotonic += .seconds(1)
        lab.now.wallClock += .seconds(1)
        var session = Session(
            policy: Policy(
                signals: ["stop", "blue-button", "door"].map { SignalPolicy(id: SignalID($0), effect: .ignore) }))
        _ = session.handle(.boot(Boot(saved: nil, trackCount: 1)), at: lab.now.monotonic)
        for name in active { _ = session.handle(.edge(Edge(SignalID(name), asserted: true)), at: lab.now.monotonic) }
        let snapshot = Snapshot(session, track: nil, position: .zero, notifications: [])
        let effects = lab.give(
            .update(
                .event(
                    SessionEvent(
                        wallClock: lab.now.wallClock, time: lab.now.monotonic, name: "x", snapshot: snapshot))))
        _ = lab.give(.acknowledged(topic: "tacet/b/state", refused: nil))
        return effects
    }

    @Test func stopRequestAndDoorAreReportedAtEachChange() throws {
        var lab = try RuterTests.lab(available: false)
        let first = event([], &lab)
        #expect(published(first, "sensors/stop_button").map { $0["stopPressed"] } == [.bool(false)])
        #expect(published(first, "sensors/door").map { $0["doorOpen"] } == [.bool(false)])
        let stop = try #require(published(event(["stop"], &lab), "sensors/stop_button").first)
        #expect(stop["stopPressed"] == .bool(true) && stop["accessibility"] == .bool(false))
        #expect(stop["eventTimestamp"] == .string(Timestamp.format(lab.now.wallClock, decimals: 3)))
        #expect(stop["messageNumber"] == .integer(2))
        guard case .string(let trace)? = stop["traceId"] else { return #expect(Bool(false)) }
        #expect(
            try #require(trace.wholeMatch(of: /[0-9a-f]{8}-[0-9a-f]{4}-8[0-9a-f]{3}-8[0-9a-f]{3}-[0-9a-f]{12}/)).0
                == trace)
        #expect(published(event(["stop"], &lab), "sensors/stop_button").isEmpty)
        let blue = try #require(published(event(["blue-button"], &lab), "sensors/stop_button").first)
        #expect(blue["stopPressed"] == .bool(true) && blue["accessibility"] == .bool(true))
        #expect(blue["traceId"] != stop["traceId"])
        #expect(published(event(["door"], &lab), "sensors/door").map { $0["doorOpen"] } == [.bool(true)])
    }

    @Test func newestSensorStateIsReportedAfterAConnection() throws {
        var lab = try RuterTests.lab(available: false)
        _ = event([], &lab)
        _ = lab.give(AgentLab.loss)
        #expect(published(event(["stop", "door"], &lab), "sensors/door").isEmpty)
        let changed = lab.now.wallClock
        lab.now.wallClock += .seconds(60)
        let effects = lab.give(.connected(unacknowledged: 0))
        #expect(
            published(effects, "sensors/stop_button").map { $0["eventTimestamp"] }
                == [.string(Timestamp.format(changed, decimals: 3))])
        #expect(published(effects, "sensors/door").map { $0["doorOpen"] } == [.bool(true)])
        // The message about the door is retained, and the broker may have lost it.
        _ = lab.give(AgentLab.loss)
        let again = lab.give(.connected(unacknowledged: 0))
        #expect(published(again, "sensors/stop_button").isEmpty && published(again, "sensors/door").count == 1)
    }

    /// A message that is played in parts, together with other announcements, must leave places for the programs on the
    /// board.
    @Test func messageWaitsUntilThereAreEnoughPlacesForItsFiles() throws {
        var lab = try RuterTests.lab()
        let call = try #require(lab.give(announcement("a")).lastCall)
        let receipt = try #require(AnnouncementReceipt([.string("success"), .uint64(1)]))
        _ = lab.give(.answered(call, .receipt(receipt)))
        let parts = Array(repeating: #"{"content":"T25l","speakers":{"INTERNAL":70}}"#, count: 12).joined(
            separator: ",")
        let payload = #"{"traceId":"1","expiryDateTime":"2018-11-13T08:40:32Z","audio":[\#(parts)]}"#
        #expect(announcements(lab.give(RuterTests.message(payload))).isEmpty)
        let ended = lab.event("sound ended gong", [.soundEnded("gong", id: 1)])
        #expect(announcements(ended).count == 12)
        // Other announcements also wait for the message.
        #expect(announcements(lab.give(announcement("b"))).isEmpty)
    }

    private func announcement(_ id: String) -> MQTTEvent {
        .message(MQTTMessage(topic: "tacet/b/announce", payload: Array(#"{"id":"\#(id)","sound":"gong"}"#.utf8)))
    }

    @Test(arguments: ["pe/audio", "sensors/stop_button", "sensors/door"])
    func answerIsNotPublishedToATopicOfTheVehicle(_ topic: String) throws {
        var lab = try RuterTests.lab()
        let message = MQTTMessage(
            topic: "tacet/b/command", payload: Array("next".utf8), responseTopic: topic)
        let call = try #require(lab.give(.message(message)).lastCall)
        #expect(lab.give(.answered(call, .answer(name: "success", reason: ""))).published("answer").count == 1)
    }
}
