import Foundation
import Testing

/// Players that behave badly, which the programs of Tacet pause and resume.
@Suite(.serialized, .timeLimit(.minutes(3))) struct OddPlayerTests {
    private static let script = URL(fileURLWithPath: #filePath).deletingLastPathComponent()
        .appendingPathComponent("../../Tools/odd-player").standardized.path

    /// Starts a board with the players of `odd-player`.
    private func start(_ behaviour: String, count: Int = 1, name: String = "fake") throws -> PlayerBoard {
        let board = try PlayerBoard("[Player fake]\nBus=\(name)*")
        _ = try board.start(
            ["/usr/bin/python3", Self.script, name, "\(count)", behaviour, board.path("calls")])
        let reported = behaviour == "idle" ? "stopped" : "playing"
        board.wait("player") { board.state(of: name) == reported }
        try board.startDaemon()
        try board.startHelper()
        board.wait(for: "fake", reported == "stopped" ? "paused false" : "playing false")
        return board
    }

    private func calls(_ board: PlayerBoard) -> [String] {
        ((try? String(contentsOfFile: board.path("calls"), encoding: .utf8)) ?? "").split(separator: "\n").map(
            String.init)
    }

    @Test(arguments: ["toggle", "repeat"]) func playerWithAnOddPauseIsPausedOnce(behaviour: String) throws {
        let board = try start(behaviour)
        for number in 1...2 {
            try board.ring(true)
            board.wait(for: "fake", "paused true")
            board.wait("memory") { board.count("The player fake has paused") == number }
            try board.ring(false)
            board.wait(for: "fake", "playing false")
            board.wait("resumption") { board.count("The player fake plays again") == number }
        }
        #expect(calls(board) == ["Pause", "Play", "Pause", "Play"])
    }

    /// Neither its signals nor the answer with all its properties can be read.
    @Test func playerWithMegabytesOfMetadataIsPausedAndResumed() throws {
        let board = try start("flood")
        try board.ring(true)
        board.wait(for: "fake", "paused true")
        board.wait("memory") { board.count("The player fake has paused") == 1 }
        // What plays during the call is paused and counts as playing before.
        try board.command("fake", "Play")
        board.wait("change") { board.count("The player fake has changed") == 1 }
        board.wait("second pause") { board.count("The player fake has paused") == 2 }
        board.wait(for: "fake", "paused true")
        try board.ring(false)
        board.wait("resumption") { board.count("The player fake plays again") == 1 }
        board.wait(for: "fake", "playing false")
        #expect(calls(board) == ["Pause", "Play", "Pause", "Play"])
    }

    @Test func hundredPlayersArePausedAndNoneIsResumedTwice() throws {
        let board = try start("repeat", count: 100)
        try board.ring(true)
        board.wait(for: "fake", "paused true")
        try board.ring(false)
        board.wait(for: "fake", "playing false")
        // Only as many programs as the limit allows are controlled.
        board.wait("resumption") { calls(board).count { $0 == "Play" } == 64 }
        #expect(calls(board).count { $0 == "Pause" } == 64)
    }

    @Test func airPlaySessionThatDoesNotPauseIsDroppedAndNotResumed() throws {
        let board = try start("false", name: "ShairportSync")
        try board.ring(true)
        board.wait("end of the session") { calls(board).last == "DropSession" }
        #expect(calls(board) == ["Pause", "Pause", "Pause", "DropSession"])
        board.wait(for: "fake", "paused false")
        try board.ring(false)
        board.wait("end of the call") {
            ((try? board.bus.property("org.tacet.Session1", "Interrupted")) ?? "").contains("false")
        }
        #expect(!calls(board).contains("Play") && !calls(board).contains("Stop"))
    }

    /// The session of another program is not ended, even if it has such a method.
    @Test func otherProgramThatDoesNotPauseIsLeftAlone() throws {
        let board = try start("false")
        try board.ring(true)
        board.wait("entry") { board.output.contains("The player fake did not pause after three orders") }
        // It is said to play, because that is known.
        board.wait(for: "fake", "playing true")
        board.wait("fault") { board.health.contains("the player fake has not confirmed that it has paused") }
        #expect(board.health.contains("the player fake cannot be controlled (it does not pause when it is ordered to)"))
        #expect(board.why.contains("The player fake cannot be controlled (it does not pause when it is ordered to)."))
        #expect(calls(board) == ["Pause", "Pause", "Pause"])
        // After the call, the player is ordered to do nothing. The next call tries again.
        try board.ring(false)
        board.wait(for: "fake", "playing false")
        try board.ring(true)
        board.wait("another try") { calls(board).count == 6 }
        #expect(calls(board).allSatisfy { $0 == "Pause" })
    }

    @Test func refusalIsReportedWithItsReason() throws {
        let board = try start("refuse")
        try board.ring(true)
        board.wait("reason") {
            board.health.contains("the player fake cannot be controlled (it refuses to pause: not now)")
        }
    }

    /// Some players report that they are stopped while they play.
    @Test func playerThatReportsThatItIsStoppedIsPausedByItsPosition() throws {
        let board = try start("idle")
        try board.ring(true)
        board.wait("pause") { board.count("The player fake has paused") == 1 }
        board.wait(for: "fake", "paused true")
        try board.ring(false)
        board.wait("resumption") { board.count("The player fake plays again") == 1 }
        #expect(calls(board).filter { $0 != "Play" } == ["Pause"] && calls(board).contains("Play"))
    }
}
