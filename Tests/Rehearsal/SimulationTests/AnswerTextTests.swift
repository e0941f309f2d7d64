import AudioSession
import Configuration
import Simulation
import Testing

/// The answers to commands in words, as `tacet`, its monitor and rehearsals print them.
@Suite struct AnswerTextTests {
    private let policy = Policy(
        signals: [SignalPolicy(id: "call", effect: .pause), SignalPolicy(id: "alarm", effect: .pause)],
        sounds: [SoundPolicy(id: "gong", effect: .pause)], inputs: [InputPolicy(id: "airplay")])

    /// - Parameter events: What happens after a boot with three tracks.
    private func sentence(_ text: String, _ answer: Answer, after events: [Event] = [], tracks: Int = 3) throws
        -> String?
    {
        var session = Session(policy: policy)
        session.handle(.boot(Boot(saved: nil, trackCount: tracks)), at: .zero)
        for event in events { session.handle(event, at: .zero) }
        let snapshot = Snapshot(session, track: tracks > 0 ? "1.wav" : nil, position: .zero)
        return AnswerText(try WrittenCommand.parse(text), snapshot).sentence(answer)
    }

    @Test(arguments: ["next", "previous", "seek 1:30", "seek -10s"]) func liveInputCannotSkip(text: String) throws {
        #expect(
            try sentence(text, .noActionableNowPlayingItem, after: [.inputBegan("airplay")])
                == "Ignored: airplay plays live, and no player is connected to it.")
    }

    @Test(arguments: [
        ("play", "There is no music to play. Playback starts when there is some."),
        ("playPause", "There is no music to play. Playback starts when there is some."),
        ("pause", "Ignored: playback is stopped."), ("next", "Ignored: there is no music."),
        ("previous", "Ignored: there is no music."), ("seek 1:30", "Ignored: nothing is playing."),
        ("seek +10s", "Ignored: nothing is playing."), ("hush", "Ignored: there is no announcement to cancel."),
        ("stopRecording", "Ignored: nothing is being recorded."),
    ]) func ignoredCommandSaysWhy(text: String, sentence: String) throws {
        #expect(try self.sentence(text, .noActionableNowPlayingItem) == sentence)
    }

    @Test func queuedPlayNamesWhatItWaitsFor() throws {
        let call = Event.edge(Edge("call", asserted: true))
        let alarm = Event.edge(Edge("alarm", asserted: true))
        let gong = Event.command(.announce(Announcement("gong", id: 1)))
        #expect(try sentence("play", .deferred, after: [call]) == "Queued until call ends.")
        #expect(try sentence("play", .deferred, after: [call, alarm]) == "Queued until call and alarm end.")
        #expect(
            try sentence("play", .deferred, after: [.mediaServicesLost]) == "Queued until a sound device is available.")
        #expect(try sentence("play", .deferred, after: [gong]) == "Queued until the announcement gong ends.")
        #expect(try sentence("play", .deferred, tracks: 0) == "Queued until the library has been read.")
        #expect(try sentence("announce gong", .deferred, after: [gong]) == "Queued until the sound gong ends.")
        #expect(try sentence("announce gong", .deferred, after: [call]) == "Queued until call ends.")
        #expect(try sentence("record", .deferred, after: [call]) == "Queued until call ends.")
        #expect(try sentence("record", .deferred) == "Queued until nothing prevents recording.")
    }

    @Test func successNeedsNoSentenceAndAFailureHasItsReason() throws {
        #expect(try sentence("play", .success) == nil)
        #expect(try sentence("record", .commandFailed("no recorder")) == "The command failed: no recorder.")
        #expect(AnswerText(.command(.play), nil).sentence(.deferred) == "Queued.")
    }
}
