import AudioSession
import Configuration
import Foundation
import Playback
import ResumeStore
import Saboteur
import SoundLab
import Supervisor
import Systemd
import Testing

@testable import Appliance

/// The daemon's parts on a card that other programs use, with a real bus and PipeWire's `pw-reserve`. ALSA's device
/// `null` stands in for the card.
@Suite(.serialized) final class ReservedDeviceTests {
    private let lab: ApplianceLab
    private let other: ReservationLab
    private let writer: StateWriter
    private let recording: RecordingControl
    private var notifications: [SessionNotification] = []

    init() throws {
        lab = try ApplianceLab()
        other = try ReservationLab()
        recording = RecordingControl(in: other.loop)
        writer = StateWriter(ResumeStore(directory: lab.folder + "/state"))
        saboteur_plan_card(ReservationLab.device, 0)
    }

    deinit { saboteur_plan_card(nil, 0) }

    /// Makes the card busy, as while another program has it open.
    private func setBusy(_ isBusy: Bool) { saboteur_plan_card(ReservationLab.device, isBusy ? -EBUSY : 0) }

    private func install(_ text: String = "") throws -> Installation {
        let configuration = try lab.configuration("[Playback]\nDevice=\(ReservationLab.device)\n" + text)
        let tracks = try Library.load(try #require(configuration.playback.library)).tracks
        let loop = other.loop
        let installation = try Installation(
            configuration, tracks: tracks, health: Health(), store: ResumeStore(directory: lab.folder + "/state"),
            writer: writer, timeout: .zero, loop: loop, outputs: OutputLines(lab.host.writer(), in: loop),
            recording: recording, reservations: other.reservations, on: lab.host)
        installation.onNews = { [unowned self] news in
            if case .reported(let report, _) = news { notifications += report.notifications }
        }
        try installation.start()
        return installation
    }

    private func wait(_ what: String, until condition: @autoclosure () throws -> Bool) throws {
        try other.wait("\(what), but \(notifications)", until: try condition())
    }

    private func plays(_ installation: Installation) -> Bool {
        installation.scene.session.directive == .play(.full) && installation.world.player?.isUsing(0) == true
    }

    private func end(_ installation: Installation) throws {
        var hasEnded = false
        try installation.end(within: .seconds(20)) { hasEnded = true }
        try wait("end", until: hasEnded)
    }

    @Test func soundServerReleasesTheCardThatItHolds() throws {
        try other.start("PipeWire", priority: -20)
        try wait("owner", until: try other.owner() == "PipeWire")
        setBusy(true)
        let installation = try install()
        try wait("request", until: other.output(of: "PipeWire").contains("reserve release"))
        setBusy(false)
        try wait("playback", until: plays(installation))
        #expect(try other.owner() == "tacet")
        #expect(installation.health[.device] == nil)
        try end(installation)
    }

    @Test func programThatDoesNotReleaseTheCardIsNamed() throws {
        try other.start("JACK", priority: 1000)
        try wait("owner", until: try other.owner() == "JACK")
        setBusy(true)
        let installation = try install()
        try wait(
            "name",
            until: installation.health[.device]
                == "cannot open \"hw:CARD=Lab\": it is reserved by ‘JACK’, which does not release it. End that program, "
                + "or use a mixing device such as \"default\"")
        setBusy(false)
        other.end("JACK")
        try wait("playback", until: plays(installation))
        #expect(installation.health[.device] == nil)
        try end(installation)
    }

    @Test func cardIsLostToAProgramWithAHigherPriorityUntilItEnds() throws {
        let installation = try install()
        try wait("playback", until: plays(installation))
        try wait("owner", until: try other.owner() == "tacet")
        try other.start("JACK", priority: 1000, requestsRelease: true)
        try wait("release", until: other.output(of: "JACK").contains("reserve acquired"))
        try wait("loss", until: notifications.contains(.mediaServicesWereLost))
        #expect(installation.world.player?.isUsing(0) == false)
        try wait(
            "name",
            until: installation.health[.device]
                == "cannot open \"hw:CARD=Lab\": it is reserved by ‘JACK’. It is used again when that program releases it"
        )
        #expect(installation.scene.session.directive == .silent)
        other.end("JACK")
        try wait("playback", until: plays(installation))
        try wait("owner", until: try other.owner() == "tacet")
        #expect(notifications.filter { $0 == .mediaServicesWereReset }.count == 1)
        try end(installation)
    }

    @Test func anotherDeviceReplacesTheCard() throws {
        let installation = try install("FallbackDevices=null\n[Session]\nPauseOnRouteLoss=no\n")
        try wait("playback", until: plays(installation))
        try wait("owner", until: try other.owner() == "tacet")
        try other.start("JACK", priority: 1000, requestsRelease: true)
        try wait("release", until: other.output(of: "JACK").contains("reserve acquired"))
        try wait("fallback", until: installation.world.player?.isUsing(1) == true)
        try wait("playback", until: installation.scene.session.directive == .play(.full))
        #expect(!notifications.contains(.mediaServicesWereLost))
        #expect(installation.health[.route]?.contains("instead of hw:CARD=Lab: cannot open") == true)
        #expect(installation.health[.route]?.contains("it is reserved by ‘") == true)
        other.end("JACK")
        try wait("return", until: plays(installation))
        try wait("owner", until: try other.owner() == "tacet")
        try end(installation)
    }

    @Test func closedDeviceIsNotReserved() throws {
        try other.start("PipeWire", priority: -20)
        try wait("owner", until: try other.owner() == "PipeWire")
        let installation = try install("CloseAfter=10ms\n")
        try wait("playback", until: plays(installation))
        try wait("owner", until: try other.owner() == "tacet")
        installation.give(.pause, from: .button("play"))
        try wait("release", until: try other.owner() == "PipeWire")
        #expect(!notifications.contains(.mediaServicesWereLost))
        installation.give(.play, from: .button("play"))
        try wait("owner", until: try other.owner() == "tacet")
        try wait("playback", until: plays(installation))
        try end(installation)
    }

    /// The card is not released in between, because a sound server would take it at once.
    @Test func reservationSurvivesAReload() throws {
        let former = try install()
        try wait("playback", until: plays(former))
        try wait("owner", until: try other.owner() == "tacet")
        try end(former)
        #expect(try other.owner() == "tacet")
        let installation = try install()
        try wait("playback", until: plays(installation))
        #expect(try other.owner() == "tacet")
        try end(installation)
    }
}
