import AudioSession
import Clocks
import Configuration
import Foundation
import GPIO
import Playback
import Signals
import Supervisor
import Testing
import Time

@testable import Appliance

@Suite struct ExplanationTests {
    private let phone = SignalID("phone-call")
    private let alarm = SignalID("alarm")

    private func why(
        _ events: [Event], health: Health = Health(), tracks: Int = 2, place: FoundLine? = nil,
        stall: QuietCause.Stall? = nil, releases: [SignalID: PendingRelease] = [:], soundEnd: Duration? = nil,
        soundProblems: [SoundID: SoundProblem] = [:], _ change: (inout Configuration) -> Void = { _ in }
    ) -> String {
        var configuration = Configuration.builtIn
        configuration.sources = [
            phone: .line(Wiring(line: .named("PHONE_CALL", chip: nil))),
            alarm: .line(Wiring(line: .named("ALARM", chip: nil))),
        ]
        change(&configuration)
        var scene = StateSnapshot(after: events, configuration, of: tracks)
        scene.stall = stall
        var context = ExplanationContext(scene: scene, health: health, releases: releases, now: .seconds(2))
        (context.soundEnd, context.soundProblems) = (soundEnd, soundProblems)
        for signal in [phone, alarm] { context.places[signal] = place?.place }
        // The time of day depends on the time zone of the board.
        let since = Explanation.since(.zero, elapsed: .zero)
        return "\(Explanation(context))".replacingOccurrences(of: since, with: "14:03:12")
    }

