import AudioSession
import Testing

@testable import Players

/// The protocol of the Music Player Daemon.
@Suite struct MPDConversationTests {
    private var conversation = MPDConversation()

    private static func sighting(_ status: Sighting.Status, song: String = "7") -> Sighting {
        Sighting(status, identifiers: [song])
    }

    private static let greeting = "OK MPD 0.23.5\n"
    private static let stats = "artists: 0\nuptime: 90\nplaytime: 3\nOK\n"

    private static func status(_ state: String, song: String = "7") -> String {
        "volume: 100\nrepeat: 0\nstate: \(state)\nsong: 0\nsongid: \(song)\nOK\n"
    }

    private mutating func receive(_ text: String) -> [MPDConversation.Output] { conversation.receive(text.utf8) }

    /// Begins the conversation with a daemon that plays.
    private mutating func begin() {
        _ = receive(Self.greeting)
        _ = receive("OK\n")
        _ = receive(Self.stats)
        _ = receive(Self.status("play"))
    }

    @Test mutating func beginsWithTheUptimeAndTheStateAndThenWaits() {
        #expect(receive(Self.greeting) == [.send("notcommands\n")])
        #expect(receive("command: kill\nOK\n") == [.send("stats\n")])
        #expect(receive(Self.stats) == [.send("status\n")])
        #expect(
            receive(Self.status("play")) == [
                .began(Self.sighting(.playing), uptime: .seconds(90)), .send("idle player\n"),
            ])
    }

    @Test mutating func passwordComesBeforeEverythingElse() {
        conversation = MPDConversation(password: "a \"b\\c\nplay")
        #expect(receive(Self.greeting) == [.send("password \"a \\\"b\\\\cplay\"\n")])
        #expect(receive("OK\n") == [.send("notcommands\n")])
        conversation = MPDConversation(password: "wrong")
        _ = receive(Self.greeting)
        let refusal = "ACK [3@0] {password} incorrect password\n"
        let advice = "check the password, which tacet-players(8) takes from a credential"
        #expect(
            receive(refusal) == [
                .broken("it refuses the password: \(advice) ([3@0] {password} incorrect password)")
            ])
    }

    /// Without this question, the missing password would be noticed only when the first alarm does not pause the player.
    @Test mutating func daemonThatDoesNotPermitPausesIsRefusedAtOnce() {
        _ = receive(Self.greeting)
        let outputs = receive("command: pause\ncommand: play\nOK\n")
        guard case .broken(let reason)? = outputs.first else { return #expect(outputs == []) }
        #expect(reason.hasPrefix("it does not permit to pause it: check the password"))
    }

    @Test mutating func daemonWithoutThatQuestionIsAccepted() {
        _ = receive(Self.greeting)
        #expect(receive("ACK [5@0] {} unknown command \"notcommands\"\n") == [.send("stats\n")])
    }

    @Test mutating func readsAChangeWhereverTheBytesAreDivided() {
        begin()
        let text = "changed: player\nOK\n"
        for byte in text.utf8.dropLast() { #expect(conversation.receive([byte]) == []) }
        #expect(receive("\n") == [.send("status\n")])
        #expect(
            receive(Self.status("pause", song: "8")) == [
                .sighting(Self.sighting(.paused, song: "8"), isAnswer: false), .send("idle player\n"),
            ])
    }

    @Test mutating func orderInterruptsTheWaitAndIsFollowedByTheQuestion() {
        begin()
        #expect(conversation.order(.pause) == [.send("noidle\n")])
        #expect(conversation.look() == [])
        #expect(receive("OK\n") == [.send("pause 1\n")])
        #expect(receive("OK\n") == [.answered(refusal: nil), .send("status\n")])
        #expect(
            receive(Self.status("pause")) == [
                .sighting(Self.sighting(.paused), isAnswer: true), .send("idle player\n"),
            ])
        #expect(conversation.order(.play) == [.send("noidle\n")])
        #expect(receive("OK\n") == [.send("pause 0\n")])
    }

    @Test mutating func changeThatCrossesAnOrderIsReadAfterTheOrder() {
        begin()
        #expect(conversation.order(.pause) == [.send("noidle\n")])
        #expect(receive("changed: player\nOK\n") == [.send("pause 1\n")])
        #expect(receive("OK\n") == [.answered(refusal: nil), .send("status\n")])
        #expect(
            receive(Self.status("pause")) == [
                .sighting(Self.sighting(.paused), isAnswer: false), .send("idle player\n"),
            ])
    }

    @Test(arguments: [
        (PlayerCommand.next, "next\n"), (.previous, "previous\n"), (.seek(.milliseconds(12_500)), "seekcur 12.5\n"),
    ]) mutating func orderIsWrittenAsACommandOfTheProtocol(order: PlayerCommand, line: String) {
        begin()
        #expect(conversation.order(order) == [.send("noidle\n")])
        #expect(receive("OK\n") == [.send(line)])
        #expect(
            receive("ACK [55@0] {next} Not playing\n") == [
                .answered(refusal: "[55@0] {next} Not playing"), .send("idle player\n"),
            ])
    }

    @Test mutating func daemonThatHasStoppedIsResumedWithPlay() {
        _ = receive(Self.greeting)
        _ = receive("OK\n")
        _ = receive(Self.stats)
        _ = receive(Self.status("stop"))
        _ = conversation.order(.play)
        #expect(receive("OK\n") == [.send("play\n")])
    }

    /// Answers of other protocols, and why they are not that of a Music Player Daemon.
    private static let foreign: [(String, String)] = [
        ("HTTP/1.1 400 Bad Request\n", "it does not greet as a Music Player Daemon"),
        (
            "\(greeting)OK\nACK [4@0] {stats} you don't have permission\n",
            "it refuses: check the password, which tacet-players(8) takes from a credential "
                + "([4@0] {stats} you don't have permission)"
        ),
        ("\(greeting)OK\nOK\n", "it does not tell since when it has been running"),
        ("\(greeting)OK\nuptime: -1\nOK\n", "it does not tell since when it has been running"),
        ("\(greeting)OK\n\(stats)state: dancing\nOK\n", "it does not tell its state"),
        ("\(greeting)OK\n\(stats)\(status("play"))OK\n", "it ends the wait for changes without one"),
        (String(repeating: "x", count: 8193), "it sends a line of more than 8192 bytes"),
        ("\(greeting)\(String(repeating: "a: b\n", count: 513))", "it sends more than 512 lines"),
    ]

    @Test(arguments: foreign) mutating func anotherProtocolEndsTheConversation(text: String, reason: String) {
        #expect(receive(text).last == .broken(reason))
        #expect(receive(Self.status("play")) == [] && conversation.look() == [])
    }

    @Test mutating func daemonThatDoesNotAnswerIsNotAskedForEver() {
        begin()
        var outputs: [MPDConversation.Output] = []
        for _ in 0..<100 { outputs += conversation.look() }
        #expect(outputs == [.send("noidle\n"), .broken("it does not answer")])
    }
}
