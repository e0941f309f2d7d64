import AudioSession
import Foundation
import Simulation
import Testing

/// Recording in rehearsals: the columns `recording` and `recorded`, and the effects of the scenario's events.
@Suite struct RecordingTests {
    ///   - session: text that is added to `[Session]`.
    ///   - recording: text that is added to `[Recording]`.
    ///   - rest: other sections.
    ///   - rest: other sections.
    private func lab(_ session: String = "", recording: String = "", _ rest: String = "") throws -> Lab {
        let category = session.contains("Category=") ? "" : "Category=playAndRecord"
        let lab = try Lab(
            """
            [Session]
            \(category)
            \(session)
            [Playback]
            Library=music
            [Signal phone-call]
            ReleaseDelay=0s
            [Signal cover-closed]
            Effect=mute-microphone
            ReleaseDelay=0s
            [Recording]
            \(recording)
            \(rest)
            """)
        try lab.addNumberedTrack("one.wav", seconds: 9)
        return lab
    }

    /// Returns each event, with the state of the recording and the number of frames recorded since the boot.
    private func table(_ rows: [TraceRow], rate: Int = 48_000) -> [String] {
        rows.map { row in
            guard let state = row.state else { return row.event }
            let frames = Int((state.recorded / .seconds(1) * Double(rate)).rounded())
            return "\(row.event): \(state.isRecording ? "on" : "off") \(frames)"
        }
    }

