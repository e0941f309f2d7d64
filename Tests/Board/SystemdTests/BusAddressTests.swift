import BusLab
import Foundation
import Testing

@testable import Systemd

@Suite struct BusAddressTests {
    private func address(_ environment: [String: String]) -> String? { BusKind.sessionAddress { environment[$0] } }

    @Test func sessionBusExistsIfItIsNamedOrListens() throws {
        let bus = try MessageBus.session()
        let folder = (String(bus.address.dropFirst("unix:path=".count)) as NSString).deletingLastPathComponent
        #expect(address([:]) == nil)
        #expect(address(["XDG_RUNTIME_DIR": folder]) == bus.address)
        #expect(
            address(["XDG_RUNTIME_DIR": folder, "DBUS_SESSION_BUS_ADDRESS": "unix:path=/other"]) == "unix:path=/other")
        bus.die()
        #expect(address(["XDG_RUNTIME_DIR": folder]) == nil)
        try "".write(toFile: folder + "/bus", atomically: true, encoding: .utf8)
        #expect(address(["XDG_RUNTIME_DIR": folder]) == nil)
    }

    /// Both the bus and sd-bus itself answer calls to programs that have gone.
    @Test func onlyTheProgramThatWasCalledAnswers() {
        #expect(BusSender.canAnswer(":1.7", for: ":1.7") && !BusSender.canAnswer(":1.8", for: ":1.7"))
        #expect(BusSender.canAnswer(BusSender.driver, for: ":1.7") && BusSender.canAnswer(nil, for: ":1.7"))
        #expect(BusSender.canAnswer(":1.8", for: "org.example") && BusSender.canAnswer(":1.8", for: BusSender.driver))
    }
}
