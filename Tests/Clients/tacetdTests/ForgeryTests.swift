import BusLab
import Foundation
import SoundLab
import Testing

@testable import Systemd

/// Signals and floods of bytes from a program that Tacet does not follow. Any program on the bus can send them directly
/// to Tacet's connections.
@Suite(.serialized) struct ForgeryTests {
    private let session = "org.tacet.Session1"

    private func start(_ bus: MessageBus, _ text: String = "") throws -> Service {
        let service = try Service(text, bus: "system", environment: bus.environment)
        try service.manager.wait { $0.contains("READY=1") }
        try service.wait("name on the bus") { (try? bus.property(session, "Interrupted"))?.hasPrefix("v b") == true }
        return service
    }

    private func mock(_ template: String, on bus: MessageBus, _ name: String) throws -> Subprocess {
        let mock = try Subprocess(
            ["/usr/bin/python3", "-m", "dbusmock", "--system", "--template", template], environment: bus.environment,
            errors: STDERR_FILENO)
        let client = try BusClient(address: bus.address)
        let driver = BusSender.driver
        let limit = ContinuousClock.now + .seconds(60)
        while (try? client.call(
            "GetNameOwner", of: driver, at: "/org/freedesktop/DBus", on: driver, [.string(name)])) == nil,
            ContinuousClock.now < limit
        { _ = try client.wait(.milliseconds(20)) }
        return mock
    }

    /// Sends to each connection of the service, and returns once the service has handled everything.
    private func forge(
        _ service: Service, on bus: MessageBus,
        _ signals: [(path: String, interface: String, member: String, values: [BusValue])]
    ) throws {
        let forger = try BusClient(address: bus.address)
        let names = try forger.names(of: service.pid)
        #expect(names.count >= 2)
        for name in names {
            for signal in signals {
                try forger.emit(signal.member, of: signal.interface, from: signal.path, signal.values, to: name)
            }
            try forger.ping(name)
        }
    }

    @Test func forgedSleepSignalIsIgnored() throws {
        let bus = try MessageBus()
        let logind = try mock("logind", on: bus, "org.freedesktop.login1")
        defer { logind.end() }
        let service = try start(bus)
        let path = "/org/freedesktop/login1"
        let driver = BusSender.driver
        try forge(
            service, on: bus,
            [
                // This announces a new owner, which could then announce a sleep.
                (
                    "/org/freedesktop/DBus", driver, "NameOwnerChanged",
                    [.string("org.freedesktop.login1"), .string(""), .string(":1.4711")]
                ),
                (path, "org.freedesktop.login1.Manager", "PrepareForSleep", [.bool(true)]),
            ])
        #expect(try bus.property(session, "Status").contains("Playing"))
        // A signal from the real sender is still handled.
        let answer = try bus.run(
            [
                "busctl", "--address=\(bus.address)", "--", "call", "org.freedesktop.login1", path,
                "org.freedesktop.DBus.Mock", "EmitSignal", "sssav", "org.freedesktop.login1.Manager",
                "PrepareForSleep", "b", "1", "b", "true",
            ])
        #expect(answer.code == 0, "\(answer.text)")
        try service.wait("sleep") { (try? bus.property(session, "Status"))?.contains("about to sleep") == true }
    }

    @Test func forgedCallSignalIsIgnored() throws {
        let bus = try MessageBus()
        let ofono = try mock("ofono", on: bus, "org.ofono")
        defer { ofono.end() }
        let service = try start(bus, "[Signal call]\nEffect=pause\nSource=call\nCall=active\nLostGrace=0s\n")
        try service.wait("calls") { (try? bus.property(session, "Health"))?.contains("call is lost") == false }
        try forge(
            service, on: bus,
            [
                (
                    "/ril_0", "org.ofono.VoiceCallManager", "CallAdded",
                    [.objectPath("/ril_0/voicecall09"), .dictionary(["State": .string("active")])]
                )
            ])
        #expect(try bus.property(session, "Interrupted") == "v b false\n")
        #expect(try bus.property(session, "Health").contains("call is lost") == false)
    }

    /// A message takes no more memory than its size, because it is neither copied nor boxed, and none of it is sent
    /// back.
    @Test func hugeMessagesCostNoMoreThanTheirSize() throws {
        let bus = try MessageBus()
        let service = try start(bus, "[Signal call]\nEffect=pause\nSource=call\nCall=active\nLostGrace=0s\n")
        let before = try ProcessUse(service.pid).peak
        let bytes = BusValue.bytes([UInt8](repeating: 7, count: 8 << 20))
        try forge(
            service, on: bus,
            [
                ("/org/freedesktop/login1", "org.freedesktop.login1.Manager", "PrepareForSleep", [bytes]),
                ("/", "org.ofono.Manager", "ModemRemoved", [bytes]),
                ("/ril_0", "org.ofono.Modem", "PropertyChanged", [.string("x"), .variant(bytes)]),
            ])
        let client = try BusClient(address: bus.address)
        let long = String(repeating: "x", count: 8 << 20)
        let properties = "org.freedesktop.DBus.Properties"
        for (path, member, arguments) in [
            ("/org/mpris/MediaPlayer2", "Get", [.string(long), .string("Volume")]),
            ("/org/mpris/MediaPlayer2", "GetAll", [.string(long)]),
            ("/org/mpris/MediaPlayer2", "Get", [.string(session), .string(String(repeating: "x", count: 300))]),
            ("/" + long, "Get", [.string(session), .string("Why")]),
        ] as [(String, String, [BusValue])] {
            do throws(BusError) {
                _ = try client.call(
                    member, of: properties, at: path, on: "org.mpris.MediaPlayer2.tacet", arguments,
                    within: .seconds(60))
                Issue.record("\(member) of a name that is too long succeeds")
            } catch {
                #expect(error.message.utf8.count < 255, "\(error)")
            }
        }
        let peak = try ProcessUse(service.pid).peak
        #expect(peak <= before + 40_000, "\(before) KiB, at most \(peak) KiB")
        #expect(try bus.property(session, "Status").contains("Playing"))
    }
}
