import AudioSession
import Configuration
import Testing

@Suite("Sounds, and what refers to them")
struct SoundTests {
    @Test("Every key of a sound, in the order in which sounds are first named")
    func keys() throws {
        let folder = try TemporaryFolder()
        let file = try folder.write(
            "etc/tacet.conf",
            """
            [Sound gong]
            File=../gong.wav
            [Sound bell]
            File=/srv/bell.wav
            Level=-6dB
            Effect=pause
            Repeat=yes
            Priority=70
            Expire=infinity
            Again=restart
            Once=30s
            Continue=yes
            [Signal alarm]
            Line=A
            Cue=bell
            [Sound fog]
            File=fog.wav
            Effect=mix
            Expire=0s
            """)
        try folder.write(
            "etc/tacet.conf.d/50.conf", "[Sound gong]\nDuckLevel=-20dB\n[Sound fog]\nFile=fog.ogg\nExpire=\n")
        let configuration = try Configuration.load(.file(file), checksLibrary: false).configuration
        let duckLevel = try #require(Level(decibels: -20))
        let bellLevel = try #require(Level(decibels: -6))
        #expect(
            configuration.session.sounds == [
                SoundPolicy(id: "gong", effect: .duck(duckLevel)),
                SoundPolicy(
                    id: "bell", effect: .pause, priority: 70, expire: nil, repeats: true, again: .restart,
                    once: .seconds(30), continues: true),
                SoundPolicy(id: "fog", effect: .mix),
            ])
        #expect(
            configuration.sounds == [
                "gong": SoundSettings(file: "\(folder.path)/etc/../gong.wav"),
                "bell": SoundSettings(file: "/srv/bell.wav", level: bellLevel),
                "fog": SoundSettings(file: "\(folder.path)/etc/tacet.conf.d/fog.ogg"),
            ])
        #expect(configuration.session.signals.map(\.cue) == [nil, "bell", nil])
    }

    @Test("A missing file is a warning on the line that sets it, unless files are not checked")
    func missingFile() throws {
        let folder = try TemporaryFolder()
        let file = try folder.write("tacet.conf", "[Sound gong]\nLevel=-3dB\nFile=gong.wav\n")
        let loaded = try Configuration.load(.file(file))
        #expect(
            loaded.warnings.map(\.description) == [
                "\(file):3: warning: File=gong.wav: \(folder.path)/gong.wav: No such file or directory (copy the sound there, or correct the path)"
            ])
        #expect(loaded.configuration.session.sounds.map(\.id) == ["gong"])
        #expect(try Configuration.load(.file(file), checksLibrary: false).warnings == [])
        try folder.write("gong.wav", "")
        #expect(try Configuration.load(.file(file)).warnings == [])
    }

    @Test("A sound needs a file, and keys without effect cause a warning")
    func sections() throws {
        #expect(
            try diagnose("[Sound gong]\nEffect=duck") == [
                "1: error: [Sound gong] has no file (write File= with the recording, such as gong.wav)"
            ])
        #expect(
            try diagnose("[Sound gong]\nFile=/\nEffect=mix\nDuckLevel=-6dB\nRepeat=yes\nLevel=mute") == [
                "4: warning: DuckLevel= in [Sound gong] is ignored because the sound's effect is mix (write Effect=duck, or remove it)",
                "5: warning: Repeat=yes in [Sound gong] is ignored because only a cue repeats, and no signal has it as its cue (write Cue=gong in a [Signal NAME] section, or remove it)",
                "6: warning: Level= in [Sound gong] is mute, so the sound is never heard (write a level such as -6dB, or remove it)",
            ])
        #expect(
            try diagnose("[Sound gong]\nFile=/\nRepeat=yes\nDuckLevel=-6dB\n[Signal alarm]\nLine=A\nCue=gong") == [])
        #expect(try diagnose("[Sound gong]\nEnabled=no\nRepeat=yes\nLevel=mute") == [])
    }

    @Test(
        "Bad values",
        arguments: [
            ("[Sound gong]\nPriority=101", "Priority=101 is out of range (write a whole number from 0 to 100)"),
            (
                "[Sound gong]\nEffect=ducks",
                "Effect=ducks is unknown (did you mean ‘duck’? it can be duck, pause or mix)"
            ),
            (
                "[Sound gong]\nExpire=400d",
                "Expire=400d is out of range (write a time from 0s to 365d, or infinity)"
            ),
            (
                "[Sound gong]\nPriorty=1",
                "unknown key ‘Priorty’ in [Sound gong] (did you mean ‘Priority’?)"
            ),
            ("[Sound gong]\nVolume=0dB", "Volume= does not belong in [Sound gong] (it belongs in [Playback])"),
            (
                "[Signal alarm]\nPriority=high",
                "Priority=high is not a whole number (write a whole number from 0 to 100)"
            ),
            (
                "[Signal alarm]\nCue=siren.wav # loud",
                "Cue=siren.wav # loud is not the name of a sound (put the comment on its own line)"
            ),
            (
                "[Signal alarm]\nCue=a/b",
                "Cue=a/b is not the name of a sound (write the NAME of a [Sound NAME] section)"
            ),
            (
                "[Button b]\nCommand=announce",
                "Command=announce does not name a sound (write announce with the NAME of a [Sound NAME] section, such as announce gong)"
            ),
            (
                "[Button b]\nCommand=anounce",
                "Command=anounce is not a command (did you mean ‘announce’? write play, pause, playPause, stop, next, previous, hush, record, stopRecording, seek 1:30, volume -6dB or announce NAME)"
            ),
        ])
    func values(text: String, problem: String) throws {
        #expect(try diagnose(text).contains("2: error: \(problem)"))
    }

    @Test("A name is needed, of the same letters as a signal's")
    func names() throws {
        #expect(
            try diagnose("[Sound]\n[Sound two words]") == [
                "1: error: [Sound] has no name (write [Sound NAME], such as [Sound gong])",
                "2: error: [Sound two words] has a name with characters other than letters, digits, ‘-’, ‘_’ and ‘.’ (write a name such as gong)",
            ])
    }

    @Test("A cue or a button with an unknown sound is an error, with a suggestion")
    func unknownSounds() throws {
        let text = "[Sound gong]\nFile=/\n[Signal alarm]\nLine=A\nCue=%\n[Button b]\nLine=B\nCommand=announce %"
        func errors(_ name: String) throws -> [String] {
            try diagnose(text.split(separator: "%", omittingEmptySubsequences: false).joined(separator: name))
        }
        #expect(try errors("gong") == [])
        #expect(
            try errors("gnog") == [
                "5: error: Cue=gnog: there is no sound ‘gnog’ (did you mean ‘gong’?)",
                "8: error: Command=announce gnog: there is no sound ‘gnog’ (did you mean ‘gong’?)",
            ])
        #expect(
            try errors("siren").first
                == "5: error: Cue=siren: there is no sound ‘siren’ (the sounds are gong: add [Sound siren] with its File=)"
        )
        #expect(
            try diagnose("[Signal alarm]\nLine=A\nCue=siren") == [
                "3: error: Cue=siren: there is no sound ‘siren’ (there is no [Sound NAME] section yet: add [Sound siren] with its File=)"
            ])
        #expect(try diagnose("[Signal alarm]\nEnabled=no\nCue=siren") == [])
    }

    @Test("A disabled sound is ignored, and nothing can name it")
    func disabled() throws {
        let text = "[Sound gong]\nEnabled=no\n"
        #expect(try load(text).configuration.session.sounds == [])
        let found = try diagnose(text + "[Signal alarm]\nLine=A\nCue=gong")
        #expect(found.count == 1)
        #expect(found.first?.hasPrefix("5: error: Cue=gong: [Sound gong] is disabled (") == true)
    }

    @Test("A reload adopts what sounds do, but not other sounds, files or levels")
    func adopting() throws {
        func configuration(_ text: String) throws -> Configuration {
            try load("[Signal alarm]\nLine=A\nCue=gong\n[Sound gong]\nFile=/gong.wav\n" + text).configuration
        }
        let old = try configuration("")
        for text in ["Priority=40\nExpire=1s\nEffect=pause\nRepeat=yes", "[Signal phone-call]\nPriority=20\nCue=gong"] {
            let new = try configuration(text)
            #expect(new != old && old.adopting(new) == new, "\(text)")
        }
        for text in ["File=/other.wav", "Level=-6dB", "[Sound bell]\nFile=/bell.wav"] {
            let new = try configuration(text)
            #expect(old.adopting(new) != new, "\(text)")
        }
    }
}
