import Testing

@testable import Fleet

struct PayloadTests {
    private func bytes(_ text: String) -> [UInt8] { Array(text.utf8) }

    @Test func announcementHasAllItsParts() throws {
        let payload = try AnnouncePayload(
            bytes(#"{"id":"a1","sound":"gong","priority":80,"expires_at":"2026-11-25T14:03:12.5+01:00"}"#))
        #expect(payload.id == "a1")
        #expect(payload.sound == "gong")
        #expect(payload.priority == 80)
        #expect(payload.expiresAt == .seconds(1_795_611_792) + .milliseconds(500))
        #expect(try AnnouncePayload(bytes(#"{"id":7,"sound":"gong"}"#)).id == "7")
        #expect(
            try AnnouncePayload(bytes(#"{"id":7,"sound":"gong","expires_at":1795611792.25}"#)).expiresAt
                == .seconds(1_795_611_792) + .milliseconds(250))
    }

    private static func many(_ part: String, _ count: Int) -> String { String(repeating: part, count: count) }

    private static let badAnnouncements: [(String, String)] = [
        ("", "this is not valid JSON: line 1, column 0: "),
        ("[]", "the payload is an array, not an object such as {\"id\": …}"),
        ("{\"id\":\"a\"", "this is not valid JSON: line 1, column 9: "),
        (#"{"id":"a","id":"b","sound":"gong"}"#, "this is not valid JSON: line 1, column 14: duplicate object key"),
        (#"{"sound":"gong"}"#, "an announcement needs an “id”, so that it is played only once"),
        (#"{"id":"a"}"#, "“sound” is missing"),
        (#"{"id":"a","sound":5}"#, "“sound” is a number, not a string"),
        (#"{"id":"a","sound":"two words"}"#, "“sound” must be the name of a sound, such as gong"),
        (#"{"id":"","sound":"gong"}"#, "“id” must be a text of 1 to 128 bytes, or a whole number"),
        (#"{"id":[],"sound":"gong"}"#, "“id” must be a text of 1 to 128 bytes, or a whole number"),
        (#"{"id":"a","sound":"gong","priority":101}"#, "“priority” must be a whole number from 0 to 100"),
        (
            #"{"id":"a","sound":"gong","expires_at":"tomorrow"}"#,
            "“expires_at” must be a number of seconds since 1970, "
        ),
        (#"{"id":"a","sound":"gong","expires_at":1e300}"#, "“expires_at” must be a number of seconds since 1970, "),
        (
            #"{"id":"a","sound":"gong","volume":3}"#,
            "“volume” is unknown: the keys are id, sound, priority, expires_at, audio, audio_sha256"
        ),
        (#"{"id":"a","sound":"gong","audio":"!!!!"}"#, "“audio” is not base64"),
        (#"{"id":"a","sound":"gong","audio":""}"#, "“audio” is not base64"),
        (
            #"{"id":"a","sound":"gong","audio":"QUJD","audio_sha256":"00"}"#,
            "“audio_sha256” is not 64 hexadecimal digits"
        ),
        (
            #"{"id":"a","sound":"gong","audio":"QUJD","audio_sha256":"\#(many("0", 64))"}"#,
            "“audio_sha256” is not that of “audio”, which is b5d4045c3f466fa91fe2cc6abe79232a1a57cdf104f7a26e716e0a1e2789df78"
        ),
        (many("[", 17), "the payload is nested more than 16 deep"),
        (many("{", 5000), "the payload is nested more than 16 deep"),
        ("[\(many("{},", 1_000_000))", "the payload has more than 1024 values"),
        (#"{"id":[\#(many("1,", 2000))"#, "the payload has more than 1024 values"),
        (#"{"id":\#(many("1", 65))"#, "the payload has a number or word of more than 64 bytes"),
        // The contents of a string are not counted, whatever is escaped in it.
        (
            #"{"id":"\#(many(#"\"{,["#, 2000))"}"#,
            "“id” must be a text of 1 to 128 bytes, or a whole"
        ),
        (#"{"id":"\#(many("{,[", 2000))"#, "this is not valid JSON: line 1"),
    ]

    @Test(arguments: badAnnouncements)
    func badAnnouncementIsRejectedWithTheReason(_ text: String, _ reason: String) {
        do throws(BadPayload) {
            _ = try AnnouncePayload(bytes(text))
            Issue.record("accepted: \(text)")
        } catch {
            #expect(error.description.hasPrefix(reason), "\(error)")
        }
    }

    @Test(arguments: [("QQ==", "A"), ("QUI=", "AB"), ("QUJD", "ABC")])
    func carriedAudioIsDecodedAndHashed(_ base64: String, _ text: String) throws {
        let audio = try #require(try AnnouncePayload(bytes(#"{"id":1,"sound":"gong","audio":"\#(base64)"}"#)).audio)
        #expect(audio.bytes == bytes(text))
        let named = try AnnouncePayload(bytes(#"{"id":1,"sound":"gong","audio_sha256":"\#(audio.hash)"}"#)).audio
        #expect(named?.hash == audio.hash && named?.bytes == nil)
    }

    @Test func carriedAudioIsAtMostTwoMebibytes() throws {
        for (size, isGood) in [(CarriedAudio.longest, true), (CarriedAudio.longest + 1, false)] {
            let base64 = String(repeating: "AAAA", count: size / 3) + ["", "AA==", "AAA="][size % 3]
            let payload = bytes(#"{"id":1,"sound":"gong","audio":"\#(base64)"}"#)
            #expect((try? AnnouncePayload(payload))?.audio?.bytes?.count == (isGood ? size : nil))
        }
    }

    @Test func commandIsWordsOrAnObject() throws {
        #expect(try CommandPayload(bytes(" volume -6dB\n")).words == "volume -6dB")
        #expect(try CommandPayload(bytes(" volume -6dB\n")).id == nil)
        let payload = try CommandPayload(bytes(#" {"id":"x","command":"pause"}"#))
        #expect(payload.id == "x")
        #expect(payload.words == "pause")
        #expect(throws: BadPayload.self) { try CommandPayload([]) }
        #expect(throws: BadPayload.self) { try CommandPayload(bytes(String(repeating: "x", count: 300))) }
        #expect(throws: BadPayload.self) { try CommandPayload(bytes(#"{"id":"x"}"#)) }
    }

    @Test(arguments: [("on", true), (" ON\n", true), ("off", false), ("", false)])
    func signalIsOnOrOff(_ text: String, _ level: Bool) throws {
        #expect(try SignalPayload.level(bytes(text)) == level)
    }

    @Test(arguments: ["1", "onn", "on on", "{}", "yes"]) func otherSignalPayloadsAreRejected(_ text: String) {
        #expect(throws: BadPayload.self) { try SignalPayload.level(bytes(text)) }
    }

    @Test func topicsAreThoseOfBoardGroupsAndFleet() {
        let topics = FleetTopics(prefix: "tacet", board: "bus-7", groups: ["line-3"])
        #expect(topics.purpose(of: "tacet/bus-7/command") == .command)
        #expect(topics.purpose(of: "tacet/line-3/announce") == .announce)
        #expect(topics.purpose(of: "tacet/all/signal/evacuation") == .signal(name: "evacuation", scope: "all"))
        for other in [
            "tacet/bus-8/command", "tacet/all/signal/", "tacet/all", "tacetx/all/command", "tacet/bus-7/state",
        ] {
            #expect(topics.purpose(of: other) == nil, "\(other)")
        }
        let longest = String(repeating: "a", count: FleetTopics.longestSignal)
        #expect(topics.purpose(of: "tacet/all/signal/\(longest)") == .signal(name: longest, scope: "all"))
        #expect(topics.purpose(of: "tacet/all/signal/\(longest)a") == nil)
        #expect(topics.filters(signals: nil).count == 9)
        #expect(FleetTopics(prefix: "Zürich", board: "b").purpose(of: "Zürich/b/command") == .command)
    }
}
