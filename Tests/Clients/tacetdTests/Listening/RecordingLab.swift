import AudioSession
import BusLab
import Foundation
import ServiceLab
import SessionClient
import SoundLab
import Systemd
import Testing
import Vocabulary

/// A daemon that records the monitor of a sound server's sink, with its signals on the bus, and plays on `null`.
final class RecordingLab {
    let server: PulseServer
    let bus: MessageBus
    let folder: URL
    private(set) var service: Service
    let client: SessionClient
    /// The program that holds the levels of the signals.
    private let holder: BusClient
    private var player: Subprocess?

    private static let rest = """
        [Session]
        Category=playAndRecord
        [Signal call]
        Effect=pause
        Source=bus

        """

    /// A signal that mutes the microphone. The device of the sound server has no mixer, which is a fault.
    static let privacy = """
        [Signal privacy]
        Effect=mute-microphone
        Source=bus

        """

    static let recording = """
        [Recording]
        Device=microphone
        Directory=recordings
        Channels=2

        """

    /// The number of frames after which the microphone's signal repeats. Within a period, all frames differ and none is
    /// 0.
    static let period = 32_000

    init(_ configuration: String = recording) async throws {
        server = try PulseServer()
        bus = try MessageBus()
        folder = try Service.makeFolder(tracks: 1)
        try """
        pcm.microphone { type pulse server "unix:\(server.socket)" device \(server.monitor) fallback "" }
        """.write(toFile: server.folder + "/.asoundrc", atomically: true, encoding: .utf8)
        service = try Self.start(configuration, in: folder, bus, server)
        client = SessionClient(address: bus.address)
        holder = try BusClient(address: bus.address)
        try await connect()
    }

    deinit { player?.end() }

    private static func start(
        _ configuration: String, in folder: URL, _ bus: MessageBus, _ server: PulseServer
    ) throws -> Service {
        let service = try Service(
            rest + configuration, in: folder, bus: "system",
            environment: server.environment.merging(bus.environment) { $1 })
        try service.manager.wait { $0.contains("READY=1") }
        try service.wait("name on the bus") {
            (try? bus.property(SessionAddress.session, "Interrupted"))?.hasPrefix("v b ") == true
        }
        return service
    }

    /// Waits until the client has found the daemon.
    private func connect() async throws {
        var updates = client.updates().makeAsyncIterator()
        while case .unavailable? = await updates.next() {}
    }

    /// Starts the daemon again after it has ended.
    func restart(_ configuration: String = recording) async throws {
        service = try Self.start(configuration, in: folder, bus, server)
        try await connect()
    }

    func reload(_ configuration: String) throws {
        try Service.configure(Self.rest + configuration, in: folder)
        service.signal(SIGHUP)
        try service.manager.wait { $0.hasPrefix("RELOADING=1") }
        try service.manager.wait { $0.contains("READY=1") }
    }

    /// Plays the microphone's signal, and returns once the monitor receives it.
    func play(seconds: Int = 60) throws {
        let path = folder.appendingPathComponent("signal.wav").path
        // Like the recording, the file contains 16-bit samples.
        try TestMusic.write(path, frames: seconds * 48_000, rate: 48_000) { Int32($0 % Self.period + 1) << 16 }
        let monitor = try Recording(server)
        player = try Subprocess(
            ["paplay", "--device=speakers", "--latency-msec=1000", path], environment: server.environment)
        try monitor.waitForSound()
        _ = monitor.finish()
    }

    func assert(_ signal: String, _ isAsserted: Bool) throws {
        let answer = try holder.call(
            "SetSignal", of: SessionAddress.session, at: SessionAddress.path, on: SessionAddress.name,
            [.string(signal), .bool(isAsserted), .uint64(.max)])
        #expect(answer == [.string("success")])
    }

    func tacet(_ arguments: String...) throws -> (code: Int32, text: String) {
        try bus.run([try BuiltProgram.path("tacet")] + arguments)
    }

    func status() throws -> [String: Any] {
        let text = try tacet("status", "--json").text
        return try #require(try JSONSerialization.jsonObject(with: Data(text.utf8)) as? [String: Any], "\(text)")
    }

    /// Returns true if `tacet health` reports nothing, or only that an ordinary user's programs are not real-time programs.
    func isHealthy() throws -> Bool {
        let text = try tacet("health", "--json").text
        let report = try #require(try JSONSerialization.jsonObject(with: Data(text.utf8)) as? [String: Any], "\(text)")
        return (report["problems"] as? [String])?.allSatisfy { $0.contains("no real-time priority") } == true
    }

    // MARK: Waiting

    struct Timeout: Error, CustomStringConvertible { let description: String }

    /// Waits until the state of the session satisfies a condition.
    @discardableResult
    func wait(_ what: String, until condition: (Snapshot) -> Bool) async throws -> Snapshot {
        let deadline = ContinuousClock.now + .seconds(20)
        while true {
            let snapshot = try await client.snapshot()
            if condition(snapshot) { return snapshot }
            guard ContinuousClock.now < deadline else {
                throw Timeout(description: "no \(what): \(snapshot); \(service.output)")
            }
            poll(nil, 0, 5)
        }
    }

    /// Waits until this much more has been recorded.
    func record(_ time: Duration = .milliseconds(300)) async throws {
        let start = try await client.snapshot().recorded
        try await wait("recording") { $0.recorded >= start + time }
    }

    /// The number of frames that have been recorded.
    var recordedFrames: Int {
        get async throws { Int((try await client.snapshot().recorded / .seconds(1) * 48_000).rounded()) }
    }

    /// Waits for an entry of the journal.
    func waitForEntry(_ words: String, count: Int = 1) throws {
        try service.wait("entry ‘\(words)’") { entries(words).count >= count }
    }

    func entries(_ words: String) -> [String] {
        service.output.split(separator: "\n").filter { $0.contains(words) }.map(String.init)
    }

    // MARK: Files

    /// The names of the recordings, in order.
    func names(in directory: String = "recordings") -> [String] {
        ((try? FileManager.default.contentsOfDirectory(atPath: path(directory))) ?? []).sorted()
    }

    func path(_ name: String) -> String { folder.appendingPathComponent(name).path }

    func bytes(_ name: String, in directory: String = "recordings") throws -> [UInt8] {
        [UInt8](try Data(contentsOf: folder.appendingPathComponent(directory).appendingPathComponent(name)))
    }

    func decode(_ name: String, in directory: String = "recordings") throws -> DecodedFile {
        try #require(DecodedFile(try bytes(name, in: directory)), "\(name)")
    }

    /// Returns true if the tags of the file contain this reason for its end.
    func hasEnded(_ name: String, _ reason: String) throws -> Bool {
        String(decoding: try bytes(name).prefix(4096), as: UTF8.self).contains("ENDED=\(reason)")
    }

    /// Checks that the frames match the signal, in order, and that frames are missing in at most this many places.
    /// - Parameter silence: true if the recording may be silent for a while.
    static func check(_ numbers: [Int], jumps most: Int, silence: Bool = false) {
        var last = 0
        var jumps = 0
        for (index, number) in numbers.enumerated() {
            if number != 0, last != 0 {
                let step = (number - last + period) % period
                if step == 0 || step > period / 2 {
                    return #expect(Bool(false), "frame \(index) is \(number) after \(last): repeated")
                }
                if step != 1 { jumps += 1 }
            }
            last = number
        }
        #expect(jumps <= most)
        if !silence { #expect(!numbers.contains(0)) }
    }
}