    @Test func commandsStartAndStopARecordingWithoutAnEffectOnTheMusic() throws {
        let rows = try lab().run(
            "1s command stopRecording\n2s command record\n3s command record\n5s command stopRecording\n6s end")
        #expect(
            table(rows) == [
                "boot: off 0", "command stopRecording: off 0", "command record: on 0", "command record: on 48000",
                "command stopRecording: off 144000", "end: off 144000",
            ])
        #expect(
            rows.compactMap(\.state?.answer?.name) == ["noActionableNowPlayingItem", "success", "success", "success"])
        #expect(try rows.at("end").position == .seconds(6) && rows.notifications == [])
    }

    @Test func interruptionPausesARecordingAndItsEndResumesIt() throws {
        let rows = try lab().run("1s command record\n2s assert phone-call\n5s deassert phone-call\n6s end")
        #expect(
            table(rows).suffix(3) == [
                "assert phone-call: off 48000", "deassert phone-call: on 48000", "end: on 96000",
            ])
        #expect(rows.notifications == ["began(default)", "ended(shouldResume)"])
    }

    @Test func lastCommandsOfRecordingAndPlaybackAreIndependent() throws {
        let during = { (commands: [String]) in
            try lab("", "[Signal alarm]\nEffect=pause\nResume=manual\nReleaseDelay=0s").run(
                (["1s command record", "2s assert alarm"] + commands.map { "3s command \($0)" } + [
                    "4s deassert alarm", "5s end",
                ]).joined(separator: "\n"))
        }
        // Without a command, an end that does not recommend resuming stops both the music and the recording.
        var rows = try during([])
        #expect(try !rows.at("end").isRecording && rows.at("end").intent == .paused)
        rows = try during(["record"])
        #expect(try rows.at("command record", occurrence: 1).answer == .deferred)
        #expect(try rows.at("end").isRecording && rows.at("end").intent == .paused)
        rows = try during(["play"])
        #expect(try !rows.at("end").isRecording && rows.at("end").intent == .playing)
        rows = try during(["record", "stopRecording", "play"])
        #expect(try rows.at("command stopRecording").answer == .success)
        #expect(try !rows.at("end").isRecording && rows.at("end").intent == .playing)
        rows = try during(["stopRecording", "stopRecording", "record", "pause"])
        #expect(try rows.at("command stopRecording", occurrence: 1).answer == .noActionableNowPlayingItem)
        #expect(try rows.at("end").isRecording && rows.at("end").intent == .paused)
    }

    @Test func recordingResumesWithoutRecommendationIfThereAreNoControls() throws {
        let rows = try lab(
            "PlaybackInterface=no", recording: "AutoRecord=yes",
            "[Signal alarm]\nEffect=pause\nResume=manual\nReleaseDelay=0s"
        )
        .run("1s assert alarm\n2s deassert alarm\n3s assert alarm\n4s command stopRecording\n5s deassert alarm\n6s end")
        #expect(rows.notifications == ["began(default)", "ended()", "began(default)", "ended()"])
        #expect(
            table(rows).dropFirst().prefix(3) == [
                "assert alarm: off 48000", "deassert alarm: on 48000", "assert alarm: off 96000",
            ])
        #expect(table(rows).last == "end: off 96000")
    }

    @Test func recordDoesNotDropAStuckSignalButPlayDoes() throws {
        let rows = try lab("", "[Signal door]\nEffect=pause\nStuckAfter=1s").run(
            "1s assert door\n3s command record\n4s command play\n5s end")
        #expect(rows.events[2] == "2.0 fault door stuck")
        #expect(try rows.at("command record").answer == .deferred && rows.at("command record").isInterrupted)
        #expect(try rows.at("command play").isRecording && !rows.at("command play").isInterrupted)
        #expect(table(rows).last == "end: on 48000")
    }

    @Test func signalNamedCaptureHasItsOwnFaults() throws {
        let lab = try lab(recording: "AutoRecord=yes", "[Signal capture]\nEffect=ignore\nLostGrace=0s")
        let rows = try lab.run(
            """
            1s line capture lost
            2s capture lost
            3s line capture 0
            4s end
            """)
        let texts = ["fault capture lost", "capture lost", "cleared capture lost"]
        let faults = try texts.map { try rows.at($0).faults.map(\.description) }
        #expect(faults == [["signal capture:lost"], ["capture:lost", "signal capture:lost"], ["capture:lost"]])
    }

    @Test func lostMicrophoneIsAFaultAndDoesNotDisturbTheMusic() throws {
        let rows = try lab(recording: "AutoRecord=yes", "[Output ok]\nMeans=healthy\n[Output lamp]\nMeans=recording")
            .run(
                """
                1s capture lost
                2s capture lost
                3s command record
                4s capture back
                5s capture back
                6s device lost
                7s device reset
                8s end
                """)
        let outputs = try ["boot", "capture lost", "capture back", "end"].map {
            try rows.at($0).outputs.map(\.rawValue)
        }
        #expect(outputs == [["lamp", "ok"], [], ["lamp", "ok"], ["lamp", "ok"]])
        let faults = rows.compactMap { $0.state?.faults.map(\.description) }
        #expect(faults == [[], ["capture:lost"], ["capture:lost"], ["capture:lost"], [], [], [], [], []])
        #expect(try rows.at("command record").answer == .deferred)
        // Playback only loses its own second.
        #expect(rows.notifications == ["mediaServicesWereLost", "mediaServicesWereReset"])
        #expect(try rows.at("end").position == .seconds(7))
        #expect(table(rows).last == "end: on 240000")
    }

    @Test func returnedMicrophoneWaitsForTheUserWithoutResumeAfterReset() throws {
        let rows = try lab("ResumeAfterReset=no", recording: "AutoRecord=yes").run(
            """
            1s capture lost
            2s capture back
            3s capture lost
            4s command record
            5s capture back
            6s device lost
            7s device reset
            8s end
            """)
        #expect(
            table(rows).map { $0.replacing("capture ", with: "") } == [
                "boot: on 0", "lost: off 48000", "back: off 48000", "lost: off 48000", "command record: off 48000",
                "back: on 48000", "device lost: on 96000", "device reset: on 144000", "end: on 192000",
            ])
        // The music waits after losing its own device.
        #expect(try rows.at("end").intent == .paused)
    }

    @Test func microphoneThatIsMissingAtABootRecordsOnceItIsConnected() throws {
        let rows = try lab(recording: "AutoRecord=yes").run(
            """
            0s capture lost
            0s boot
            1s capture back
            2s capture lost
            3s power-cut
            4s boot
            5s power-cut
            6s capture back
            7s boot
            8s end
            """)
        #expect(
            table(rows) == [
                "boot: off 0", "capture back: on 0", "capture lost: off 48000", "power-cut", "boot: off 0",
                "power-cut", "capture back", "boot: on 0", "end: on 48000",
            ])
        #expect(try rows.at("boot", occurrence: 1).faults == [.capture])
        #expect(try rows.at("boot").notifications == [])
    }

    @Test func recordingIntentAndLastCommandSurviveAPowerCutDuringACall() throws {
        let call = "1s assert phone-call\n2s command record\n3s power-cut\n"
        // The call ends while the power is off.
        var rows = try lab().run(call + "4s deassert phone-call\n5s boot\n6s end")
        #expect(table(rows).suffix(2) == ["boot: on 0", "end: on 48000"])
        #expect(rows.notifications == ["began(default)", "ended(shouldResume)"])
        // The call outlasts the power cut.
        rows = try lab("", "[Signal phone-call]\nResume=manual").run(
            call + "4s boot\n5s deassert phone-call\n6s command stopRecording\n7s power-cut\n8s boot\n9s end")
        #expect(
            table(rows).suffix(6) == [
                "boot: off 0", "deassert phone-call: on 0", "command stopRecording: off 48000", "power-cut",
                "boot: off 0", "end: off 0",
            ])
        #expect(rows.notifications == ["began(default)", "began(appWasSuspended)", "ended()"])
    }

    @Test func autoRecordAppliesOnlyToTheFirstBoot() throws {
        let rows = try lab(recording: "AutoRecord=yes").run(
            "1s command stopRecording\n2s power-cut\n3s boot\n4s end")
        #expect(
            table(rows) == ["boot: on 0", "command stopRecording: off 48000", "power-cut", "boot: off 0", "end: off 0"])
        let interrupted = try lab(recording: "AutoRecord=yes").run(
            "0s assert phone-call\n0s boot\n1s deassert phone-call\n2s end")
        #expect(table(interrupted) == ["boot: off 0", "deassert phone-call: on 0", "end: on 48000"])
    }

    @Test func nothingIsRecordedWhileTheSystemSleeps() throws {
        let rows = try lab(recording: "AutoRecord=yes").run(
            "2s asleep 10s\n3s line phone-call 1\n13s line phone-call 0\n14s asleep 2s\n15s capture lost\n17s end")
        #expect(
            table(rows) == [
                "boot: on 0", "asleep 10s: on 96000", "line phone-call 1", "awake: off 96000",
                "line phone-call 0: off 96000", "deassert phone-call: on 96000", "asleep 2s: on 142560",
                "capture lost", "awake: off 142560", "end: off 142560",
            ])
        #expect(try rows.at("awake", occurrence: 1).faults == [.capture])
    }

    @Test func mutedMicrophoneInterruptsARecordingUnlessOverridden() throws {
        let scenario = "1s assert cover-closed\n3s deassert cover-closed\n4s end"
        let rows = try lab(recording: "AutoRecord=yes").run(scenario)
        #expect(
            table(rows) == [
                "boot: on 0", "assert cover-closed: off 48000", "deassert cover-closed: on 48000", "end: on 96000",
            ])
        #expect(rows.notifications == ["began(builtInMicMuted)", "ended(shouldResume)"])
        let overridden = try lab("Options=overrideMutedMicrophoneInterruption", recording: "AutoRecord=yes").run(
            scenario)
        #expect(overridden.compactMap(\.state?.isRecording) == [true, true, true, true])
        #expect(overridden.compactMap(\.state?.isMicrophoneMuted) == [false, true, false, false])
        // Silence is counted as recorded time.
        #expect(table(overridden).last == "end: on 192000")
        #expect(overridden.notifications == [])
    }

    @Test func blackBoxRecordsThroughInterruptionsAndAPowerCut() throws {
        let lab = try lab(
            "ResumeDelay=2s", recording: "AutoRecord=yes\nDuring=interruptions",
            "[Signal phone-call]\nResume=manual\n[Output lamp]\nMeans=recording")
        let rows = try lab.run(
            """
            1s assert phone-call
            2s deassert phone-call
            5s assert cover-closed
            6s power-cut
            7s boot
            8s deassert cover-closed
            9s command stopRecording
            9s command record
            11s end
            """)
        #expect(
            table(rows) == [
                "boot: on 0", "assert phone-call: on 48000", "deassert phone-call: on 96000",
                "episode ended: on 192000", "assert cover-closed: on 240000", "power-cut", "boot: on 0",
                "deassert cover-closed: on 48000", "command stopRecording: off 96000", "command record: on 96000",
                "episode ended: on 144000", "end: on 192000",
            ])
        // The music is interrupted as usual.
        #expect(
            rows.notifications == [
                "began(default)", "ended()", "began(builtInMicMuted)", "began(appWasSuspended)",
                "ended(shouldResume)",
            ])
        #expect(try rows.at("boot", occurrence: 1).isMicrophoneMuted && rows.at("end").intent == .paused)
        #expect(rows.compactMap(\.state).allSatisfy { $0.outputs.isEmpty != $0.isRecording })
    }

    @Test func resumeDelayAppliesToRecording() throws {
        let rows = try lab("ResumeDelay=2s", recording: "AutoRecord=yes", "[Signal phone-call]\nResume=manual").run(
            "1s assert phone-call\n2s deassert phone-call\n3s command record\n6s end")
        #expect(
            table(rows) == [
                "boot: on 0", "assert phone-call: off 48000", "deassert phone-call: off 48000",
                "command record: off 48000", "episode ended: on 48000", "end: on 144000",
            ])
        #expect(try rows.at("command record").answer == .deferred)
    }

    @Test func pausingAnnouncementDoesNotPauseARecording() throws {
        let lab = try lab(recording: "AutoRecord=yes", "[Sound gong]\nFile=gong.wav\nEffect=pause")
        try lab.addSound("gong", frames: 48_000)
        let rows = try lab.run("1s command announce gong\n1500ms route lost\n5s end")
        #expect(try rows.at("command announce gong").directive == .silent)
        #expect(table(rows).allSatisfy { $0.contains(": on ") } && table(rows).last == "end: on 240000")
    }

    /// Each instant is rounded to the nearest frame of the microphone's clock, so errors do not accumulate over many
    /// interruptions.
    @Test(arguments: [8_000, 11_025, 44_100, 48_000, 192_000])
    func recordedLengthIsExactToTheFrame(rate: Int) throws {
        let rows = try lab(recording: "Rate=\(rate)").run(
            """
            333ms command record
            1333.7ms assert phone-call
            2000.1ms deassert phone-call
            2000.2ms assert phone-call
            3s deassert phone-call
            3.000011s command stopRecording
            4s power-cut
            4567.89ms boot
            5s command record
            5.12345678s end
            """)
        let frame = { (seconds: Double) in Int((seconds * Double(rate)).rounded()) }
        let ring = frame(1.3337) - frame(0.333)
        let gap = frame(2.0002) - frame(2.0001)
        let last = frame(3.000011) - frame(3)
        let (continued, whole) = (ring + gap, ring + gap + last)
        let expected: [String] = [
            "boot: off 0", "command record: on 0", "assert phone-call: off \(ring)",
            "deassert phone-call: on \(ring)", "assert phone-call: off \(continued)",
            "deassert phone-call: on \(continued)", "command stopRecording: off \(whole)",
            "boot: off 0", "command record: on 0", "end: on \(frame(5.12345678) - frame(5))",
        ]
        #expect(table(rows, rate: rate).filter { !$0.contains("power") } == expected)
        for row in rows {
            let frames = (row.state?.recorded ?? .zero) / .seconds(1) * Double(rate)
            #expect(abs(frames - frames.rounded()) < 0.001, "\(row.event)")
        }
    }

    @Test func commandsFailWithTheReasonIfTheSessionCannotRecord() throws {
        let scenario = "1s command record\n2s command stopRecording\n3s capture lost\n4s end"
        let playback = try lab("Category=playback", recording: "AutoRecord=yes").run(scenario)
        let without = try Lab("[Session]\nCategory=record\n[Playback]\nLibrary=music")
        try without.addNumberedTrack("one.wav", seconds: 5)
        let disabled = try lab(recording: "Enabled=no\nAutoRecord=yes")
        for (rows, reason) in [
            (playback, "the category playback does not record: set Category=record or playAndRecord"),
            (try without.run(scenario), "no recorder is configured: add a [Recording] section"),
            (try disabled.run(scenario), "no recorder is configured: add a [Recording] section"),
        ] {
            #expect(try rows.at("command record").answer == .commandFailed(reason))
            #expect(try rows.at("command stopRecording").answer == .commandFailed(reason))
            #expect(rows.compactMap(\.state).allSatisfy { !$0.isRecording && $0.recorded == .zero && $0.faults == [] })
        }
    }

    @Test func traceHasTheKeysOfRecording() throws {
        let rows = try lab(recording: "AutoRecord=yes\nRate=44100").run("1.5s assert phone-call\n2s end")
        #expect(rows[0].json.contains(#""recording":true,"recorded":0.0,"#), "\(rows[0].json)")
        #expect(rows[1].json.contains(#""recording":false,"recorded":1.5,"#), "\(rows[1].json)")
    }

    @Test(arguments: [
        ("2s capture gone", "write capture back or capture lost"), ("2s capture", "write capture back or capture lost"),
        ("2s capture lost now", "write capture back or capture lost"),
        ("2s captur lost", "there is no event ‘captur’: did you mean ‘capture’?"),
        ("2s command record 5s", "‘record’ takes no argument: write record alone"),
        ("2s command stopRecording now", "‘stopRecording’ takes no argument: write stopRecording alone"),
        ("2s command recrod", "‘recrod’ is not a command: did you mean ‘record’?"),
        ("2s command stoprecording", "‘stoprecording’ is not a command: did you mean ‘stopRecording’?"),
    ])
    func mistakeIsReportedWithAdvice(line: String, complaint: String) throws {
        let lab = try lab()
        #expect {
            try lab.rehearsal("# a comment\n" + line)
        } throws: {
            "\($0)".hasPrefix("\(lab.path("scenario")):2: \(complaint)")
        }
    }

    @Test func recordDuringSleepIsAMistakeButAChangedMicrophoneIsNot() throws {
        let lab = try lab()
        #expect {
            try lab.rehearsal("2s asleep 10s\n3s capture lost\n4s command record\n20s end")
        } throws: {
            "\($0)".hasSuffix("scenario:3: the system is asleep until 12.0s and cannot take a command")
        }
    }

    /// The timeline shows the recording, and the times at which it was silent.
    @Test func timelineShowsWhatIsRecorded() throws {
        let picture = { (lab: Lab) in
            var rehearsal = try lab.rehearsal(
                "1s command record\n2s assert cover-closed\n3s deassert cover-closed\n4s assert phone-call\n6s end")
            rehearsal.timeline = lab.path("picture.svg")
            _ = try rehearsal.run()
            return try String(contentsOfFile: lab.path("picture.svg"), encoding: .utf8)
        }
        let shown = try picture(try lab("Options=overrideMutedMicrophoneInterruption"))
        for words in [
            "recorded, 1 s – 2 s", "silence recorded: the microphone was muted, 2 s – 3 s", "recorded, 3 s – 4 s",
        ] {
            #expect(shown.contains("<title>\(words)"), "\(words)")
        }
        #expect(try !picture(lab("Category=playback")).contains("the microphone<"))
    }
}
