import AudioSession
import Configuration
import Testing

@testable import Appliance
@testable import Systemd

/// The interface `org.tacet.Session1`, on which other programs rely.
@Suite struct SessionInterfaceTests {
    private final class Desk: Remote {
        var view: RemoteView?
        func command(_ command: Command) -> Answer { .success }
    }

    private let desk = Desk()

    private func show(_ events: [Event], _ change: (inout Configuration) -> Void = { _ in }) {
        var configuration = Configuration.builtIn
        change(&configuration)
        let scene = Scene(after: events, configuration)
        desk.view = RemoteView(
            situation: Situation(scene: scene), lastCheckpoint: .milliseconds(1500))
    }

    private func get(_ name: String) throws -> BusValue {
        let object = BusObject("/org/mpris/MediaPlayer2", [.session(desk)])
        guard
            case .variant(let value)? = try object.answer(
                "Get", of: "org.freedesktop.DBus.Properties", [.string(BusInterface.session1), .string(name)]
            ).first
        else { throw BusError.unknownProperty(name) }
        return value
    }

    @Test func membersMatchTheDocumentedInterface() throws {
        let interface = BusInterface.session(desk)
        #expect(
            Dictionary(uniqueKeysWithValues: interface.properties.map { ($0.name, $0.signature) }) == [
                "Interrupted": "b", "Reasons": "as", "Signals": "a(ssb)", "SignalStates": "a(ss)", "Health": "as",
                "Gain": "d", "Status": "s", "Device": "s", "DeviceAvailable": "b", "LastCheckpoint": "t",
                "Lines": "a(ssub)", "Scene": "a{sv}", "Why": "s",
            ])
        #expect(
            interface.properties.filter { $0.change == .noSignal }.map(\.name) == [
                "LastCheckpoint", "Lines", "Scene", "Why",
            ])
        // Values have the declared types, even without an installation during a reload.
        for property in interface.properties { #expect(try get(property.name).signature == property.signature) }
        show([])
        for property in interface.properties { #expect(try get(property.name).signature == property.signature) }
    }

    /// An asserted line without effect is distinguished from a deasserted one.
    @Test func signalWithoutEffectIsListedAsAsserted() throws {
        func states() throws -> [String] {
            guard case .array(_, let signals) = try get("SignalStates") else { return [] }
            return signals.compactMap { signal in
                guard case .structure(let members) = signal, case .string(let name) = members[0],
                    case .string(let state) = members[1]
                else { return nil }
                return "\(name) \(state)"
            }
        }
        let phone = SignalID("phone-call")
        let begins = Event.edge(Edge(phone, asserted: true))
        show([])
        #expect(try states() == ["phone-call deasserted", "alarm deasserted", "cover-closed deasserted"])
        show([begins])
        #expect(try states().first == "phone-call inForce")
        show([begins, .fault(Fault(phone, .stuck)), .command(.play)])
        #expect(try states().first == "phone-call dropped")
        show([begins]) { configuration in
            configuration.session.prefersNoInterruptionsFromSystemAlerts = true
            configuration.session.signals[0].isAlert = true
        }
        #expect(try states().first == "phone-call suppressed")
    }

    /// Apple's reasons, as in `InterruptionBegan`; the signals' names are in `Signals`.
    @Test func reasonsAreThoseOfInterruptions() throws {
        show([])
        #expect(try get("Reasons") == .strings([]))
        show([.edge(Edge("phone-call", asserted: true))])
        #expect(try get("Reasons") == .strings(["default"]))
        show([.edge(Edge("phone-call", asserted: true))]) {
            $0.session.category = .record
            $0.session.signals[0].effect = .muteMicrophone
        }
        #expect(try get("Reasons") == .strings(["builtInMicMuted"]))
    }

    @Test func heldLinesHaveTheirLevels() throws {
        show([])
        desk.view?.lines = {
            [HeldLine(title: "signal phone-call", chip: "/dev/gpiochip0", offset: 17, level: true)]
        }
        #expect(
            try get("Lines")
                == .array(
                    of: "(ssub)",
                    [
                        .structure([
                            .string("signal phone-call"), .string("/dev/gpiochip0"), .uint32(17), .bool(true),
                        ])
                    ]))
    }

    @Test func publishesDeviceAndLastCheckpoint() throws {
        show([.mediaServicesLost]) { $0.playback.device = "hw:CARD=Headphones" }
        #expect(try get("Device") == .string("hw:CARD=Headphones"))
        #expect(try get("DeviceAvailable") == .bool(false))
        #expect(try get("LastCheckpoint") == .uint64(1_500_000))
        show([])
        #expect(try get("DeviceAvailable") == .bool(true))
        desk.view?.lastCheckpoint = nil
        #expect(try get("LastCheckpoint") == .uint64(0))
    }
}
