import BusLab
import Foundation
import ServiceLab
import SoundLab
import Testing

/// Signals that follow oFono's voice calls, with python-dbusmock's oFono.
@Suite(.serialized) struct CallTests {
    private let session = "org.tacet.Session1"

    private static let text = """
        [Signal call]
        Effect=pause
        Source=call
        Call=active
        LostGrace=0s
        [Signal ring]
        Effect=duck
        Call=ringing
        LostGrace=0s

        """

    private func ofono(_ bus: MessageBus) throws -> Subprocess {
        let mock = try Subprocess(
            ["/usr/bin/python3", "-m", "dbusmock", "--system", "--template", "ofono"], environment: bus.environment,
            errors: STDERR_FILENO)
        return mock
    }

    private func start(_ bus: MessageBus) throws -> Service {
        let service = try Service(Self.text, bus: "system", environment: bus.environment)
        try service.manager.wait { $0.contains("READY=1") }
        try service.wait("name on the bus") { (try? bus.property(session, "Interrupted"))?.hasPrefix("v b") == true }
        return service
    }

    @discardableResult
    private func call(_ bus: MessageBus, _ path: String, _ interface: String, _ arguments: String...) throws -> String {
        let answer = try bus.run(
            ["busctl", "--address=\(bus.address)", "--", "call", "org.ofono", path, interface] + arguments)
        #expect(answer.code == 0, "\(answer.text)")
        return answer.text
    }

    private func state(_ bus: MessageBus, _ state: String) throws {
        try call(
            bus, "/ril_0/voicecall01", "org.freedesktop.DBus.Mock", "EmitSignal", "sssav", "org.ofono.VoiceCall",
            "PropertyChanged", "sv", "2", "s", "State", "s", state)
    }

    /// Waits until `Interrupted`, a signal's level and the signal's loss have these values.
    private func wait(
        _ service: Service, _ bus: MessageBus, interrupted: Bool, gain: String? = nil, isLost: Bool = false
    ) throws {
        try service.wait("interrupted \(interrupted), lost \(isLost)") {
            (try? bus.property(session, "Interrupted")) == "v b \(interrupted)\n"
                && (try? bus.property(session, "Health"))?.contains("call is lost") == isLost
                && (gain == nil || (try? bus.property(session, "Gain")) == "v d \(gain ?? "")\n")
        }
    }

    @Test func musicFollowsACallFromRingToEnd() throws {
        let bus = try MessageBus()
        let mock = try ofono(bus)
        defer { mock.end() }
        let service = try start(bus)
        try wait(service, bus, interrupted: false)
        try call(bus, "/ril_0", "org.ofono.VoiceCallManager", "Dial", "ss", "+49", "")
        try wait(service, bus, interrupted: true)
        #expect(try bus.run([try BuiltProgram.path("tacet"), "why"]).text.contains("call (active calls) is asserted"))
        try state(bus, "incoming")
        try wait(service, bus, interrupted: false, gain: "-14")
        try state(bus, "held")
        try wait(service, bus, interrupted: true)
        try state(bus, "disconnected")
        try wait(service, bus, interrupted: false, gain: "0")
        try state(bus, "active")
        try wait(service, bus, interrupted: true)
        // The mock's own HangupAll removes the object before it emits the signal, which is then lost.
        try call(
            bus, "/ril_0", "org.freedesktop.DBus.Mock", "EmitSignal", "sssav", "org.ofono.VoiceCallManager",
            "CallRemoved", "o", "1", "o", "/ril_0/voicecall01")
        try wait(service, bus, interrupted: false)
    }

    @Test func callInProgressIsFoundAtTheStart() throws {
        let bus = try MessageBus()
        let mock = try ofono(bus)
        defer { mock.end() }
        var isReady = false
        for _ in 0..<2000 where !isReady {
            isReady = try bus.run(["busctl", "--address=\(bus.address)", "status", "org.ofono"]).code == 0
        }
        try call(bus, "/ril_0", "org.ofono.VoiceCallManager", "Dial", "ss", "+49", "")
        let service = try start(bus)
        #expect(try bus.property(session, "Interrupted") == "v b true\n")
        // The call was found before anything was played, so it is an interruption from the start.
        #expect(try bus.property(session, "Reasons") == "v as 1 \"appWasSuspended\"\n")
        #expect(!service.output.contains("lost"))
    }

    @Test func deathOfOfonoIsALossUntilItReturns() throws {
        let bus = try MessageBus()
        let mock = try ofono(bus)
        let service = try start(bus)
        try wait(service, bus, interrupted: false)
        try call(bus, "/ril_0", "org.ofono.VoiceCallManager", "Dial", "ss", "+49", "")
        try wait(service, bus, interrupted: true)
        mock.end()
        try wait(service, bus, interrupted: false, isLost: true)
        try service.wait("entry") { service.output.contains("oFono is not running (see ‘systemctl status ofono’)") }
        let next = try ofono(bus)
        defer { next.end() }
        try wait(service, bus, interrupted: false)
        try call(bus, "/ril_0", "org.ofono.VoiceCallManager", "Dial", "ss", "+49", "")
        try wait(service, bus, interrupted: true)
        // When the bus ends, the calls end as well.
        bus.die()
        try wait(service, try revived(bus), interrupted: false, isLost: true)
    }

    private func revived(_ bus: MessageBus) throws -> MessageBus {
        try bus.start()
        return bus
    }

    @Test func withoutOfonoTheSignalIsLostAndTheMusicPlays() throws {
        let bus = try MessageBus()
        let service = try start(bus)
        try wait(service, bus, interrupted: false, isLost: true)
        let mock = try ofono(bus)
        defer { mock.end() }
        try wait(service, bus, interrupted: false, isLost: false)
    }
}
