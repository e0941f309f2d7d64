import AudioSession
import Testing

/// Words that others read again.
@Suite struct SnapshotTests {
    private func reread(_ snapshot: Snapshot) -> Snapshot? {
        Snapshot(fields: Dictionary(snapshot.fields.map { ($0.key, $0.value) }) { first, _ in first })
    }

    @Test func whatIsWrittenIsReadAgain() throws {
        var scene = Scene()
        for event: Event in [
            .command(.volume(Scene.duckLevel)), .edge(Edge(Scene.alarm, asserted: true)),
            .fault(Fault(Scene.alarm, .stuck)), .edge(Edge(Scene.phone, asserted: true)), .mediaServicesLost,
            .command(.play),
        ] {
            let notifications = scene.handle(event)
            let snapshot = Snapshot(
                scene.session, track: "one.flac", position: .milliseconds(2500), notifications: notifications,
                answer: scene.answer)
            #expect(reread(snapshot) == snapshot, "\(event)")
        }
        let snapshot = Snapshot(Session(policy: Policy(signals: [])), track: nil, position: .zero)
        #expect(reread(snapshot) == snapshot)
    }

    @Test func everyFieldIsNeededThatIsNotNull() {
        let scene = Scene()
        let snapshot = Snapshot(scene.session, track: nil, position: .zero)
        let all = Dictionary(snapshot.fields.map { ($0.key, $0.value) }) { first, _ in first }
        // A session has neither sounds nor outputs nor a recorder: their fields are always empty.
        let constant = ["sound", "waiting", "outputs", "recording", "recorded"]
        for (key, value) in all where value != .nothing && !constant.contains(key) {
            var some = all
            some[key] = nil
            #expect(Snapshot(fields: some) == nil, "\(key)")
        }
        var plays = all
        plays["playing"] = .flag(true)
        plays["gain_db"] = .nothing
        #expect(Snapshot(fields: plays) == nil)
    }

    @Test(arguments: [
        SessionNotification.began(.default), .began(.builtInMicMuted), .began(.appWasSuspended), .ended([]),
        .ended(.shouldResume), .duckBegan(.mute), .duckChanged(Scene.duckLevel), .duckEnded, .mediaServicesWereLost,
        .mediaServicesWereReset, .configurationChanged, .routeChanged(.oldDeviceUnavailable),
    ])
    func aNotificationIsReadAsItIsWritten(notification: SessionNotification) {
        #expect(SessionNotification(notification.description) == notification)
    }

    @Test(arguments: [
        "", "began", "began()", "began(x)", "ended", "ended(x)", "duckBegan(3)", "duckEnded()", "began(default", "sing",
    ])
    func nothingElseIsOne(text: String) { #expect(SessionNotification(text) == nil) }

    @Test func faultsAndAnswersAreReadAsTheyAreWritten() {
        for kind in Fault.Kind.allCases {
            let fault = Fault("phone-call", kind)
            #expect(Fault(fault.description) == fault)
        }
        for text in ["stuck", ":stuck", "phone-call:", "phone-call:bored"] { #expect(Fault(text) == nil) }
        for answer in [Answer.success, .deferred, .noActionableNowPlayingItem, .commandFailed("")] {
            #expect(Answer(name: answer.name) == answer)
        }
        #expect(Answer(name: "perhaps") == nil)
    }

    @Test func commandsAreWordsOfScenarios() {
        #expect("\(Command.playPause)" == "playPause")
        #expect("\(Command.seek(to: .milliseconds(12_500), trackLength: .seconds(60)))" == "seek 12.5s")
        #expect("\(Command.volume(Scene.duckLevel))" == "volume -14dB")
        #expect("\(Command.volume(.mute))" == "volume mute")
    }
}
