import AudioSession
import Configuration
import Signals
import Testing

@Suite("Every key sets its value")
struct ConfigurationTests {
    @Test("The defaults are the three built-in signals, without a source")
    func builtIn() throws {
        let configuration = Configuration.builtIn
        let duck = try #require(Level(decibels: -14))
        #expect(configuration.session.signals.map(\.id) == ["phone-call", "alarm", "cover-closed"])
        #expect(configuration.session.signals.map(\.effect) == [.pause, .duck(duck), .pause])
        #expect(configuration.session == Policy(repeats: .playlist, signals: configuration.session.signals))
        #expect(
            configuration.lines == ["phone-call": LinePolicy(), "alarm": LinePolicy(), "cover-closed": LinePolicy()])
        #expect(configuration.sources == [:])
        #expect(configuration.buttons == [])
        #expect(configuration.playback == PlaybackSettings())
        #expect(configuration.state == StateSettings())
    }

    @Test("Every key of the session, playback and state sections")
    func session() throws {
        let configuration = try load(
            """
            [Session]
            Category=playAndRecord
            Mode=spokenAudio
            Options=overrideMutedMicrophoneInterruption
            PrefersNoInterruptionsFromSystemAlerts=yes
            PlaybackInterface=off
            ResumeAfterReset=0
            PauseOnRouteLoss=False
            ResumeDelay=2s
            [Playback]
            Device=hw:0
            Library=/
            AutoPlay=stopped
            Repeat=one
            Shuffle=on
            Volume=-6.5dB
            FadeOut=1ms
            FadeIn=2ms
            DuckAttack=3ms
            DuckRelease=4ms
            ResumeRewind=5s
            [State]
            Directory=/tmp
            Interval=10s
            """
        ).configuration
        let level = try #require(Level(decibels: -6.5))
        #expect(
            configuration.session
                == Policy(
                    category: .playAndRecord, mode: .spokenAudio, options: .overrideMutedMicrophoneInterruption,
                    prefersNoInterruptionsFromSystemAlerts: true, hasPlaybackInterface: false,
                    resumesAfterReset: false, pausesOnRouteLoss: false, resumeDelay: .seconds(2), repeats: .track,
                    autoPlay: false, volume: level, signals: Configuration.builtIn.session.signals))
        var playback = PlaybackSettings()
        playback.device = "hw:0"
        playback.library = "/"
        playback.shuffle = true
        playback.fadeOut = .milliseconds(1)
        playback.fadeIn = .milliseconds(2)
        playback.duckAttack = .milliseconds(3)
        playback.duckRelease = .milliseconds(4)
        playback.resumeRewind = .seconds(5)
        #expect(configuration.playback == playback)
        #expect(configuration.state.directory == "/tmp")
        #expect(configuration.state.interval == .seconds(10))
    }

    @Test("Every key of a signal; other signals follow the built-in ones")
    func signal() throws {
        let configuration = try load(
            """
            [Signal ignition]
            Line=IGNITION
            Effect=checkpoint
            [Signal phone-call]
            Chip=gpiochip0
            Offset=5
            Bias=pull-up
            ActiveLow=yes
            Debounce=10ms
            ReleaseDelay=1s
            ChatterLimit=10
            ChatterWindow=2s
            LostGrace=1min
            WhenLost=release
            Effect=duck
            DuckLevel=mute
            Resume=manual
            Alert=yes
            StuckAfter=1h
            WhenStuck=release
            [Signal alarm]
            Line=ALARM
            Chip=gpiochip1
            ResumeWithin=1min
            Priority=90
            Cue=siren
            [Sound siren]
            File=siren.wav
            """
        ).configuration
        #expect(configuration.session.signals.map(\.id) == ["phone-call", "alarm", "cover-closed", "ignition"])
        #expect(
            configuration.session.signals.first
                == SignalPolicy(
                    id: "phone-call", effect: .duck(.mute), resume: .manual, isAlert: true, whenStuck: .release))
        let duck = try #require(Level(decibels: -14))
        #expect(
            configuration.session.signals.dropFirst().first
                == SignalPolicy(
                    id: "alarm", effect: .duck(duck), resumeWithin: .seconds(60), priority: 90, cue: "siren"))
        var line = LinePolicy()
        line.isActiveLow = true
        line.debounce = .milliseconds(10)
        line.releaseDelay = .seconds(1)
        line.chatterLimit = 10
        line.chatterWindow = .seconds(2)
        line.lostGrace = .seconds(60)
        line.whenLost = .release
        line.stuckAfter = .seconds(3_600)
        #expect(configuration.lines["phone-call"] == line)
        #expect(configuration.lines.count == 4)
        #expect(
            configuration.sources == [
                "phone-call": .line(Wiring(line: .offset(5, chip: "gpiochip0"), bias: .pullUp)),
                "alarm": .line(Wiring(line: .named("ALARM", chip: "gpiochip1"))),
                "ignition": .line(Wiring(line: .named("IGNITION", chip: nil))),
            ])
    }

    @Test(
        "A button's command",
        arguments: [
            ("play", WrittenCommand.command(.play)), ("pause", .command(.pause)), ("playPause", .command(.playPause)),
            ("toggle", .command(.playPause)), ("stop", .command(.stop)), ("next", .command(.next)),
            ("previous", .command(.previous)), ("hush", .command(.hush)),
            ("announce gong", .command(.announce(Announcement("gong")))),
            ("volume +3dB", .changeVolume(decibels: 3)), ("volume -1.5 dB", .changeVolume(decibels: -1.5)),
            ("volume -10%", .changeAmplitude(percent: -10)), ("volume mute", .command(.volume(.mute))),
            ("seek +10s", .seek(by: .seconds(10))), ("seek 0:00", .command(.seek(to: .zero))),
        ])
    func button(text: String, command: WrittenCommand) throws {
        let gong = "[Sound gong]\nFile=gong.wav\n"
        let buttons = try load("\(gong)[Button b]\nLine=B\nCommand=\(text)\nActiveLow=yes").configuration.buttons
        var line = Button.defaultLine
        line.isActiveLow = true
        let wiring = Wiring(line: .named("B", chip: nil))
        #expect(buttons == [Button(name: "b", source: .line(wiring), linePolicy: line, command: command)])
        let written = try load("\(gong)[Button b]\nLine=B\nCommand=\(command)").configuration.buttons
        #expect(written.first?.command == command)
    }

    @Test("A relative library path starts at the file that sets it; a missing library is an error on that line")
    func library() throws {
        let folder = try TemporaryFolder()
        let file = try folder.write("etc/tacet.conf", "[Playback]\nLibrary=../music\n[State]\nDirectory=state")
        #expect(
            diagnostics(of: .file(file)).map(\.description) == [
                "\(file):2: error: Library=../music: \(folder.path)/etc/../music: No such file or directory (specify the folder with the music, or create it)"
            ])
        try folder.write("music/a.flac", "")
        let configuration = try Configuration.load(.file(file)).configuration
        #expect(configuration.playback.library == "\(folder.path)/etc/../music")
        #expect(configuration.state.directory == "\(folder.path)/etc/state")
    }

    @Test("The summary lists signals, buttons, sounds and playback")
    func summary() throws {
        let text = """
            [Signal phone-call]
            Line=PHONE
            Bias=pull-down
            ReleaseDelay=5s
            [Button louder]
            Chip=gpiochip0
            Offset=3
            ActiveLow=yes
            Command=volume +3dB
            [Signal door]
            Line=DOOR
            Effect=ignore
            Cue=bell
            Priority=60
            [Sound bell]
            File=/srv/bell.wav
            Effect=mix
            Repeat=yes
            Expire=infinity
            [Sound gong]
            File=/srv/gong.wav
            Level=-6dB
            """
        #expect(
            try load(text).configuration.summary == """
                signal phone-call    pauses, from PHONE (active high, bias pull-down), debounce 30ms, release delay 5s
                signal alarm         ducks to -14dB, without a line
                signal cover-closed  pauses, without a line
                signal door          is ignored, cue bell, priority 60, from DOOR (active high, bias as-is), debounce 30ms
                button louder        volume +3dB, from line 3 of gpiochip0 (active low, bias as-is), debounce 30ms
                sound bell           mixes, priority 30, never expires, repeats as a cue, from /srv/bell.wav
                sound gong           ducks to -14dB, priority 30, expires after 10s, from /srv/gong.wav at -6dB
                session              playback, mode default
                library              none
                device               default, volume 0dB
                fades                out 60ms, in 600ms
                ducking              down 120ms, up 800ms
                state                /var/lib/tacet, every 5s
                """)
    }
}
