import BusLab
import Foundation
import ServiceLab
import SoundLab
import Testing

/// tacetd and tacet-stream on a message bus, with a station that behaves badly.
@Suite(.serialized) struct StreamDaemonTests {
    @Test func stationIsPlayedWithItsTitleAndReplacedByTheLibraryWhenItFails() throws {
        let board = try StreamBoard()
        try board.start("/icy")
        board.wait("station") { board.inputs.contains("\"selected\"") }
        board.wait("title") { board.metadata.contains("Artist - It's a song") }
        #expect(board.metadata.contains("http://127.0.0.1:\(board.port)/icy\""))
        // The station ends, and cannot be reached any more.
        board.killServer()
        board.wait("fault") { board.health.contains("input radio is lost (the server cannot be reached") }
        board.wait("library") { board.inputs.contains("\"radio\"") && !board.inputs.contains("\"selected\"") }
        board.wait("library's title") { board.metadata.contains("0.wav") && !board.metadata.contains("It's a song") }
        #expect(!board.everything.contains("secret"), "\(board.everything)")
    }

    @Test(.enabled(if: RealTimePriority.isAllowed))
    func stationThatWorksAgainClearsItsFault() throws {
        let board = try StreamBoard()
        // The server closes the connection as long as the file is missing. A server that starts again could find its port
        // taken.
        try board.start("/file/later.mp3")
        board.wait("fault") { board.health.contains("input radio is lost (the server cannot be reached") }
        try board.provide("later.mp3")
        board.wait("station") { board.inputs.contains("\"selected\"") && board.health.contains("as 0") }
    }

    @Test func streamsAfterTheEighthAreProblems() throws {
        let board = try StreamBoard()
        let others = (0..<9).map { "[Input other\($0)]\nFrom=stream:http://127.0.0.1:\(board.port)/icy\n" }
        try board.start(url: "http://127.0.0.1:\(board.port)/icy", others.joined())
        board.wait("problem") {
            ["other7", "other8"].allSatisfy { name in
                board.health.contains("input \(name) is lost (tacet-stream receives at most 8 streams")
            }
        }
        #expect(!board.health.contains("other6 is lost"))
    }

    @Test func pausesBetweenAttemptsSurviveTheProcess() throws {
        let board = try StreamBoard()
        try board.start("/nothing")
        // The station is one that ends the process each time.
        for pause in [1000, 2000, 4000] {
            board.wait("attempt after a pause of \(pause) ms") { board.attempts.contains(" \(pause) ") }
            try board.restartHelper()
        }
        board.wait("reason") { board.health.contains("the last attempt to receive the station was cut off") }
        #expect(!board.attempts.contains("secret") && !board.attempts.contains("127.0.0.1"), "\(board.attempts)")
    }
}

/// A board with a bus, tacetd on the `null` PCM, tacet-stream, and a station.
final class StreamBoard {
    private let bus: MessageBus
    private let folder: BoardFolder
    private var daemon: Subprocess?
    private var helper: Subprocess?
    private var server: Subprocess?
    /// The server writes to it as long as it runs.
    private let output = Pipe()
    private let manager: ServiceSocket
    private(set) var port = 0

    init() throws {
        bus = try MessageBus()
        manager = try ServiceSocket()
        folder = try BoardFolder("tacet-stream", folders: ["state", "music", "inputs", "station", "runtime"])
        try TestMusic.writeNumbers(to: path("music/0.wav"), frames: 48_000 * 120)
        try EncodedTone.write(path("station/music.mp3"), .mp3, seconds: 60)
        try startServer()
    }

    deinit {
        for process in [helper, daemon, server] { process?.end() }
    }

    private func path(_ name: String) -> String { folder.path(name) }

    private func startServer() throws {
        let script = URL(fileURLWithPath: #filePath).deletingLastPathComponent()
            .appendingPathComponent("../../Tools/bad-server.py").path
        server = try Subprocess(
            ["/usr/bin/python3", script, path("station")], output: output.fileHandleForWriting.fileDescriptor)
        // The end of a server that cannot start must not be waited for in vain.
        try output.fileHandleForWriting.close()
        var line = ""
        while !line.hasSuffix("\n") {
            let byte = output.fileHandleForReading.readData(ofLength: 1)
            try #require(!byte.isEmpty, "the server has ended")
            line += String(decoding: byte, as: UTF8.self)
        }
        port = try #require(Int(line.dropLast()))
    }

    func killServer() { server?.end() }

    /// Lets the server send a file that was missing.
    func provide(_ name: String) throws {
        try FileManager.default.moveItem(atPath: path("station/music.mp3"), toPath: path("station/\(name)"))
    }

    /// Starts the programs with a station at this path of the bad server.
    func start(_ station: String) throws {
        try start(url: "http://user:secret@127.0.0.1:\(port)\(station)?token=secret")
    }

    func start(url: String, _ sections: String = "") throws {
        try """
        [Playback]
        Device=null
        Library=music
        [State]
        Directory=state
        [Input radio]
        From=stream:\(url)
        SettleTime=1s
        \(sections)
        """.write(toFile: path("tacet.conf"), atomically: true, encoding: .utf8)
        let environment = bus.environment.merging(["TACET_INPUTS": path("inputs")]) { $1 }
        daemon = try Subprocess(
            [try BuiltProgram.path("tacetd"), "--bus=system", "--config", path("tacet.conf")],
            environment: ["NOTIFY_SOCKET": manager.name].merging(environment) { $1 }, errors: folder.log)
        try startHelper()
    }

    private func startHelper() throws {
        let environment = bus.environment.merging(["RUNTIME_DIRECTORY": path("runtime")]) { $1 }
        helper = try Subprocess([try BuiltProgram.path("tacet-stream")], environment: environment, errors: folder.log)
    }

    /// Kills tacet-stream, and starts it again.
    func restartHelper() throws {
        helper?.end()
        try startHelper()
    }

    /// What tacet-stream keeps about its attempts.
    var attempts: String { (try? String(contentsOfFile: path("runtime/attempts"), encoding: .utf8)) ?? "" }

    var inputs: String { (try? bus.property("org.tacet.Session1", "Inputs")) ?? "" }
    var health: String { (try? bus.property("org.tacet.Session1", "Health")) ?? "" }
    /// The metadata, in which busctl escapes apostrophes.
    var metadata: String {
        let text = (try? bus.property("org.mpris.MediaPlayer2.Player", "Metadata")) ?? ""
        return text.replacingOccurrences(of: "\\'", with: "'")
    }

    /// What everybody can read.
    var everything: String {
        let status = (try? bus.property("org.tacet.Session1", "Status")) ?? ""
        return [inputs, health, metadata, status, folder.output].joined(separator: "\n")
    }

    /// Waits for a condition, for at most a minute.
    func wait(_ what: String, until condition: () -> Bool) {
        let deadline = ContinuousClock.now + .seconds(60)
        while ContinuousClock.now < deadline {
            if condition() { return }
            poll(nil, 0, 20)
        }
        Issue.record("no \(what): \(everything)")
    }
}
