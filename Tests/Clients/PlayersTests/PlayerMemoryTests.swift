import Testing

@testable import Players

/// The file in which paused players are remembered, and the names of players.
@Suite struct PlayerMemoryTests {
    private let records = [
        PlayerRecord(
            player: "vlc", identity: .process(connection: ":1.7", number: 812, started: "boot 99"), stage: .kept,
            track: "abc", order: 7),
        PlayerRecord(player: "r a\ndio", identity: .remote(startedAt: -5), stage: .resuming, track: "", order: .max),
        PlayerRecord(
            player: "é", identity: .process(connection: "", number: 1, started: ""), stage: .pausing, track: "x",
            order: 0),
    ]

    @Test func recordsAreReadAsTheyWereWritten() throws {
        #expect(try PlayerMemory.records(in: PlayerMemory.text(of: records)) == records)
        #expect(try PlayerMemory.records(in: PlayerMemory.text(of: [])) == [])
    }

    @Test func everyDamagedByteIsNoticed() {
        let text = PlayerMemory.text(of: records)
        for index in text.indices {
            var damaged = text
            damaged[index] ^= 1
            #expect(throws: PlayerMemory.Damage.self) { try PlayerMemory.records(in: damaged) }
        }
        for length in 0..<text.count {
            #expect(throws: PlayerMemory.Damage.self) { try PlayerMemory.records(in: Array(text.prefix(length))) }
        }
    }

    @Test func recordsBeyondTheLimitsAreNotWritten() throws {
        let long = String(repeating: "x", count: 256)
        let identity = PlayerIdentity.process(connection: ":1.7", number: 1, started: "")
        var bad = PlayerRecord(player: long, identity: identity, stage: .kept, track: "", order: 1)
        #expect(try PlayerMemory.records(in: PlayerMemory.text(of: [bad])) == [])
        bad.player = "a"
        bad.track = String(repeating: "x", count: 65)
        #expect(try PlayerMemory.records(in: PlayerMemory.text(of: [bad])) == [])
        let many = (0..<300).map {
            PlayerRecord(player: "\($0)", identity: identity, stage: .kept, track: "", order: 1)
        }
        #expect(try PlayerMemory.records(in: PlayerMemory.text(of: many)) == Array(many.prefix(256)))
        #expect(throws: PlayerMemory.Damage.self) {
            try PlayerMemory.records(in: Array(repeating: 0x0a, count: PlayerMemory.longestText + 1))
        }
    }

    @Test func startOfARemoteDaemonIsComparedWithATolerance() {
        let one = PlayerIdentity.remote(startedAt: 1000)
        #expect(one.isSame(as: .remote(startedAt: 1005)) && one.isSame(as: .remote(startedAt: 995)))
        #expect(!one.isSame(as: .remote(startedAt: 1006)) && !one.isSame(as: .remote(startedAt: 994)))
        #expect(!PlayerIdentity.remote(startedAt: .max).isSame(as: .remote(startedAt: .min)))
        #expect(!one.isSame(as: .process(connection: "", number: 1000, started: "")))
    }

    @Test(arguments: [
        ("vlc", "vlc", true), ("vlc", "vlc.instance7", false), ("vlc*", "vlc.instance7", true), ("vlc*", "vlc", true),
        ("*", "mpv", true), ("*", "playerctld", false), ("*", "tacet", false), ("*", "tacet.kitchen", false),
        ("*", "tacetan", true), ("chromium.*", "chromium.instance1", true), ("chromium.*", "chromium", false),
        ("a*b*c", "a-b-b-c", true), ("a*b*c", "a-b-b", false), ("", "", true), ("", "x", false), ("**", "", true),
    ]) func starStandsForAnyText(pattern: String, name: String, matches: Bool) {
        let pattern = PlayerPattern(pattern, excluding: ["playerctld", "tacet"])
        #expect(pattern.matches(PlayerPattern.prefix + name) == matches)
        #expect(!pattern.matches(name))
    }
}
