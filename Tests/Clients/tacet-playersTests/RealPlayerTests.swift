import Foundation
import Testing

/// Real players, which the programs of Tacet pause and resume.
@Suite(.serialized, .timeLimit(.minutes(3))) struct RealPlayerTests {
    /// A board on which everything runs and both players play.
    private func start() throws -> PlayerBoard {
        let board = try PlayerBoard()
        try board.startMPD()
        try board.startMPV()
        try board.startDaemon()
        try board.startHelper()
        board.wait(for: "radio", "playing false")
        board.wait(for: "film", "playing false")
        return board
    }

    /// Begins a call, and waits until both players are paused.
    private func ring(_ board: PlayerBoard) throws {
        try board.ring(true)
        board.wait("pause") { board.radio == "paused" && board.film == "paused" }
        board.wait("memory") {
            board.output.contains("The player radio has paused") && board.output.contains("The player film has paused")
        }
    }

    @Test func playersArePausedDuringACallAndResumeAfterwards() throws {
        let board = try start()
        for _ in 0..<2 {
            try ring(board)
            #expect(try board.players.contains("\"paused\" true"))
            try board.ring(false)
            board.wait("resumption") { board.radio == "playing" && board.film == "playing" }
            board.wait(for: "radio", "playing false")
            board.wait(for: "film", "playing false")
        }
    }

    @Test func playerThatSomebodyHasUsedIsNotResumed() throws {
        let board = try start()
        try ring(board)
        try board.mpc("stop")
        board.wait(for: "radio", "paused false")
        try board.playerctl("play")
        // Something that starts during a call is paused, too, and counts as playing before.
        board.wait("second pause") { board.film == "paused" }
        board.wait(for: "film", "paused true")
        try board.ring(false)
        board.wait("resumption") { board.film == "playing" }
        #expect(board.radio == "stopped")
    }

    @Test func playerThatWasPausedBeforeTheCallStaysPaused() throws {
        let board = try start()
        try board.mpc("pause")
        board.wait(for: "radio", "paused false")
        try board.ring(true)
        board.wait(for: "film", "paused true")
        try board.ring(false)
        board.wait("resumption") { board.film == "playing" }
        #expect(board.radio == "paused")
    }

    @Test func playersResumeAlthoughTheHelperWasKilledDuringTheCall() throws {
        let board = try start()
        try ring(board)
        board.killHelper()
        try board.ring(false)
        board.wait(for: "radio", "playing false")
        #expect(board.radio == "paused" && board.film == "paused")
        try board.startHelper()
        board.wait("resumption") { board.radio == "playing" && board.film == "playing" }
    }

    @Test func playersResumeAlthoughTheDaemonWasKilledDuringTheCall() throws {
        let board = try start()
        try ring(board)
        board.killDaemon()
        try board.startDaemon()
        board.wait(for: "radio", "paused true")
        board.wait(for: "film", "paused true")
        #expect(board.radio == "paused" && board.film == "paused")
        try board.ring(false)
        board.wait("resumption") { board.radio == "playing" && board.film == "playing" }
    }

    @Test func playersResumeAlthoughNeitherProgramWasRunningAtTheEndOfTheCall() throws {
        let board = try start()
        try ring(board)
        board.killHelper()
        board.killDaemon()
        try board.startDaemon()
        try board.ring(false)
        board.killDaemon()
        try board.startHelper()
        try board.startDaemon()
        board.wait("resumption") { board.radio == "playing" && board.film == "playing" }
    }

    @Test func anotherProcessIsNotResumed() throws {
        let board = try start()
        try ring(board)
        board.killMPD()
        board.wait(for: "radio", "gone false")
        try board.startMPD()
        // It starts during the call.
        board.wait(for: "radio", "paused true")
        try board.mpc("stop")
        board.wait(for: "radio", "paused false")
        board.killHelper()
        board.killMPD()
        try board.startMPD()
        try board.mpc("pause")
        try board.startHelper()
        board.wait(for: "radio", "paused false")
        try board.ring(false)
        board.wait("resumption") { board.film == "playing" }
        #expect(board.radio == "paused")
    }

    @Test func playerThatDoesNotAnswerIsLeftAloneAndReportedOnce() throws {
        let board = try start()
        board.freezeMPV()
        try board.ring(true)
        board.wait("entry") { board.output.contains("The player film did not pause after three orders") }
        board.wait(for: "film", "gone false")
        board.wait(for: "radio", "paused true")
        try board.ring(false)
        board.wait("resumption") { board.radio == "playing" }
    }
}
