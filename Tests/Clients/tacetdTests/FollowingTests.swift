import AudioSession
import BusLab
import Foundation
import ResumeStore
import ServiceLab
import SoundLab
import Systemd
import Testing
import Vocabulary

@testable import SessionClient

/// The library and the programs that follow the daemon, on a real message bus.
///
/// There are no wires. The signals are asserted because the saved state says so and their lines are missing, and a
/// reload changes their effect.
@Suite(.serialized, .timeLimit(.minutes(2))) struct FollowingTests {
    private static let duck = Level(decibels: -14) ?? .mute
    private static let lowDuck = Level(decibels: -20) ?? .mute

    private func wires(phone: String = "ignore", alarm: String = "ignore", level: String = "-14dB") -> String {
        """
        [Signal phone-call]
        Line=NO_SUCH_CALL
        Effect=\(phone)
        [Signal alarm]
        Line=NO_SUCH_ALARM
        Effect=\(alarm)
        DuckLevel=\(level)

        """
    }

    /// Starts a daemon with an asserted call and alarm.
    private func start(_ bus: MessageBus, _ configuration: String) throws -> Service {
        let held = ["phone-call", "alarm"].map {
            SavedState.Held(signal: $0, standing: "inForce", age: .seconds(1), isStuck: false)
        }
        let folder = try Service.makeFolder(tracks: 3)
        try StateFile(ResumeStore(directory: folder.appendingPathComponent("state").path)).write(
            SavedState(
                savedAt: .seconds(time(nil)), intent: "playing", track: nil, trackNumber: 0, position: .zero, volume: 0,
                shuffleSeed: 0, held: held, episode: nil))
        return try restart(bus, configuration, in: folder)
    }

    private func restart(_ bus: MessageBus, _ configuration: String, in folder: URL) throws -> Service {
        let service = try Service(configuration, in: folder, bus: "system", environment: bus.environment)
        try service.manager.wait { $0.contains("READY=1") }
        try service.wait("name on the bus") {
            (try? bus.property(SessionAddress.session, "Interrupted"))?.hasPrefix("v b ") == true
        }
        return service
    }

    private func reload(_ service: Service, _ configuration: String) throws {
        try Service.configure(configuration, in: service.folder)
        service.signal(SIGHUP)
        // Reads the messages to the service manager, because the daemon would block otherwise.
        try service.manager.wait { $0.contains("READY=1") }
    }

    // MARK: The library

    /// Updates without underruns, which a busy machine causes.
    private struct FilteredUpdates {
        private var updates: AsyncStream<SessionUpdate>.Iterator

        init(_ updates: AsyncStream<SessionUpdate>) { self.updates = updates.makeAsyncIterator() }

        mutating func next() async -> SessionUpdate? {
            while let update = await updates.next() {
                if case .event(let event) = update, event.name == "underrun" { continue }
                return update
            }
            return nil
        }

        /// Returns the next change in availability, and skips events.
        mutating func nextAvailability() async -> SessionUpdate? {
            while let update = await next() {
                if case .event = update { continue }
                return update
            }
            return nil
        }
    }

    @Test func deliversNotificationsAndEventsInOrder() async throws {
        let bus = try MessageBus()
        let service = try start(bus, wires())
        let client = SessionClient(address: bus.address)
        var updates = FilteredUpdates(client.updates())
        var notifications = client.notifications().makeAsyncIterator()
        let first = try #require(await updates.next()?.snapshot)
        #expect(first.directive == .play(.full) && first.active == ["alarm", "phone-call"] && first.track == "0.wav")
        #expect(first.faults.map(\.description) == ["alarm:lost", "phone-call:lost"])
        var time = Duration.zero
        for (configuration, expected) in [
            (wires(alarm: "duck"), SessionNotification.duckBegan(Self.duck)),
            (wires(alarm: "duck", level: "-20dB"), .duckChanged(Self.lowDuck)),
            (wires(phone: "pause", alarm: "duck", level: "-20dB"), .began(.default)),
            (wires(alarm: "duck", level: "-20dB"), .ended(.shouldResume)),
            (wires(), .duckEnded),
        ] {
            try reload(service, configuration)
            #expect(await notifications.next() == expected)
            guard case .event(let event)? = await updates.next() else {
                Issue.record("no event")
                return
            }
            #expect(event.name == "reloaded" && event.snapshot.notifications == [expected])
            #expect(event.snapshot.isInterrupted == (expected == .began(.default)))
            #expect(event.time > time && event.wallClock > .seconds(1_500_000_000))
            time = event.time
        }
    }

    @Test func commandsAreAnsweredAndReportedAsEvents() async throws {
        let bus = try MessageBus()
        let service = try start(bus, wires())
        let client = SessionClient(address: bus.address)
        var updates = FilteredUpdates(client.updates())
        _ = await updates.next()
        #expect(try await client.command(.pause) == .success)
        #expect(try await client.command(.seek(to: .seconds(7))) == .success)
        for name in ["command pause", "command seek 7.0s"] {
            guard case .event(let event)? = await updates.next() else {
                Issue.record("no event")
                return
            }
            #expect(event.name == name && event.snapshot.answer == .success && event.snapshot.intent == .paused)
        }
        #expect(try await client.snapshot().position == .seconds(7))
        #expect(try await client.why().contains("because it was paused"))
        try reload(service, wires(phone: "pause"))
        while await updates.next()?.snapshot?.isInterrupted == false {}
        #expect(try await client.command(.play) == .deferred)
        service.kill()
        while await updates.next() != .unavailable(.notRunning) {}
        await #expect(throws: SessionError.self) { try await client.command(.pause) }
    }

    @Test func followsADaemonThatRestarts() async throws {
        let bus = try MessageBus()
        let client = SessionClient(address: bus.address)
        var updates = FilteredUpdates(client.updates())
        var notifications = client.notifications().makeAsyncIterator()
        #expect(await updates.nextAvailability() == .unavailable(.notRunning))
        let service = try start(bus, wires(phone: "pause"))
        guard case .available(let before)? = await updates.nextAvailability() else {
            Issue.record("not available")
            return
        }
        #expect(before.isInterrupted)
        #expect(await notifications.next() == .began(.appWasSuspended))
        service.kill()
        #expect(await updates.nextAvailability() == .unavailable(.notRunning))
        let next = try restart(bus, wires(), in: service.folder)
        guard case .available(let after)? = await updates.nextAvailability() else {
            Issue.record("not available again")
            return
        }
        #expect(!after.isInterrupted && after.directive == .play(.full))
        // The interruption ended unobserved.
        #expect(await notifications.next() == .ended(.shouldResume))
        next.kill()
    }

    @Test func followsAfterTheBusRestarts() async throws {
        let bus = try MessageBus()
        let service = try start(bus, wires())
        let client = SessionClient(address: bus.address)
        var updates = FilteredUpdates(client.updates())
        guard case .available? = await updates.nextAvailability() else {
            Issue.record("not available")
            return
        }
        bus.die()
        guard case .unavailable(.noBus)? = await updates.nextAvailability() else {
            Issue.record("the bus is still available")
            return
        }
        try bus.start()
        var last = await updates.nextAvailability()
        while case .unavailable? = last { last = await updates.nextAvailability() }
        guard case .available? = last else {
            Issue.record("not available again")
            return
        }
        #expect(try await client.command(.pause) == .success)
        service.kill()
    }

    /// Other readers lose nothing.
    @Test func slowReaderLosesTheOldestUpdates() async throws {
        let bus = try MessageBus()
        let service = try start(bus, wires())
        let client = SessionClient(address: bus.address)
        let count = 200
        var fast = FilteredUpdates(client.updates(capacity: 2 * count))
        _ = await fast.next()
        var slow = FilteredUpdates(client.updates(capacity: 4))
        for second in 1...count { _ = try await client.command(.seek(to: .milliseconds(100 * second))) }
        let names = (1...count).map { "command \(Command.seek(to: .milliseconds(100 * $0)))" }
        var heard: [String] = []
        while heard.last != names.last, case .event(let event)? = await fast.next() { heard.append(event.name) }
        #expect(heard == names)
        var kept: [String] = []
        while kept.last != names.last, case .event(let event)? = await slow.next() { kept.append(event.name) }
        #expect((1...4).contains(kept.count) && kept == names.suffix(kept.count))
        service.kill()
    }

    @Test func sequencesEndWhenCancelledOrClosed() async throws {
        let bus = try MessageBus()
        let service = try start(bus, wires())
        let client = SessionClient(address: bus.address)
        let (arrivals, arrived) = AsyncStream.makeStream(of: Void.self)
        let reader = Task {
            for await _ in client.updates() { arrived.yield() }
            return Task.isCancelled
        }
        for await _ in arrivals { break }
        reader.cancel()
        #expect(await reader.value)
        var updates = FilteredUpdates(client.updates())
        guard case .available? = await updates.next() else {
            Issue.record("not available")
            return
        }
        client.close()
        #expect(await updates.next() == nil)
        var late = client.notifications().makeAsyncIterator()
        #expect(await late.next() == nil)
        await #expect(throws: SessionError.closed) { try await client.command(.pause) }
        service.kill()
    }

    /// The sequence alone keeps the client alive.
    @Test func clientLivesAsLongAsItsSequence() async throws {
        let bus = try MessageBus()
        let service = try start(bus, wires(phone: "pause"))
        var notifications = SessionClient(address: bus.address).notifications().makeAsyncIterator()
        #expect(await notifications.next() == .began(.appWasSuspended))
        try reload(service, wires())
        #expect(await notifications.next() == .ended(.shouldResume))
    }

    // MARK: Programs

    /// A program whose output the test reads while it runs.
    private final class WatchedProgram {
        let process: Subprocess
        private let file: String

        init(_ command: [String], _ bus: MessageBus, in folder: URL) throws {
            file = folder.appendingPathComponent("output-\(UUID().uuidString)").path
            let output = open(file, O_WRONLY | O_CREAT | O_APPEND | O_CLOEXEC, 0o644)
            defer { close(output) }
            process = try Subprocess(command, environment: bus.environment, output: output, errors: output)
        }

        var lines: [String] {
            ((try? String(contentsOfFile: file, encoding: .utf8)) ?? "").split(separator: "\n").map(String.init)
                // A busy machine causes underruns.
                .filter { !$0.contains("underrun") }
        }
    }

    @Test func monitorPrintsEventsAsTheyHappen() throws {
        let bus = try MessageBus()
        let service = try start(bus, wires())
        let program = try BuiltProgram.path("tacet")
        let monitor = try WatchedProgram([program, "monitor"], bus, in: service.folder)
        let has: (String) throws -> Void = { words in
            try service.wait("‘\(words)’ in \(monitor.lines)") { monitor.lines.contains { $0.contains(words) } }
        }
        try has("now                       Active: alarm, phone-call. Plays ‘0.wav’ at 0:")
        try reload(service, wires(phone: "pause"))
        try has(
            "reloaded                  An interruption begins. Quiet: phone-call is asserted; will resume ‘0.wav’ at 0:"
        )
        _ = try bus.run([program, "pause"])
        try has("command pause             Quiet: phone-call is asserted; stays paused in ‘0.wav’")
        service.kill()
        try has("gone                      The daemon is not running. Waiting …")
        let next = try restart(bus, wires(phone: "pause"), in: service.folder)
        try service.wait("state again") { monitor.lines.filter { $0.contains("  now  ") }.count == 2 }
        next.kill()
        monitor.process.signal(SIGINT)
        #expect(monitor.process.wait() == 0)
        // There are no colours without a terminal.
        #expect(!monitor.lines.contains { $0.contains("\u{1B}") })
        #expect(try bus.run([program, "monitor"]).code == 69)
    }

    @Test func monitorAsJSONIsATraceWithTheTime() throws {
        let bus = try MessageBus()
        let service = try start(bus, wires())
        let program = try BuiltProgram.path("tacet")
        let monitor = try WatchedProgram([program, "monitor", "--json"], bus, in: service.folder)
        try service.wait("state") { monitor.lines.count == 1 }
        _ = try bus.run([program, "pause"])
        try service.wait("command") { monitor.lines.count == 2 }
        service.kill()
        try service.wait("end") { monitor.lines.count == 3 }
        let rows = try monitor.lines.map {
            try #require(try JSONSerialization.jsonObject(with: Data($0.utf8)) as? [String: Any])
        }
        #expect(rows.map { $0["event"] as? String } == ["now", "command pause", "gone"])
        #expect(rows.map(\.count) == [23, 23, 3])
        #expect(rows[1]["answer"] as? String == "success" && rows[1]["intent"] as? String == "paused")
        #expect(rows.allSatisfy { ($0["time"] as? String)?.hasSuffix("Z") == true && $0["t"] is Double })
        #expect(
            monitor.lines[1].hasPrefix("{\"time\":\"2")
                && monitor.lines[1].contains(",\"intent\":\"paused\",\"session\""))
    }

    /// The monitor ends even if no event happens.
    @Test func monitorEndsWhenItsReaderEnds() throws {
        let bus = try MessageBus()
        let service = try start(bus, wires())
        let program = try BuiltProgram.path("tacet")
        let result = try bus.run(["bash", "-o", "pipefail", "-c", "\(program) monitor --json | head -n 1"])
        #expect(result.code == 0 && result.text.split(separator: "\n").count == 1)
        service.kill()
    }

    @Test(arguments: [("--help", 0), ("now", 64)])
    func kioskScreenExplainsItself(argument: String, code: Int32) throws {
        let program = Process()
        program.executableURL = URL(fileURLWithPath: try BuiltProgram.path("kiosk-screen"))
        program.arguments = [argument]
        let output = Pipe()
        program.standardOutput = output
        try program.run()
        let text = String(decoding: output.fileHandleForReading.readDataToEndOfFile(), as: UTF8.self)
        program.waitUntilExit()
        #expect(text.hasPrefix("Usage: kiosk-screen\n") && program.terminationStatus == code)
    }

    @Test func kioskScreenFreezesDuringACall() throws {
        let bus = try MessageBus()
        let service = try start(bus, wires())
        // Although the output is a pipe, each line appears at once.
        let kiosk = try WatchedProgram([try BuiltProgram.path("kiosk-screen")], bus, in: service.folder)
        try service.wait("‘Waiting’") {
            kiosk.lines.first == "Waiting for notifications from Tacet. Press Ctrl-C to stop."
        }
        for (configuration, line) in [
            (wires(phone: "pause"), "screen frozen"), (wires(), "screen running"),
            (wires(alarm: "duck"), "screen dimmed: music ducked to -14 dB"), (wires(), "screen bright"),
        ] {
            try reload(service, configuration)
            try service.wait("‘\(line)’") { kiosk.lines.last == line }
        }
        service.kill()
    }
}
