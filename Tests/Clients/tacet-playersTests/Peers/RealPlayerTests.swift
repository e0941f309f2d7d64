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
        try board.command("mpv", "Play")
        // Something that starts during a call is also paused, and counts as playing before.
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
        board.wait("second pause") { board.count("The player radio has paused") == 2 }
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
        // It may still play, so it counts as playing, although it has been ordered to pause.
        board.wait(for: "film", "playing true")
        board.wait(for: "radio", "paused true")
        try board.ring(false)
        board.wait("resumption") { board.radio == "playing" }
    }

    // MARK: VLC, and MPD on the bus

    /// VLC repeats each status signal.
    @Test func vlcIsPausedDuringACallAndResumesAfterwards() throws {
        let board = try PlayerBoard("[Player vlc]\nBus=vlc*")
        let vlc = try board.startVLC()
        try board.startDaemon()
        try board.startHelper()
        board.wait(for: "vlc", "playing false")
        for (number, kills) in [false, true].enumerated() {
            try board.ring(true)
            board.wait(for: "vlc", "paused true")
            board.wait("memory") { board.count("The player vlc has paused") == number + 1 }
            if kills {
                board.killHelper()
                try board.startHelper()
            }
            try board.ring(false)
            board.wait("resumption") { board.state(of: "vlc") == "playing" }
            board.wait(for: "vlc", "playing false")
        }
        // Somebody uses it during a call. What plays then is paused and counts as playing before.
        try board.ring(true)
        board.wait(for: "vlc", "paused true")
        board.wait("third pause") {
            board.state(of: "vlc") == "paused" && board.count("The player vlc has paused") == 3
        }
        try board.command("vlc", "Play")
        board.wait("fourth pause") {
            board.output.contains("The player vlc has changed") && board.state(of: "vlc") == "paused"
        }
        board.wait(for: "vlc", "paused true")
        // Another process is not resumed.
        vlc.end()
        board.wait(for: "vlc", "gone false")
        try board.ring(false)
    }

    @Test func mpdThatIsAlsoOnTheBusIsPausedAndResumedOnce() throws {
        let board = try PlayerBoard("[Player bridge]\nBus=mpd")
        try board.startMPD()
        try board.startBridge()
        try board.startDaemon()
        try board.startHelper()
        board.wait(for: "radio", "playing false")
        board.wait(for: "bridge", "playing false")
        for _ in 0..<2 {
            try board.ring(true)
            board.wait(for: "radio", "paused true")
            board.wait(for: "bridge", "paused true")
            board.wait("pause") { board.radio == "paused" && board.state(of: "mpd") == "paused" }
            try board.ring(false)
            board.wait(for: "radio", "playing false")
            board.wait(for: "bridge", "playing false")
            board.wait("resumption") { board.radio == "playing" && board.state(of: "mpd") == "playing" }
        }
        #expect(!board.output.contains("after three orders"))
    }
}
