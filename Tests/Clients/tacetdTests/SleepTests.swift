import BusLab
import Foundation
import SoundLab
import Testing

/// Sleeps of the system, with python-dbusmock's logind, and stops of the process.
@Suite(.serialized) struct SleepTests {
    private let session = "org.tacet.Session1"
    private let player = "org.mpris.MediaPlayer2.Player"
    private static let manager = "org.freedesktop.login1.Manager"

    private func logind(_ bus: MessageBus) throws -> Subprocess {
        try Subprocess(
            ["/usr/bin/python3", "-m", "dbusmock", "--system", "--template", "logind"], environment: bus.environment,
            errors: STDERR_FILENO)
    }

    private func start(_ bus: MessageBus, _ text: String = "") throws -> Service {
        let service = try Service(text, bus: "system", environment: bus.environment)
        try service.manager.wait { $0.contains("STATUS=Playing ‘0.wav’") }
        try service.wait("name on the bus") { (try? bus.property(session, "Interrupted"))?.hasPrefix("v b") == true }
        return service
    }

    private func call(
        _ bus: MessageBus, _ interface: String, _ arguments: String...
    ) throws -> (code: Int32, text: String) {
        try bus.run(
            [
                "busctl", "--address=\(bus.address)", "--", "call", "org.freedesktop.login1",
                "/org/freedesktop/login1", interface,
            ] + arguments)
    }

    private func announce(_ bus: MessageBus, sleep: Bool) throws {
        let answer = try call(
            bus, "org.freedesktop.DBus.Mock", "EmitSignal", "sssav", Self.manager, "PrepareForSleep", "b", "1", "b",
            "\(sleep)")
        #expect(answer.code == 0, "\(answer.text)")
    }

    /// Waits until Tacet delays sleep, or no longer does.
    private func wait(_ service: Service, _ bus: MessageBus, delays: Bool) throws {
        try service.wait("inhibitor \(delays)") {
            guard let list = try? call(bus, Self.manager, "ListInhibitors"), list.code == 0 else { return false }
            return list.text.contains("\"sleep\" \"Tacet\"") == delays
        }
    }

    private func status(_ bus: MessageBus) -> String { (try? bus.property(session, "Status")) ?? "" }

    /// Returns the position in µs.
    private func position(_ bus: MessageBus) throws -> Int {
        let text = try bus.property(player, "Position")
        return try #require(Int(text.dropFirst("v x ".count).trimmingCharacters(in: .whitespacesAndNewlines)))
    }

    @Test func everySleepWaitsUntilTheStateIsSaved() throws {
        let bus = try MessageBus()
        let mock = try logind(bus)
        defer { mock.end() }
        let service = try start(bus)
        for number in 1...2 {
            try wait(service, bus, delays: true)
            let before = try position(bus)
            try announce(bus, sleep: true)
            try wait(service, bus, delays: false)
            // The saved position is the one at which the music is paused.
            let saved = service.savedPosition
            #expect(status(bus).contains("Quiet: the system is about to sleep"))
            let rest = try position(bus)
            #expect(rest >= before && abs(saved * 1_000_000 - Double(rest)) < 1)
            #expect(service.savedPosition == saved)

            try announce(bus, sleep: false)
            try service.wait("waking") { status(bus).contains("Playing") }
            try service.wait("progress") { ((try? position(bus)) ?? 0) > rest }
            let entries = service.output.components(separatedBy: "\n")
            #expect(entries.filter { $0.contains("[asleep ") }.count == number)
            #expect(entries.filter { $0.contains("[awake ") && $0.contains("REASON=announced") }.count == number)
        }
        #expect(try bus.property(session, "Why").contains("The system was about to sleep for "))
    }

    @Test func restartedLogindEndsTheAnnouncedSleepAndDelaysTheNext() throws {
        let bus = try MessageBus()
        var mock = try logind(bus)
        defer { mock.end() }
        let service = try start(bus)
        try wait(service, bus, delays: true)
        mock.end()
        mock = try logind(bus)
        try wait(service, bus, delays: true)
        try announce(bus, sleep: true)
        try wait(service, bus, delays: false)
        #expect(status(bus).contains("about to sleep"))
        mock.end()
        try service.wait("waking") { status(bus).contains("Playing") }
        mock = try logind(bus)
        try wait(service, bus, delays: true)
    }

    @Test func worksWithoutLogindAndFindsItLater() throws {
        let bus = try MessageBus()
        let service = try start(bus)
        #expect(!service.output.contains("logind"))
        let mock = try logind(bus)
        defer { mock.end() }
        try wait(service, bus, delays: true)
        #expect(!service.output.contains("logind"))
    }

    @Test func rejectedDelayIsLoggedOnceAndSleepStillAnnounced() throws {
        let bus = try MessageBus()
        func mock() throws -> Subprocess {
            let mock = try Subprocess(
                [
                    "/usr/bin/python3", "-m", "dbusmock", "--system", "org.freedesktop.login1",
                    "/org/freedesktop/login1", Self.manager,
                ], environment: bus.environment, errors: STDERR_FILENO)
            for _ in 0..<2000 {
                let code = #"raise dbus.exceptions.DBusException("no", name="org.freedesktop.DBus.Error.AccessDenied")"#
                let answer = try call(
                    bus, "org.freedesktop.DBus.Mock", "AddMethod", "sssss", Self.manager, "Inhibit", "ssss", "h", code)
                if answer.code == 0 { return mock }
            }
            Issue.record("no mock")
            return mock
        }
        let first = try mock()
        let service = try start(bus)
        try service.wait("complaint") { service.output.contains("[sleep-undelayed ") }
        try announce(bus, sleep: true)
        try service.wait("quiet") { status(bus).contains("about to sleep") }
        try announce(bus, sleep: false)
        try service.wait("waking") { status(bus).contains("Playing") }
        first.end()
        let second = try mock()
        defer { second.end() }
        // The answer to Tacet's next request for a delay has arrived by the end of the next sleep.
        try announce(bus, sleep: true)
        try service.wait("quiet") { status(bus).contains("about to sleep") }
        #expect(service.output.components(separatedBy: "[sleep-undelayed ").count == 2)
    }

    @Test func stoppedProcessWakesWhenItContinues() throws {
        let bus = try MessageBus()
        let service = try start(bus)
        service.signal(SIGSTOP)
        let end = ContinuousClock.now + .milliseconds(2500)
        try service.wait("end of the stop") { ContinuousClock.now > end }
        service.signal(SIGCONT)
        try service.wait("waking") { service.output.contains("[awake ") }
        try service.wait("entry") { service.output.contains("REASON=stopped") }
        #expect(try bus.property(session, "Why").contains("Tacet was stopped (SIGSTOP) for "))
        #expect(status(bus).contains("Playing "))
        #expect(!service.output.contains("[media-services-lost"))
        #expect(!service.output.contains("[hung"))
    }
}
