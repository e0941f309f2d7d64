import AudioSession
import Systemd
import Vocabulary

@testable import SessionClient

/// Messages in the form in which the daemon sends them.
enum Telegram {
    static let owner = ":1.7"

    static func scene(_ intent: String = "playing", interrupted: Bool = false, gain: Double? = 0) -> BusValue {
        var fields: [String: BusValue] = [
            "intent": .string(intent), "session": .string(interrupted ? "interrupted" : "active"),
            "playing": .bool(gain != nil), "volume_db": .double(0), "microphone_muted": .bool(false),
            "services": .string("available"), "active": .strings(interrupted ? ["phone-call"] : []),
            "notifications": .strings(interrupted ? ["began(default)"] : []), "track": .string("one.flac"),
            "position": .double(2.5), "faults": .strings([]),
        ]
        fields["gain_db"] = gain.map(BusValue.double)
        return .dictionary(fields)
    }

    static func event(
        _ name: String, _ scene: BusValue = Telegram.scene(), from sender: String = owner
    ) -> BusEvent.Signal {
        BusEvent.Signal(
            sender: sender, path: SessionAddress.path, interface: SessionAddress.session, member: "Event",
            values: [.uint64(1_700_000_000_250_000), .uint64(12_500_000), .string(name), scene])
    }

    static func nameOwner(_ new: String, from sender: String = "org.freedesktop.DBus") -> BusEvent.Signal {
        BusEvent.Signal(
            sender: sender, path: "/org/freedesktop/DBus", interface: "org.freedesktop.DBus",
            member: "NameOwnerChanged", values: [.string(SessionAddress.name), .string(""), .string(new)])
    }

    static func answer(_ value: BusValue) -> Result<[BusValue], BusError> { .success([value]) }
    static func failure(_ name: String) -> Result<[BusValue], BusError> {
        .failure(BusError("org.freedesktop.DBus.Error.\(name)", "words"))
    }
}
