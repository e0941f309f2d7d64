import AudioSession
import Configuration
import Foundation
import Playback
import Signals
import Testing

@testable import Appliance

@Suite struct StatusLineTests {
    private func line(
        _ events: [Event], health: Health = Health(), stall: QuietCause.Stall? = nil,
        releases: [SignalID: PendingRelease] = [:], _ change: (inout Configuration) -> Void = { _ in }
    ) -> String {
        var configuration = Configuration.builtIn
        change(&configuration)
        var scene = StateSnapshot(after: events, configuration)
        scene.stall = stall
        return "\(StatusLine(ExplanationContext(scene: scene, health: health, releases: releases)))"
    }

    @Test func namesStateTrackAndCause() {
        let call = Event.edge(Edge("phone-call", asserted: true))
        #expect(line([]) == "Playing ‘One.flac’")
        #expect(line([.edge(Edge("alarm", asserted: true))]) == "Playing ‘One.flac’, turned down to -14 dB")
        #expect(line([call]) == "Quiet: phone-call is asserted; will resume ‘One.flac’")
        #expect(line([call, .command(.pause)]) == "Quiet: phone-call is asserted; paused")
        #expect(line([.command(.pause)]) == "Quiet: paused")
        #expect(line([.mediaServicesLost]) == "Quiet: no sound device")
    }

    @Test func countsFilesThatCannotBePlayedButIsNotUnhealthy() throws {
        let folder = FileManager.default.temporaryDirectory.appendingPathComponent("tacet-\(UUID().uuidString)")
        try FileManager.default.createDirectory(at: folder, withIntermediateDirectories: true)
        defer { try? FileManager.default.removeItem(at: folder) }
        for name in ["a.m4a", "b.m4a", "c.wma"] { try Data().write(to: folder.appendingPathComponent(name)) }
        let scene = StateSnapshot(after: [], Configuration.builtIn)
        var context = ExplanationContext(scene: scene, health: Health(), releases: [:])
        context.health.unplayable = try Library.load(folder.path).unplayable
        let words = "2 files .m4a and 1 file .wma cannot be played, so convert them, for example with ffmpeg"
        #expect("\(StatusLine(context))" == "Playing ‘One.flac’ (\(words))")
        #expect(context.complaints.isEmpty)
        let entry = JournalFormatter().filesUnplayable(context.health.unplayable)
        #expect(entry.event == .filesUnplayable && entry.message == "In the library, \(words).")
    }

    /// “Playing” means audible.
    @Test func silenceIsNeverReportedAsPlaying() {
        #expect(line([.command(.volume(.mute))]) == "Quiet: the volume is mute; ‘tacet volume 0dB’ turns it up")
        var health = Health()
        health.set(.storage, "the storage of /srv/music/One.flac is not available")
        #expect(
            line([], health: health, stall: .storage)
                == "Quiet: the storage does not keep up; will resume ‘One.flac’ when its file can be read again — "
                + "the storage of /srv/music/One.flac is not available")
        #expect(line([], stall: .device).hasPrefix("Quiet: the sound device accepts no frames; "))
        #expect(
            line([.edge(Edge("alarm", asserted: true))]) { $0.session.signals[1].effect = .duck(.mute) }
                .hasPrefix("Quiet: alarm is asserted, which turns the music down to silence; "))
    }

    @Test func waitsForPlayAfterAnInterruptionWithManualResume() {
        let call = Event.edge(Edge("phone-call", asserted: true))
        #expect(
            line([call, .edge(Edge("phone-call", asserted: false))]) { $0.session.signals[0].resume = .manual }
                == "Quiet: phone-call has ended, after which playback does not resume automatically (Resume=manual); "
                + "waits for ‘tacet play’"
        )
    }

    /// The line must not change while nothing happens.
    @Test func delayedReleaseIsShownWithoutSeconds() {
        let release = PendingRelease(since: .zero, until: .seconds(5))
        #expect(
            line([.edge(Edge("phone-call", asserted: true))], releases: ["phone-call": release])
                == "Quiet: phone-call was released and stays active until its ReleaseDelay= has elapsed; will resume ‘One.flac’"
        )
    }

    /// The line must not change every second.
    @Test func playingSoundIsNamedWithoutSeconds() {
        let sounds = { (configuration: inout Configuration) in
            configuration.session.sounds = [SoundPolicy(id: "gong"), SoundPolicy(id: "siren")]
            configuration.session.signals[0].cue = "siren"
        }
        let gong = Event.command(.announce(Announcement("gong", id: 1)))
        let call = Event.edge(Edge("phone-call", asserted: true))
        #expect(line([gong], sounds) == "Playing ‘One.flac’, turned down to -14 dB; the announcement gong is playing")
        #expect(
            line([call], sounds) == "Quiet: phone-call is asserted; will resume ‘One.flac’; the cue siren is playing")
        #expect(
            line([gong]) {
                sounds(&$0)
                $0.session.sounds[0].effect = .pause
            } == "Quiet: the announcement gong is playing; will resume ‘One.flac’ after it")
        #expect(
            line([.soundReadable("siren", false), call], sounds)
                == "Quiet: phone-call is asserted; will resume ‘One.flac’; a built-in tone is playing instead of the cue "
                + "siren — the file of the sound siren cannot be read")
    }

    /// The line must not change while a recording grows.
    @Test func recordingIsNamedWithoutItsFile() {
        let recorder = { (configuration: inout Configuration) in configuration.addRecorder() }
        let call = Event.edge(Edge("phone-call", asserted: true))
        #expect(line([], recorder) == "Playing ‘One.flac’")
        #expect(line([.command(.record)], recorder) == "Playing ‘One.flac’; recording")
        #expect(line([.command(.record), .command(.pause)], recorder) == "Quiet: paused; recording")
        #expect(
            line([.command(.record), call], recorder)
                == "Quiet: phone-call is asserted; will resume ‘One.flac’; nothing is recorded because phone-call is "
                + "asserted")
        var health = Health()
        health.set(.capture, "nothing is recorded: cannot open hw:1")
        #expect(
            line([.command(.record), .captureLost], health: health, recorder)
                == "Playing ‘One.flac’; nothing is recorded because there is no capture device — nothing is recorded: "
                + "cannot open hw:1")
        // The fault is named alone before the reason is known, or after a reload.
        #expect(line([.captureLost], recorder) == "Playing ‘One.flac’ — the capture device is lost")
    }

    @Test func listsFaultsAndTroubles() {
        var health = Health()
        let isNews = health.set(.state, "the disk is full")
        let isNewsAgain = health.set(.state, "the disk is still full")
        #expect(isNews && !isNewsAgain)
        let text = line([.fault(Fault("alarm", .chatter))], health: health)
        #expect(text.hasSuffix(" — alarm is chattering; the disk is still full"))
        health.set(.state, nil)
        #expect(line([], health: health) == "Playing ‘One.flac’")
    }
}
