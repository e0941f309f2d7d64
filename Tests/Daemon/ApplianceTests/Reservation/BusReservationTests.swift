import ALSA
import Foundation
import Systemd
import Testing

@testable import Appliance

/// Reservations on a real bus, with `busctl` as the other program.
@Suite(.serialized) struct BusReservationTests {
    private let lab: ReservationLab

    init() throws { lab = try ReservationLab() }

    @Test func freeCardIsReservedWhileItIsUsed() throws {
        #expect(try lab.owner() == nil)
        lab.use(.open)
        try lab.wait("owner", until: try lab.owner() == "tacet")
        lab.use(.none)
        try lab.wait("release", until: try lab.owner() == nil)
        #expect(lab.retries == 0 && !lab.isWithheld)
    }

    @Test func propertiesDescribeTacet() throws {
        lab.use(.open)
        try lab.wait("owner", until: try lab.owner() == "tacet")
        for (name, value) in [
            ("Priority", "i 20"), ("ApplicationName", "s \"Tacet\""),
            ("ApplicationDeviceName", "s \"\(ReservationLab.device)\""),
        ] {
            let answer = try lab.call(
                ReservationLab.name, ReservationLab.path, "org.freedesktop.DBus.Properties", "Get", "ss",
                DeviceReservations.interface, name)
            #expect(answer == "v \(value)")
        }
    }

    /// Without a bus, the list of cards is not even read.
    @Test func nothingHappensWithoutABus() throws {
        var system = DeviceReservations.System()
        var reads = 0
        system.address = { nil }
        system.cards = {
            reads += 1
            return [SoundCard(number: 3, id: "Lab")]
        }
        let reservations = try DeviceReservations(in: lab.loop, on: system)
        reservations.onNews = { _ in Issue.record("news") }
        reservations.use([DeviceReservations.Device(name: ReservationLab.device, use: .blocked)])
        #expect(reads == 0 && reservations.withheld(of: [ReservationLab.device]) == [])
    }

    /// Other devices than those of a card are shared, so they are not reserved.
    @Test func onlyNamesOfCardsAreReserved() throws {
        for name in ["default", "pulse", "null", "hw:CARD=Missing"] {
            lab.reservations.use([DeviceReservations.Device(name: name, use: .blocked)])
        }
        let names = try lab.call("org.freedesktop.DBus", "/org/freedesktop/DBus", "org.freedesktop.DBus", "ListNames")
        #expect(names.hasPrefix("as ") && !names.contains("ReserveDevice1"))
    }
}