    @Test func assertedCallResumesOnRelease() {
        #expect(
            why([.edge(Edge(phone, asserted: true))])
                == "Quiet since 14:03:12 because phone-call (PHONE_CALL) is asserted. Tacet will resume ‘One.flac’ at "
                + "2:31 when the signal is released.")
    }

    /// Unplayable files are neither reported as a fault of the storage nor as playing.
    @Test func searchThroughUnplayableFilesIsNotReportedAsPlaying() {
        var context = ExplanationContext(scene: StateSnapshot(after: [], Configuration.builtIn), health: Health())
        context.skipped = SkippedFiles(count: 57, reason: "cannot open \"/music/57.mp3\": it is no audio")
        let words =
            "none of the first 57 files can be played, and the next ones are being tried (the last one: "
            + "cannot open \"/music/57.mp3\": it is no audio)"
        #expect("\(Explanation(context))".hasSuffix("because \(words)."))
        #expect("\(StatusLine(context))" == "Quiet: looking for a file that can be played")
        context.scene.stall = .storage
        #expect("\(Explanation(context))".hasSuffix("because \(words)."))
    }

    @Test func wireIsNamedByItsLineOnTheBoard() {
        var line = LineInfo(offset: 12, name: "PHONE_CALL")
        func why() -> String {
            let chip = ChipInfo(path: "/dev/gpiochip0", name: "gpiochip0", label: "panel", lines: [line])
            return self.why([.edge(Edge(phone, asserted: true))], place: FoundLine(chip: chip, line: line))
        }
        #expect(why().contains("because phone-call (line PHONE_CALL, gpiochip0 12) is asserted. Tacet will resume"))
        line.name = nil
        #expect(why().contains("because phone-call (gpiochip0 12) is asserted. Tacet will resume"))
    }

    @Test func volumeAndFallbackDeviceAreMentioned() {
        let quiet = Event.command(.volume(Level(decibels: -16) ?? .full))
        #expect(why([quiet]) == "Playing ‘One.flac’ at 2:31 at a volume of -16dB.")
        #expect(why([]) == "Playing ‘One.flac’ at 2:31.")
        let limited = why([.command(.volume(.full))]) { $0.session.maximumVolume = Level(decibels: -10) ?? .full }
        #expect(limited == "Playing ‘One.flac’ at 2:31 at a volume of -10dB, the maximum.")
        #expect(
            why([quiet, .edge(Edge(alarm, asserted: true))]).hasSuffix(
                ". The music returns to full level when the signal is released. It plays at a volume of -16dB."))
        var context = ExplanationContext(scene: StateSnapshot(after: [quiet]))
        context.scene.route = OutputRoute(index: 1, device: "hw:1")
        let text = "\(Explanation(context))"
        #expect(text.hasSuffix(" at a volume of -16dB, on hw:1 instead of default."), "\(text)")
    }

    @Test func inputIsNamedWithWhatFollowsIt() {
        func why(_ events: [Event], tracks: Int = 2) -> String {
            self.why(events, tracks: tracks) {
                $0.session.inputs = [
                    InputPolicy(id: "airplay", player: "shairport"),
                    InputPolicy(id: "radio", role: .automaticProgramme),
                ]
                $0.session.players = ["mpd", "shairport"]
            }
        }
        let airplay = Event.inputBegan("airplay")
        #expect(
            why([airplay])
                == "Playing airplay since 14:03:12. The library continues with ‘One.flac’ at 2:31 when it ends.")
        #expect(why([.command(.pause), airplay]).hasSuffix("The library stays paused when it ends."))
        #expect(why([.inputBegan("radio"), airplay]).hasSuffix("The input radio continues when it ends."))
        #expect(why([airplay], tracks: 0).hasSuffix("There is nothing else to play when it ends."))
        #expect(
            why([airplay, .edge(Edge(phone, asserted: true))])
                == "Quiet since 14:03:12 because phone-call (PHONE_CALL) is asserted. Tacet will resume airplay when the "
                + "signal is released.")
        #expect(
            why([airplay, .command(.pause)])
                == "Quiet since 14:03:12 because it was paused. ‘tacet play’ resumes airplay.")
        #expect(
            why([.player("mpd", .playing), airplay]).hasSuffix("Tacet has ordered the player mpd to pause."))
        let paused = [Event.playerFound("mpd", .paused), .playerFound("shairport", .paused)]
        #expect(
            why([.player("mpd", .playing), airplay, paused[0]]).hasSuffix("Tacet keeps the player mpd paused."))
        let players = [Event.player("mpd", .playing), .player("shairport", .playing)]
        #expect(
            why(players + [.edge(Edge(phone, asserted: true))] + paused)
                .hasSuffix("Tacet keeps the players mpd and shairport paused."))
    }

    /// The outlook comes from the session itself, so a pause during the call remains.
    @Test func pauseDuringACallStaysPausedAfterIt() {
        #expect(
            why([.edge(Edge(phone, asserted: true)), .command(.pause)])
                == "Quiet since 14:03:12 because phone-call (PHONE_CALL) is asserted. The music will stay paused when the "
                + "signal is released.")
    }

    @Test func stuckLineIsNamed() {
        let text = why([.edge(Edge(phone, asserted: true)), .fault(Fault(phone, .stuck))])
        #expect(
            text.contains("(phone-call has been asserted for longer than StuckAfter=, so check its wire and contact)"))
    }

    @Test func stuckSignalOfAProgramDoesNotNameAWire() {
        let text = why([.edge(Edge(phone, asserted: true)), .fault(Fault(phone, .stuck))]) {
            $0.sources[phone] = .bus(lease: nil)
        }
        #expect(text.contains("StuckAfter=, so check the program that asserts it)"), "\(text)")
        #expect(!text.contains("wire"), "\(text)")
    }

    @Test func missingDeviceIsNamedWithItsReason() {
        var health = Health()
        health.set(.device, "cannot open hw:1: No such device")
        #expect(
            why([.mediaServicesLost], health: health)
                == "Quiet since 14:03:12 because there is no sound device (cannot open hw:1: No such device). "
                + "Tacet will resume ‘One.flac’ at 2:31 when the device returns.")
    }

    @Test func pauseByTheUserIsNamed() {
        #expect(
            why([.command(.pause)])
                == "Quiet since 14:03:12 because it was paused. ‘tacet play’ resumes ‘One.flac’ at 2:31.")
    }

    @Test func describesPlayingAndDucking() {
        #expect(why([]) == "Playing ‘One.flac’ at 2:31.")
        #expect(
            why([.edge(Edge(alarm, asserted: true))])
                == "Turned down to -14 dB since 14:03:12 because alarm (ALARM) is asserted. The music returns to full level "
                + "when the signal is released.")
    }

    /// The music plays, but inaudibly.
    @Test func muteVolumeIsNamed() {
        let mute = Event.command(.volume(.mute))
        #expect(
            why([mute])
                == "Quiet since 14:03:12 because the volume is mute while it plays ‘One.flac’ at 2:31. "
                + "‘tacet volume 0dB’ turns it up.")
        #expect(why([mute]) { $0.session.maximumVolume = Level(amplitude: 0.1) }.contains("‘tacet volume -20dB’"))
        #expect(why([mute, .edge(Edge(alarm, asserted: true))]).contains("because the volume is mute"))
        #expect(why([mute]) { $0.session.volume = Level(amplitude: 0.1) }.contains("‘tacet volume -20dB’ turns it up"))
        // The music is silent for another reason, but without that reason it would also be silent.
        #expect(
            why([mute, .edge(Edge(phone, asserted: true))]).hasSuffix(
                "when the signal is released. The volume is also mute, and ‘tacet volume 0dB’ turns it up."))
        let alsoMute = " The volume is also mute, and ‘tacet volume 0dB’ turns it up."
        #expect(why([mute, .mediaServicesLost]).hasSuffix(alsoMute))
        #expect(why([mute, .command(.pause)]).hasSuffix(alsoMute))
    }

    @Test func slowOrLostStorageIsNamed() {
        #expect(
            why([], stall: .storage)
                == "Quiet since 14:03:12 because the storage does not keep up. Tacet will resume ‘One.flac’ at 2:31 when "
                + "its file can be read again.")
        var health = Health()
        health.set(.storage, "the storage of /srv/music/One.flac is not available")
        #expect(
            why([], health: health, stall: .storage).hasPrefix(
                "Quiet since 14:03:12 because the storage of /srv/music/One.flac is not available. Tacet will resume"))
        #expect(
            why([], health: health)
                == "Playing ‘One.flac’ at 2:31 from what was read ahead (the storage of /srv/music/One.flac is not "
                + "available).")
    }

    /// Playback is paused without a command, so the cause is named.
    @Test func playbackThatDidNotResumeNamesTheCause() {
        let call = [Event.edge(Edge(phone, asserted: true)), .edge(Edge(phone, asserted: false))]
        #expect(
            why(call) { $0.session.signals[0].resume = .manual }
                == "Quiet since 14:03:12 because phone-call (PHONE_CALL) has ended, after which playback does not resume "
                + "automatically (Resume=manual). ‘tacet play’ resumes ‘One.flac’ at 2:31.")
        #expect(
            why(call) { $0.session.signals[0].resumeWithin = .zero - .seconds(1) }.contains(
                "does not resume automatically (it took longer than ResumeWithin=). ‘tacet play’"))
        #expect(
            why([.mediaServicesLost, .mediaServicesReset]) { $0.session.resumesAfterReset = false }.contains(
                "(ResumeAfterReset=no). ‘tacet play’ resumes"))
        #expect(why([.routeLost]).contains("because the output in use was unplugged. ‘tacet"))
        #expect(why([.playbackEnded]).contains("because the last track has ended. "))
        #expect(why([]) { $0.session.autoPlay = false }.contains("because it was stopped when Tacet started. ‘tacet"))
    }

    /// A `ResumeDelay` only postpones resuming.
    @Test func interruptionWithResumeDelayWillResume() {
        func delay(_ configuration: inout Configuration) { configuration.session.resumeDelay = .seconds(5) }
        let begin = Event.edge(Edge(phone, asserted: true))
        #expect(why([begin], delay).hasSuffix(" Tacet will resume ‘One.flac’ at 2:31 when the signal is released."))
        #expect(
            why([begin, .edge(Edge(phone, asserted: false))], delay).hasSuffix(
                "because an interruption has just ended. Tacet will resume ‘One.flac’ at 2:31 when ResumeDelay= has "
                    + "elapsed."))
    }

    /// The sentence names everything that has to happen before playback resumes.
    @Test func callWithoutADeviceResumesWhenReleasedAndDeviceReturns() {
        let events = [Event.edge(Edge(phone, asserted: true)), .mediaServicesLost]
        #expect(
            why(events)
                == "Quiet since 14:03:12 because phone-call (PHONE_CALL) is asserted. Tacet will resume ‘One.flac’ at "
                + "2:31 when the signal is released and the sound device returns.")
        #expect(
            why(events) { $0.session.resumesAfterReset = false }.hasSuffix(
                " The music will stay quiet when the signal is released and the sound device returns, until ‘tacet "
                    + "play’."))
    }

    @Test func delayedReleaseSaysWhenPlaybackResumes() {
        let ring = [Event.edge(Edge(phone, asserted: true))]
        let release = PendingRelease(since: .milliseconds(-100), until: .milliseconds(4900))
        #expect(
            why(ring, releases: [phone: release])
                == "Quiet since 14:03:12 because phone-call (PHONE_CALL) was released 2 s ago. Tacet will resume "
                + "‘One.flac’ at 2:31 in 3 s.")
        #expect(
            why(ring + [.command(.pause)], releases: [phone: release]).hasSuffix(
                "was released 2 s ago. The music will stay paused in 3 s."))
        // Another signal still blocks.
        let both = ring + [.edge(Edge("cover-closed", asserted: true))]
        #expect(
            why(both, releases: [phone: release]).contains(
                "because cover-closed is asserted and phone-call (PHONE_CALL) was released 2 s ago. Tacet will resume "
                    + "‘One.flac’ at 2:31 when the signals are released"))
        #expect(
            why([.edge(Edge(alarm, asserted: true))], releases: [alarm: release]).hasSuffix(
                "because alarm (ALARM) was released 2 s ago. The music returns to full level in 3 s."))
    }

    @Test func lostLineSaysThatItCountsAsAsserted() {
        let events = [Event.edge(Edge(phone, asserted: true)), .fault(Fault(phone, .lost))]
        #expect(
            why(events).contains(
                "because phone-call (PHONE_CALL) is lost and counts as asserted (see ‘tacet lines’). Tacet will resume")
        )
    }

    /// The music plays, although somebody may still need silence.
    @Test func lostLineThatCountsAsReleasedIsExplainedWhileTheMusicPlays() {
        let events = [
            Event.edge(Edge(phone, asserted: true)), .fault(Fault(phone, .lost)), .edge(Edge(phone, asserted: false)),
        ]
        #expect(
            why(events).hasSuffix(
                "Playing ‘One.flac’ at 2:31. Phone-call (PHONE_CALL) is lost and counts as released (see ‘tacet lines’)."
            ))
    }

    /// The music should play, but is inaudible.
    @Test func stalledDeviceIsQuietAndNotPlaying() {
        #expect(
            why([], stall: .device)
                == "Quiet since 14:03:12 because the sound device accepts no frames. Tacet will resume ‘One.flac’ at 2:31 "
                + "when the device accepts frames again.")
    }

    // MARK: Sounds

    private func sounds(
        _ effect: SoundPolicy.Effect = .duck(Level(decibels: -14) ?? .mute)
    ) -> (inout Configuration) -> Void {
        { configuration in
            configuration.session.sounds = [SoundPolicy(id: "next-stop", effect: effect), SoundPolicy(id: "siren")]
            configuration.session.signals[0].cue = "siren"
            configuration.session.signals[1].cue = "siren"
        }
    }

    private let announcement = Event.command(.announce(Announcement("next-stop", id: 1)))

    @Test func announcementThatDucksIsNamedWithTheTimeLeft() {
        #expect(
            why([announcement], soundEnd: .milliseconds(4200), sounds())
                == "Turned down to -14 dB since 14:03:12 because the announcement next-stop is playing. The music returns "
                + "to full level in 3 s.")
        #expect(
            why([announcement], sounds()).hasSuffix("next-stop is playing. The music returns to full level after it."))
    }

    @Test func signalThatDucksAsMuchIsNamedInsteadOfTheAnnouncement() {
        let alarmed = [Event.edge(Edge(alarm, asserted: true)), announcement]
        let noCue = { (configuration: inout Configuration) in
            sounds()(&configuration)
            configuration.session.signals[1].cue = nil
        }
        #expect(
            why(alarmed, soundEnd: .seconds(5), noCue)
                == "Turned down to -14 dB since 14:03:12 because alarm (ALARM) is asserted. The music returns to full level "
                + "when the signal is released. The announcement next-stop is playing (3 s left).")
        // A lower level is attributed to the announcement until the announcement ends.
        #expect(
            why(alarmed, soundEnd: .seconds(5)) {
                noCue(&$0)
                $0.session.sounds[0].effect = .duck(Level(decibels: -30) ?? .mute)
            }.hasSuffix(
                "because the announcement next-stop is playing. The music returns to -14 dB in 3 s because alarm (ALARM) "
                    + "is asserted."))
    }

    @Test func announcementThatPausesSaysWhenPlaybackResumes() {
        #expect(
            why([announcement], soundEnd: .seconds(5), sounds(.pause))
                == "Quiet since 14:03:12 because the announcement next-stop is playing. Tacet will resume ‘One.flac’ at "
                + "2:31 in 3 s.")
        #expect(why([announcement], sounds(.pause)).hasSuffix("will resume ‘One.flac’ at 2:31 after it."))
    }

    @Test func cueOverSilenceIsNamed() {
        #expect(
            why([.edge(Edge(phone, asserted: true))], sounds())
                == "Quiet since 14:03:12 because phone-call (PHONE_CALL) is asserted. Tacet will resume ‘One.flac’ at "
                + "2:31 when the signal is released. The cue siren is playing.")
        #expect(why([.command(.pause), announcement], sounds()).hasSuffix(" The announcement next-stop is playing."))
        // Of two signals, the one whose cue is playing is named.
        #expect(
            why([.edge(Edge("cover-closed", asserted: true)), .edge(Edge(phone, asserted: true))], sounds()).hasSuffix(
                " The cue siren of phone-call is playing."))
    }

    @Test func cueOverDuckedMusicAndMixedAnnouncementAreNamed() {
        #expect(
            why([.edge(Edge(alarm, asserted: true))], sounds()).hasSuffix(
                "The music returns to full level when the signal is released. The cue siren is playing."))
        #expect(
            why([announcement], sounds(.mix)) == "Playing ‘One.flac’ at 2:31. The announcement next-stop is playing.")
    }

    @Test func unreadableCueSaysThatAToneIsHeardInstead() {
        let events = [Event.soundReadable("siren", false), .edge(Edge(phone, asserted: true))]
        #expect(
            why(events, sounds()).hasSuffix(" A built-in tone is playing instead of the cue siren."))
        #expect(
            why(events, soundProblems: ["siren": .unreadable("cannot open siren.wav")], sounds()).hasSuffix(
                " A built-in tone is playing instead of the cue siren, which cannot be read (cannot open siren.wav)."))
    }

    @Test func silentCueIsNamedAndReportedAsAProblem() {
        let events = [Event.edge(Edge(phone, asserted: true))]
        #expect(
            why(events, soundProblems: ["siren": .inaudible("it is silent")], sounds()).hasSuffix(
                " The cue siren is playing, but it is silent."))
        var configuration = Configuration.builtIn
        sounds()(&configuration)
        var context = ExplanationContext(scene: StateSnapshot(after: [], configuration), health: Health())
        context.soundProblems = ["siren": .inaudible("it is silent")]
        #expect(context.complaints == ["the sound siren cannot be heard: it is silent"])
        context.soundProblems = ["siren": .partial("Input/output error")]
        #expect(context.complaints == ["a part of the sound siren cannot be read: Input/output error"])
    }

    @Test func duckToMuteIsReportedAsQuiet() {
        #expect(
            why([.edge(Edge(alarm, asserted: true))]) { $0.session.signals[1].effect = .duck(.mute) }
                == "Quiet since 14:03:12 because alarm (ALARM) is asserted, which turns the music down to silence. The "
                + "music returns to full level when the signal is released.")
    }

    @Test func elapsedTimeIsShown() {
        #expect(Explanation.since(.seconds(1_700_000_000), elapsed: .milliseconds(125_900)).hasSuffix(" (for 2min 5s)"))
        // If it began a day ago, the time of day alone would mean today.
        let (time, days) = (Duration.seconds(1_700_000_000), Duration.seconds(2 * 86_400 + 4))
        let text = Explanation.since(time, elapsed: days)
        let timeOfDay = CivilTime(local: time).timeOfDay
        #expect(text.hasPrefix("2023-11-1") && text.hasSuffix(" \(timeOfDay) (for 2d 4s)"), "\(text)")
        #expect(Explanation.since(time, elapsed: .zero).hasPrefix(timeOfDay))
    }

    @Test func emptyLibraryIsNamed() {
        var health = Health()
        health.set(.library, "nothing to play: there is no audio file in /srv/music")
        #expect(
            why([], health: health, tracks: 0)
                == "Quiet since 14:03:12 because there is nothing to play: there is no audio file in /srv/music.")
    }

    // MARK: Recording

    /// Returns the last sentence of an explanation, which is about the recording if there is one.
    private func recording(
        _ events: [Event], lost: Int = 0, file: String? = "/srv/r/1.flac",
        _ change: (inout Configuration) -> Void = { _ in }
    ) -> String {
        var configuration = Configuration.builtIn
        configuration.sources = [phone: .line(Wiring(line: .named("PHONE_CALL", chip: nil)))]
        configuration.addRecorder()
        change(&configuration)
        var scene = StateSnapshot(after: events, configuration)
        scene.recordingFile = file
        var context = ExplanationContext(scene: scene, health: Health(), releases: [:], now: .seconds(2))
        context.lostFrames = lost
        let text = "\(Explanation(context))"
        guard let end = text.range(of: ". ", options: .backwards) else { return text }
        return String(text[end.upperBound...])
    }

    private let record = Event.command(.record)

    @Test func recordingIsExplainedAfterPlayback() {
        #expect(recording([]) == "Playing ‘One.flac’ at 2:31.")
        #expect(recording([record, .command(.stopRecording)]) == "Playing ‘One.flac’ at 2:31.")
        #expect(recording([record]) == "The microphone is recorded to /srv/r/1.flac.")
        #expect(recording([record], file: nil) == "The microphone is recorded.")
        #expect(
            recording([record], lost: 480)
                == "The microphone is recorded to /srv/r/1.flac (480 frames were lost and are silent).")
    }

    @Test func recordingThatIsPausedNamesTheCause() {
        let call = Event.edge(Edge(phone, asserted: true))
        #expect(recording([record, call]) == "Nothing is recorded because phone-call (PHONE_CALL) is asserted.")
        #expect(
            recording([record, .captureLost, call]) == "Nothing is recorded because there is no capture device.")
        #expect(
            recording([record, call, .edge(Edge(phone, asserted: false))]) { $0.session.resumeDelay = .seconds(5) }
                == "Nothing is recorded because an interruption has just ended.")
    }

    @Test func recordingDuringAnInterruptionNamesTheKey() {
        let call = Event.edge(Edge(phone, asserted: true))
        #expect(
            recording([record, call]) { $0.session.recorder?.during = .interruptions }
                == "The microphone is recorded to /srv/r/1.flac, also during interruptions (During=).")
    }

    @Test func mutedMicrophoneRecordsSilenceWithTheOverride() {
        let cover = Event.edge(Edge("cover-closed", asserted: true))
        func mute(_ configuration: inout Configuration) {
            configuration.session.signals[2].effect = .muteMicrophone
        }
        #expect(
            recording([record, cover]) {
                mute(&$0)
                $0.session.options = .overrideMutedMicrophoneInterruption
            } == "Silence is recorded to /srv/r/1.flac because the microphone is muted.")
        #expect(recording([record, cover], mute) == "Nothing is recorded because cover-closed is asserted.")
    }
}
