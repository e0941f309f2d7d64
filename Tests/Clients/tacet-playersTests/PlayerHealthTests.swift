import Foundation
import Testing

/// What Tacet says about players that cannot be controlled.
@Suite(.serialized, .timeLimit(.minutes(3))) struct PlayerHealthTests {
    private static let script = URL(fileURLWithPath: #filePath).deletingLastPathComponent()
        .appendingPathComponent("../../Tools/odd-mpd").standardized.path

    /// Starts a board with the Music Player Daemon of `odd-mpd` at the socket of the player `radio`.
    private func start(_ behaviour: String) throws -> PlayerBoard {
        let board = try PlayerBoard()
        _ = try board.start([
            "/usr/bin/python3", Self.script, board.path("mpd/socket"), behaviour, board.path("connections"),
        ])
        board.wait("socket") { FileManager.default.fileExists(atPath: board.path("mpd/socket")) }
        try board.startDaemon()
        try board.startHelper()
        return board
    }

    @Test func playersThatAreNotInstalledAreNormalAndAMissingHelperIsNot() throws {
        let board = try PlayerBoard()
        try board.startDaemon()
        board.wait("missing helper") {
            board.health.contains("the player radio cannot be controlled (tacet-players is not running")
        }
        #expect(board.health.contains("the player film cannot be controlled"))
        board.wait("entry") {
            board.output.contains("The player radio cannot be controlled: tacet-players is not running")
        }
        try board.ring(true)
        #expect(board.why.contains("The player radio cannot be controlled (tacet-players is not running"))
        try board.startHelper()
        board.wait("helper") { !board.health.contains("player") }
        board.wait("entries") {
            board.output.contains("The player radio can be controlled again.")
                && board.output.contains("The player radio is not running.")
        }
    }

    @Test func missingPasswordIsAFaultWithItsCause() throws {
        let board = try start("password")
        board.wait("fault") { board.health.contains("it does not permit to pause it: check the password") }
        board.wait("entry") {
            board.output.contains("The player radio cannot be reached: it does not permit to pause it")
        }
    }

    @Test func daemonThatClosesAtOnceIsNotConnectedToWithoutEnd() throws {
        let board = try start("closes")
        board.wait("fault") { board.health.contains("it has closed the connection") }
        let connections = try String(contentsOfFile: board.path("connections"), encoding: .utf8).count
        #expect(connections < 20)
    }

    @Test func daemonThatNeverReadsIsAbandoned() throws {
        let board = try start("floods")
        board.wait("fault") { board.health.contains("it does not read what it is sent") }
    }
}
