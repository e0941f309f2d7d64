import Configuration
import Testing

@Suite("Every mistake is reported with its line and advice")
struct MistakeTests {
    @Test("Unknown sections, and section names that are missing, invalid or too long")
    func sections() throws {
        let forty = String(repeating: "x", count: 40)
        #expect(
            try diagnose(
                "[session]\n[Colour]\n[Signal]\n[Signal two words]\n[Signal ä]\n[State x]\n[Signal \(forty)x]\n[Signl a]"
            ) == [
                "1: error: [session] is an unknown section (did you mean ‘Session’?)",
                "2: error: [Colour] is an unknown section (the sections are [Session], [Playback], [Signal NAME], [Button NAME], [Output NAME], [Sound NAME], [Input NAME], [Player NAME], [Recording], [State] or [Health])",
                "3: error: [Signal] has no name (write [Signal NAME], such as [Signal phone-call])",
                "4: error: [Signal two words] has a name with characters other than letters, digits, ‘-’, ‘_’ and ‘.’ (write a name such as phone-call)",
                "5: error: [Signal ä] has a name with characters other than letters, digits, ‘-’, ‘_’ and ‘.’ (write a name such as phone-call)",
                "6: error: [State x] has a name (there is only one such section: write [State])",
                "7: error: [Signal \(forty)x] has a name 41 bytes long (at most 40 are allowed)",
                "8: error: [Signl a] is an unknown section (did you mean ‘Signal’?)",
            ])
        #expect(try load("[Signal \(forty)]\nLine=A\nEffect=pause").warnings == [])
        let warnings = try load("[Signal capture]\nLine=A\nEffect=pause").warnings.map(\.description)
        let expected = ":1: warning: [Signal capture] has the name of the capture device"
        #expect(warnings.count == 1 && warnings[0].contains(expected), "\(warnings)")
    }

    @Test("Unknown keys, and keys in the wrong section")
    func keys() throws {
        #expect(
            try diagnose(
                "[Playback]\nfadeIn=1s\nFadeInn=1s\nDebounce=1s\nMode=default\n[Signal alarm]\nLine=A\nDebuonce=1s\nFile=a.wav\nCommand=play\n[Health]\nX=1"
            ) == [
                "2: error: unknown key ‘fadeIn’ in [Playback] (did you mean ‘FadeIn’?)",
                "3: error: unknown key ‘FadeInn’ in [Playback] (did you mean ‘FadeIn’?)",
                "4: error: Debounce= does not belong in [Playback] (it belongs in [Signal NAME] or [Button NAME])",
                "5: error: Mode= does not belong in [Playback] (it belongs in [Session])",
                "8: error: unknown key ‘Debuonce’ in [Signal alarm] (did you mean ‘Debounce’?)",
                "9: error: File= does not belong in [Signal alarm] (it belongs in [Sound NAME])",
                "10: error: Command= does not belong in [Signal alarm] (it belongs in [Button NAME])",
                "12: error: unknown key ‘X’ in [Health] ([Health] has no keys yet)",
            ])
        #expect(
            try diagnose("[State]\nColour=red") == [
                "2: error: unknown key ‘Colour’ in [State] ([State] has Directory, Interval)"
            ])
    }

    @Test(
        "Bad values",
        arguments: [
            ("[Playback]\nFadeIn=11s", "FadeIn=11s is out of range (write a time from 0s to 10s)"),
            ("[State]\nInterval=1ms", "Interval=1ms is out of range (write a time from 100ms to 1h)"),
            (
                "[Signal alarm]\nStuckAfter=soon",
                "StuckAfter=soon is not a time (write a time from 100ms to 365d, such as 30ms, 5s or 2min, or infinity)"
            ),
            ("[Playback]\nVolume=-14", "Volume=-14 has no unit (write -14dB)"),
            (
                "[Playback]\nVolume=3",
                "Volume=3 has no unit (write a level from -120dB to 0dB, such as -14dB, or mute)"
            ),
            (
                "[Playback]\nVolume=1dB",
                "Volume=1dB is out of range (write a level from -120dB to 0dB, such as -14dB, or mute)"
            ),
            (
                "[Playback]\nVolume=loud",
                "Volume=loud is not a level (write a level from -120dB to 0dB, such as -14dB, or mute)"
            ),
            ("[Playback]\nShuffle=maybe", "Shuffle=maybe is neither yes nor no (write yes or no)"),
            (
                "[Playback]\nAutoPlay=Playing",
                "AutoPlay=Playing is neither yes nor no (write yes (playing) or no (stopped))"
            ),
            (
                "[Playback]\nRepeat=Track",
                "Repeat=Track is unknown (did you mean ‘track’? it can be none, track or playlist)"
            ),
            (
                "[Signal alarm]\nBias=pulup",
                "Bias=pulup is unknown (did you mean ‘pull-up’? it can be as-is, disabled, pull-up or pull-down)"
            ),
            (
                "[Signal alarm]\nEffect=explode",
                "Effect=explode is unknown (it can be pause, duck, mute-microphone, checkpoint or ignore)"
            ),
            (
                "[Signal alarm]\nChatterLimit=1",
                "ChatterLimit=1 is out of range (write a whole number from 2 to 10000)"
            ),
            (
                "[Signal alarm]\nOffset=first",
                "Offset=first is not a whole number (write a whole number from 0 to 65535)"
            ),
            (
                "[Signal alarm]\nLine=A-NAME-THAT-NO-KERNEL-COULD-HOLD",
                "Line=A-NAME-THAT-NO-KERNEL-COULD-HOLD is 32 bytes long (at most 31 are allowed)"
            ),
            (
                "[Button a]\nCommand=plya",
                "Command=plya is not a command (did you mean ‘play’? write play, pause, playPause, stop, next, previous, hush, record, stopRecording, seek 1:30, volume -6dB or announce NAME)"
            ),
            (
                "[Button a]\nCommand=volume 3dB",
                "Command=volume 3dB is not valid, because ‘3dB’ is out of range (write 0dB, or a step such as +3dB or -3dB)"
            ),
            (
                "[Button a]\nCommand=seek 1:75",
                "Command=seek 1:75 is not valid, because ‘1:75’ is not a position (write 1:30, 1:02:03, 90s or 1min 30s, or a step such as +10s or -10s; each part after a colon has two digits, from 00 to 59)"
            ),
        ])
    func values(text: String, problem: String) throws {
        #expect(try diagnose(text).contains("2: error: \(problem)"))
    }

    @Test(
        "Apple's names that Tacet does not support are rejected with the reason",
        arguments: [
            "Category=ambient", "Category=soloAmbient", "Category=multiRoute", "Options=mixWithOthers",
            "Options=duckOthers", "Options=interruptSpokenAudioAndMixWithOthers", "Options=allowBluetooth",
            "Options=overrideMutedMicrophoneInterruption defaultToSpeaker",
        ])
    func apple(setting: String) throws {
        let found = try diagnose("[Session]\n\(setting)")
        #expect(found.count == 1)
        #expect(found.first?.hasPrefix("2: error: \(setting) is an Apple ") == true)
        #expect(found.first?.contains("arbitrates between apps that share a phone's output") == true)
    }

    @Test("If one file sets a key twice, the later value takes effect, with a warning")
    func duplicates() throws {
        let text = "[Playback]\nFadeIn=1s\n[State]\n[Playback]\nFadeIn=2s"
        #expect(
            try diagnose(text) == [
                "5: warning: FadeIn= in [Playback] was already set on line 2 (this one takes effect, so remove the other)"
            ])
        #expect(try load(text).configuration.playback.fadeIn == .seconds(2))
    }

    @Test("All mistakes are reported at once with the warnings, in line order")
    func all() throws {
        let found = try diagnose("[Signal x]\nDuckLevel=loud\n[Playback]\nFadeIn=1h\nLibrary=nowhere\nOops")
        #expect(found.map { $0.prefix { $0 != ":" } } == ["1", "1", "2", "4", "5", "6"])
        #expect(found.filter { $0.contains(": warning: ") }.count == 1)
    }
}
