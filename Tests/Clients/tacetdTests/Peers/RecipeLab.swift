import BusLab
import Foundation
import Glibc
import SoundLab
import Testing

/// A daemon that plays on a sound server, with an input of another program whose configuration is one of the examples.
final class RecipeLab {
    /// The level of the library's only track, and the level of what other programs play. Both are constant, so that a
    /// recording shows the gain. They differ, so that a recording shows which of the two plays. If a program is late for
    /// so long that the library replaces it, the level is a half throughout.
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
        let (root, base) = (folder.path, try InputExample.text("\(recipe)/tacet.conf", in: folder))
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

    func example(_ name: String) throws -> String { try InputExample.text(name, in: folder) }

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

    /// Waits until the input plays or does not play any more.
    func waitForInput(_ plays: Bool = true) throws {
        try wait("change of the input") {
            ((try? bus.property("org.tacet.Session1", "Inputs")) ?? "").contains("\"selected\"") == plays
        }
    }

    func alarm(_ isAsserted: Bool) throws {
        let answer = try bus.call("org.tacet.Session1", "SetSignal", ["sbt", "alarm", "\(isAsserted)", "0"])
        #expect(answer.text.contains("success"), "\(answer.text)")
    }

    /// Records while the alarm begins and ends. If the recording shows that a program was late during the ramp, prints
    /// what happened and records again.
    /// - Parameter shape: the ramp of the library, or nil to record this ramp.
    func ramp(like shape: RecordedRamp? = nil) throws -> RecordedRamp {
        var words = ""
        for _ in 0..<8 {
            if shape != nil { try waitForInput() }
            do {
                return try recordedRamp(like: shape)
            } catch let disturbance as SteadyRecording.Disturbance {
                words = "\(input): \(disturbance)"
                print(words)
            }
        }
        throw Missing(description: "no undisturbed ramp: \(words)")
    }

    private func recordedRamp(like shape: RecordedRamp?) throws -> RecordedRamp {
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
        let steady = SteadyRecording(
            recording.finish(), of: shape == nil ? Self.library : Self.music, quietest: Self.duck)
        let reference = try steady.level(in: before - 48_000..<before)
        let ducked = try steady.level(in: after - 48_000..<after)
        let restored = try steady.level(in: steady.frames.count - 9600..<steady.frames.count)
        if shape != nil, [reference, ducked, restored].contains(where: { isLibrary($0) }) {
            throw SteadyRecording.Disturbance(description: "the library has replaced the input, which was late")
        }
        let noise = 2 * reference.noise
        #expect(abs(reference.level - 1) <= noise, "\(reference)")
        #expect(abs(ducked.level / reference.level / Self.duck - 1) <= noise, "\(reference), \(ducked)")
        #expect(abs(restored.level / reference.level - 1) <= noise, "\(reference), \(restored)")
        return try RecordedRamp(in: steady, after: before, to: Self.duck, like: shape)
    }

    /// Checks that the library plays, so that the level is a half.
    func checkLibrary() throws {
        let recording = try Recording(server)
        try recording.waitForMore(96_000)
        let steady = SteadyRecording(recording.finish(), of: Self.music, quietest: Self.duck)
        let level = try steady.level(in: steady.frames.count - 24_000..<steady.frames.count)
        #expect(isLibrary(level), "\(level)")
    }

    /// True if a level, relative to the music of other programs, is that of the library, with or without the alarm.
    private func isLibrary(_ level: SteadyRecording.Level) -> Bool {
        let library = Double(Self.library) / Double(Self.music)
        return abs(level.level - library) < 0.001 || abs(level.level - library * Self.duck) < 0.0001
    }
}
