import ALSA
import AudioSession
import Signals
import Testing

@testable import Configuration

/// The sections `[Input NAME]` and `[Player NAME]`.
@Suite struct LiveInputTests {
    private func mistakes(_ text: String) throws -> [String] {
        try diagnose(text).filter { $0.contains(": error: ") }
    }

    @Test func readsInputsAndPlayers() throws {
        let configuration = try load(
            """
            [Input radio]
            From=alsa:hw:CARD=Loopback,DEV=1
            Automatic=yes
            SettleTime=5s
            Threshold=-50dB
            Idle=3s
            [Input pa]
            From=pipe:/run/pa
            Format=f32le:48000:1
            Role=page
            [Signal page]
            Source=input
            Input=pa
            Cue=input
            Effect=pause
            """
        ).configuration
        let threshold = try #require(Level(decibels: -50))
        #expect(
            configuration.inputs == [
                InputSettings(
                    InputPolicy(id: "radio", role: .automaticProgramme),
                    from: .alsa(device: "hw:CARD=Loopback,DEV=1", threshold: threshold),
                    arrival: ArrivalPolicy(idle: .seconds(3), settle: .seconds(5))),
                InputSettings(
                    InputPolicy(id: "pa", role: .page),
                    from: .pipe(path: "/run/pa", LiveFormat(.float, StreamFormat(rate: 48_000, channels: 1)))),
            ])
        let signal = try #require(configuration.session.signals.last)
        #expect(signal.input == "pa" && signal.cue == "pa" && configuration.sources["page"] != nil)
    }

    @Test func streamIsAutomaticUnlessItSaysOtherwise() throws {
        let configuration = try load(
            """
            [Input radio]
            From=stream:https://user:secret@radio.example/live.mp3
            [Input other]
            From=stream:http://radio.example
            Automatic=no
            """
        ).configuration
        #expect(configuration.inputs.map(\.policy.role) == [.automaticProgramme, .programme])
        guard case .stream(let url) = configuration.inputs[0].origin else { return #expect(Bool(false)) }
        #expect(url.text == "https://user:secret@radio.example/live.mp3")
        #expect(url.shown == "https://radio.example/live.mp3")
    }

    @Test(arguments: [
        ("ftp://radio.example/", "begins with neither http:// nor https://"), ("radio.example", "begins with neither"),
        ("http://", "has no valid host"), ("http:///live", "has no valid host"), ("http://a@/x", "has no valid host"),
        ("http://[::1", "has a port"), ("http://[::1]x/", "has no valid host"),
        ("http://a:0/", "has a port"), ("http://a:99999/", "has a port"), ("https://user:pass@a:x/", "has a port"),
        ("http://a/b c", "contains a blank"), ("http://a/ü", "contains a blank"),
        ("http://a/" + String(repeating: "x", count: 2000), "is longer than 2000 bytes"),
    ])
    func urlThatCannotBeOpenedIsAMistakeThatDoesNotShowIt(url: String, words: String) throws {
        let mistakes = try mistakes("[Input a]\nFrom=stream:\(url)")
        #expect(mistakes.count == 1 && mistakes[0].contains(words), "\(mistakes)")
        #expect(mistakes[0].hasPrefix("2:") && !mistakes[0].contains("pass"), "\(mistakes)")
    }

    @Test(arguments: [
        ("HTTP://User:p@ss@Host:80/a?b#c", "http://Host:80/a"), ("https://[::1]:8/x", "https://[::1]:8/x"),
        ("http://host?secret", "http://host"),
    ])
    func shownURLContainsNoSecret(url: String, shown: String) throws {
        #expect(try StreamURL(url).shown == shown)
    }

    @Test func formatOfAStreamIsIgnored() throws {
        let warnings = try diagnose("[Input a]\nFrom=stream:http://a/\nFormat=s16le:44100:2")
        #expect(
            warnings.contains { $0.contains("Format= in [Input a] is ignored because a stream has its own format") })
    }

    @Test(arguments: [
        ("[Input library]\nFrom=pipe:/a", "has the name of the library"),
        ("[Input a]", "does not specify where its audio comes from"),
        ("[Input a]\nFrom=pipe:relative", "has a path that is not absolute"),
        ("[Input a]\nFrom=ftp://x", "is not the origin of audio"),
        ("[Input a]\nFrom=pipe:/a\nFormat=s16le:1:2", "is not a sample format"),
        ("[Input a]\nFrom=pipe:/a\nFormat=s16le:44100:99999999999999999999", "is not a sample format"),
        ("[Input a]\nFrom=pipe:/a\nPlayer=vlc", "there is no player ‘vlc’"),
        ("[Player vlc]", "names no program"),
        ("[Signal s]\nSource=input\nEffect=pause", "has no Input="),
        ("[Signal s]\nSource=input\nInput=a\nEffect=pause", "there is no input ‘a’"),
        ("[Input a]\nFrom=pipe:/a\n[Signal s]\nSource=input\nInput=a\nEffect=pause", "is not a page"),
        ("[Signal s]\nSource=bus\nCue=input\nEffect=pause", "needs a page"),
        (
            "[Player vlc]\nBus=vlc\n[Input a]\nFrom=pipe:/a\nPlayer=vlc\n[Input b]\nFrom=pipe:/b\nPlayer=vlc",
            "it already plays into [Input a]"
        ),
    ])
    func mistakeIsAnError(text: String, words: String) throws {
        let found = try mistakes(text)
        #expect(found.contains { $0.contains(words) }, "\(found)")
    }

    @Test func pageThatNoSignalUsesIsAWarning() throws {
        let found = try diagnose("[Input a]\nFrom=pipe:/a\nRole=page")
        #expect(found.contains { $0.contains("is a page that no signal uses") })
    }

    @Test(arguments: ["[Input a]\nFrom=alsa:hw:0", "[Input a]\nFrom=pipe:/a\n[Player a]\nBus=vlc"])
    func daemonReadsPipesAndDevices(text: String) throws {
        #expect(try diagnose(text) == [])
    }

    @Test func daemonReadsPages() throws {
        let found = try diagnose(
            "[Input a]\nFrom=pipe:/a\nRole=page\n[Signal s]\nSource=input\nInput=a\nCue=input\nEffect=duck")
        #expect(found == [])
    }
}
