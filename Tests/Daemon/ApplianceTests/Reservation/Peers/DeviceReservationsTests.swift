import ALSA
import Foundation
import Systemd
import Testing

@testable import Appliance

/// Reservations on a real bus, with PipeWire's `pw-reserve` as the other program.
@Suite(.serialized) struct DeviceReservationsTests {
    private let lab: ReservationLab

    init() throws { lab = try ReservationLab() }

    @Test func ownerWithALowerPriorityReleasesTheCard() throws {
        try lab.start("PipeWire", priority: -20)
        try lab.wait("owner", until: try lab.owner() == "PipeWire")
        lab.use(.blocked)
        try lab.wait("retry", until: lab.retries == 1)
        #expect(try lab.owner() == "tacet")
        #expect(lab.output(of: "PipeWire").contains("reserve release"))
        // pw-reserve waits in the queue of the bus.
        lab.use(.open)
        lab.use(.none)
        try lab.wait("release", until: try lab.owner() == "PipeWire")
        #expect(!lab.isWithheld)
    }

    @Test func ownerWithAHigherPriorityIsNamed() throws {
        try lab.start("JACK", priority: 1000)
        try lab.wait("owner", until: try lab.owner() == "JACK")
        #expect(lab.error.message == "busy")
        lab.use(.blocked)
        try lab.wait("refusal", until: lab.error.message.contains("does not release it"))
        try lab.wait("name", until: lab.error.message == "it is reserved by ‘JACK’, which does not release it")
        #expect(lab.retries == 0 && !lab.isWithheld)
        lab.end("JACK")
        try lab.wait("retry", until: lab.retries == 1)
        #expect(lab.error.message == "busy")
        #expect(try lab.owner() == "tacet")
    }

    @Test func ownerThatHangsIsNotWaitedForLonger() throws {
        try lab.start("hung", priority: -20)
        try lab.wait("owner", until: try lab.owner() == "hung")
        lab.signal("hung", SIGSTOP)
        lab.use(.blocked)
        try lab.wait(
            "refusal", until: lab.error.message == "it is reserved by another program, which does not release it")
        lab.end("hung")
        try lab.wait("retry", until: lab.retries == 1)
    }

    @Test func cardIsReleasedOnceItsDeviceIsClosed() throws {
        lab.use(.open)
        try lab.wait("owner", until: try lab.owner() == "tacet")
        try lab.start("JACK", priority: 1000, requestsRelease: true)
        try lab.wait("withdrawal", until: lab.isWithheld)
        // The device is still open.
        lab.reservations.noteUse { $0 == 0 }
        #expect(try lab.owner() == "tacet")
        lab.reservations.noteUse { _ in false }
        try lab.wait("release", until: try lab.owner() == "JACK")
        try lab.wait("acquisition", until: lab.output(of: "JACK").contains("reserve acquired"))
        lab.use(.blocked)
        try lab.wait("name", until: lab.error.message == "it is reserved by ‘JACK’")
        #expect(lab.isWithheld && lab.retries == 0)
        lab.end("JACK")
        try lab.wait("retry", until: lab.retries == 1)
        #expect(!lab.isWithheld)
        #expect(try lab.owner() == "tacet")
    }

    @Test func requestWithoutAHigherPriorityIsRefused() throws {
        lab.use(.open)
        try lab.wait("owner", until: try lab.owner() == "tacet")
        for priority in ["-2147483648", "0", "20"] {
            let answer = try lab.call(
                ReservationLab.name, ReservationLab.path, DeviceReservations.interface, "RequestRelease", "i", priority)
            #expect(answer == "b false")
        }
        try lab.start("equal", priority: 20, requestsRelease: true)
        try lab.wait("request", until: lab.output(of: "equal").contains("doing RequestRelease"))
        let answer = try lab.call(
            ReservationLab.name, ReservationLab.path, DeviceReservations.interface, "RequestRelease", "s", "20")
        #expect(answer.contains("takes arguments of type ‘i’"))
        #expect(!lab.isWithheld && lab.changes == 0)
        #expect(try lab.owner() == "tacet")
    }

    @Test func lostBusIsUsedAgain() throws {
        lab.use(.open)
        try lab.wait("owner", until: try lab.owner() == "tacet")
        try lab.start("JACK", priority: 1000, requestsRelease: true)
        try lab.wait("withdrawal", until: lab.isWithheld)
        lab.bus.die()
        try lab.wait("loss", until: !lab.isWithheld)
        lab.end("JACK")
        try lab.bus.start()
        try lab.wait("owner", until: try lab.owner() == "tacet")
    }
}
