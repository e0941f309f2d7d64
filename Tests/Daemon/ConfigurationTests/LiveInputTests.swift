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
        #expect(
            configuration.inputs == [
                InputSettings(
                    InputPolicy(id: "radio", role: .automaticProgramme),
                    from: .alsa(device: "hw:CARD=Loopback,DEV=1", threshold: try #require(Level(decibels: -50))),
                    arrival: ArrivalPolicy(idle: .seconds(3), settle: .seconds(5))),
                InputSettings(
                    InputPolicy(id: "pa", role: .page),
                    from: .pipe(path: "/run/pa", LiveFormat(.float, StreamFormat(rate: 48_000, channels: 1)))),
            ])
        let signal = try #require(configuration.session.signals.last)
        #expect(signal.input == "pa" && signal.cue == "pa" && configuration.sources["page"] != nil)
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
            "[Input a]\nFrom=pipe:/a\nRole=page\n[Signal s]\nSource=input\nInput=a\nEffect=pause\nDebounce=1s",
            "is impossible because a page asserts the signal"
        ),
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
