import BusLab
import Foundation
import Glibc
import SoundLab
import Testing

/// A daemon that plays on a sound server, with an input of another program whose configuration is one of the examples.
final class RecipeLab {
    /// The level of the library's only track, and the level of what other programs play. Both are constant, so that a
    /// recording shows the gain.
    static let library: Int32 = 0x1000_0000
    static let music: Int32 = 0x2000_0000
    /// The gain of the alarm's duck, which is -20 dB.
    static let duck = 0.1

    let server: PulseServer
    let bus: MessageBus
    let folder: URL
    private let input: String
    private let configuration: String
    private var service: Service?
    private var programs: [Subprocess] = []

    /// - Parameters:
    ///   - recipe: the name of a folder with examples.
    ///   - input: the name of its input.
    init(_ recipe: String, input: String) throws {
        server = try PulseServer()
        bus = try MessageBus()
        folder = try Service.makeFolder(tracks: nil)
        self.input = input
        for name in ["music", "inputs", "program", "songs"] {
            try FileManager.default.createDirectory(
                at: folder.appendingPathComponent(name), withIntermediateDirectories: true)
        }
        let (root, base) = (folder.path, try RecipeLab.example("\(recipe)/tacet.conf", in: folder))
        configuration = """
            [Playback]
            Device=speakers
            [Signal alarm]
            Source=bus
            Effect=duck
            DuckLevel=-20dB
            ReleaseDelay=0s
            WhenLost=hold

            """ + base
        try """
        pcm.speakers { type pulse server "unix:\(server.socket)" device speakers fallback "" }
        """.write(toFile: server.folder + "/.asoundrc", atomically: true, encoding: .utf8)
        try TestMusic.write(root + "/music/0.wav", frames: 48_000 * 120, rate: 48_000) { _ in RecipeLab.library }
        try TestMusic.write(root + "/songs/0.wav", frames: 44_100 * 120, rate: 44_100) { _ in RecipeLab.music }
    }

    deinit {
        for program in programs { program.end() }
        service?.kill()
        try? FileManager.default.removeItem(at: folder)
    }

    /// Returns an example of the package, with the test's paths.
    static func example(_ name: String, in folder: URL) throws -> String {
        let examples = URL(fileURLWithPath: #filePath).deletingLastPathComponent()
            .appendingPathComponent("../../../deploy/examples/inputs/\(name)").standardized
        return try String(contentsOf: examples, encoding: .utf8)
            .replacingOccurrences(of: "/run/tacet/inputs", with: folder.path + "/inputs")
            .replacingOccurrences(of: "/run/mpd/socket", with: folder.path + "/program/socket")
    }

    func example(_ name: String) throws -> String { try RecipeLab.example(name, in: folder) }

    func path(_ name: String) -> String { folder.appendingPathComponent(name).path }

    // MARK: Programs

    func startDaemon() throws {
        let service = try Service(
            configuration, in: folder, bus: "system", environment: server.environment.merging(bus.environment) { $1 })
        self.service = service
        try service.manager.wait { $0.contains("READY=1") }
        // Programs that are started now find the pipe.
        #expect(access(path("inputs/\(input)"), W_OK) == 0)
    }

    func killDaemon() { service?.kill() }

    /// Starts another program, whose output is in the file `program/log`.
    @discardableResult
    func start(_ command: [String]) throws -> Subprocess {
        let log = open(path("program/log"), O_WRONLY | O_CREAT | O_APPEND | O_CLOEXEC, 0o644)
        defer { close(log) }
        let environment = server.environment.merging(bus.environment) { $1 }
        let program = try Subprocess(command, environment: environment, output: log, errors: log)
        programs.append(program)
        return program
    }

    /// Waits for a condition, for at most a minute.
    func wait(_ what: String, until condition: () throws -> Bool) throws {
        let deadline = ContinuousClock.now + .seconds(60)
        while ContinuousClock.now < deadline {
            if try condition() { return }
            poll(nil, 0, 20)
        }
        let log = (try? String(contentsOfFile: path("program/log"), encoding: .utf8)) ?? ""
        throw Missing(description: "no \(what): \(log.suffix(2000)) \(service?.output.suffix(2000) ?? "")")
    }

    struct Missing: Error, CustomStringConvertible {
        let description: String
    }

    // MARK: Sound

    /// Waits until the input sounds or does not sound any more.
    func waitForInput(_ sounds: Bool = true) throws {
        try wait("change of the input") {
            ((try? bus.property("org.tacet.Session1", "Scene")) ?? input).contains("\"\(input)\"") == sounds
        }
    }

    func alarm(_ isAsserted: Bool) throws {
        let answer = try bus.call("org.tacet.Session1", "SetSignal", ["sbt", "alarm", "\(isAsserted)", "0"])
        #expect(answer.text.contains("success"), "\(answer.text)")
    }

    /// Records while the alarm begins and ends, and returns the gain of each frame from the first one of the ramp until
    /// the ramp has ended. Records again if a program was late on a busy machine, so that the ramp has a gap.
    func ramp(at level: Int32) throws -> [Double] {
        for _ in 0..<4 {
            if let ramp = try recordedRamp(at: level) { return ramp }
        }
        throw Missing(description: "no ramp without a gap")
    }

    /// Returns nil if there is a gap between the beginning of the alarm and the end of the ramp.
    private func recordedRamp(at level: Int32) throws -> [Double]? {
        let recording = try Recording(server)
        // The fade of another source, and what an AirPlay receiver sends before it plays, must be over.
        try recording.waitForMore(72_000)
        try recording.waitForSound()
        try recording.waitForMore(72_000)
        let before = recording.frames
        try alarm(true)
        try recording.waitForMore(96_000)
        let after = recording.frames
        try alarm(false)
        try recording.waitForMore(96_000)
        let gains = recording.finish().map { Double($0) / Double(level) }
        // A program on a busy machine may be late, so a few frames can be missing.
        func holds(_ range: Range<Int>, _ gain: Double) -> Bool {
            gains[range].count { abs($0 - gain) < 0.02 * gain } > range.count * 9 / 10
        }
        #expect(holds((before - 9600)..<before, 1), "\(gains[before - 1])")
        #expect(holds((after - 48_000)..<after, Self.duck), "\(gains[after - 1])")
        #expect(holds((gains.count - 9600)..<gains.count, 1), "\(gains[gains.count - 1])")
        let end = try #require(gains[before...].firstIndex { $0 < Self.duck * 1.02 })
        if abs(gains[end]) < Self.duck / 2 { return nil }
        let begin = try #require(gains[..<end].lastIndex { $0 > 0.99 })
        return Array(gains[begin..<end])
    }
}
