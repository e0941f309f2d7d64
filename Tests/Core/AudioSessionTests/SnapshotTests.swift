import AudioSession
import Testing
import Vocabulary

/// Text and fields that other programs parse.
@Suite struct SnapshotTests {
    private func reread(_ snapshot: Snapshot) -> Snapshot? {
        Snapshot(fields: Dictionary(snapshot.busFields.map { ($0.key, $0.value) }) { first, _ in first })
    }

    @Test func snapshotSurvivesARoundTripThroughItsFields() throws {
        var fixture = Fixture()
        for event: Event in [
            .command(.volume(Fixture.duckLevel)), .edge(Edge(Fixture.alarm, asserted: true)),
            .fault(Fault(Fixture.alarm, .stuck)), .edge(Edge(Fixture.phone, asserted: true)), .mediaServicesLost,
            .command(.play),
        ] {
            let notifications = fixture.handle(event)
            let snapshot = Snapshot(
                fixture.session, track: "one.flac", position: .milliseconds(2500), notifications: notifications,
                answer: fixture.answer)
            #expect(reread(snapshot) == snapshot, "\(event)")
        }
        let snapshot = Snapshot(Session(policy: Policy(signals: [])), track: nil, position: .zero)
        #expect(reread(snapshot) == snapshot)
    }

    /// A trace contains only names.
    @Test func busHasNumbersOfAnnouncementsAndCausesOfCuts() throws {
        var session = Session(policy: Policy(signals: [], sounds: [SoundPolicy(id: "gong"), SoundPolicy(id: "stop")]))
        session.handle(.boot(Boot(saved: nil, trackCount: 1)), at: .zero)
        func posted(_ event: Event) -> [SessionNotification] {
            session.handle(event, at: .seconds(1)).compactMap { if case .post(let posted) = $0 { posted } else { nil } }
        }
        _ = posted(.command(.announce(Announcement("stop", id: 1, priority: 10))))
        let notifications = posted(.command(.announce(Announcement("gong", id: 2))))
        #expect(notifications == [.soundCut("stop", id: 1, because: .displaced), .soundBegan("gong", id: 2)])
        var snapshot = Snapshot(session, track: nil, position: .zero, notifications: [.duckEnded] + notifications)
        #expect(snapshot.announcement == 2)
        #expect(reread(snapshot) == snapshot)
        // Another version may send fewer numbers, or none.
        var fields = Dictionary(snapshot.busFields.map { ($0.key, $0.value) }) { first, _ in first }
        for numbers in [Snapshot.Value.texts([]), .texts(["x"]), .nothing] {
            fields[.soundIDs] = numbers
            snapshot.notifications = [.duckEnded, .soundCut("stop", because: .displaced), .soundBegan("gong")]
            #expect(Snapshot(fields: fields) == snapshot)
        }
        for causes in [Snapshot.Value.texts([]), .texts(["x"]), .nothing] {
            fields[.cutCauses] = causes
            snapshot.notifications = [.duckEnded, .soundCut("stop", because: .unknown), .soundBegan("gong")]
            #expect(Snapshot(fields: fields) == snapshot)
        }
    }

    @Test func everyFieldThatIsNotNullIsRequired() {
        let fixture = Fixture()
        let snapshot = Snapshot(fixture.session, track: nil, position: .zero)
        let all = Dictionary(snapshot.fields.map { ($0.key, $0.value) }) { first, _ in first }
        // A session has neither sounds nor outputs nor a recorder, nor inputs nor players, so their fields are constant.
        let constant: [TraceKey] = [.sound, .waiting, .outputs, .recording, .recorded, .source, .players]
        for (key, value) in all where value != .nothing && !constant.contains(key) {
            var some = all
            some[key] = nil
            #expect(Snapshot(fields: some) == nil, "\(key)")
        }
        var plays = all
        plays[.playing] = .flag(true)
        plays[.gain] = .nothing
        #expect(Snapshot(fields: plays) == nil)
    }

    @Test(arguments: [
        SessionNotification.began(.default), .began(.builtInMicMuted), .began(.appWasSuspended), .ended([]),
        .ended(.shouldResume), .duckBegan(.mute), .duckChanged(Fixture.duckLevel), .duckEnded, .mediaServicesWereLost,
        .mediaServicesWereReset, .configurationChanged, .routeChanged(.oldDeviceUnavailable),
    ])
    func notificationIsParsedFromItsDescription(notification: SessionNotification) {
        #expect(SessionNotification(notification.description) == notification)
    }

    @Test(arguments: [
        "", "began", "began()", "began(x)", "ended", "ended(x)", "duckBegan(3)", "duckEnded()", "began(default", "sing",
    ])
    func otherTextIsNotANotification(text: String) { #expect(SessionNotification(text) == nil) }

    @Test func faultsAndAnswersAreParsedFromTheirText() {
        let kinds = [Fault.Kind.chatter, .lost, .stuck, .wire]
        let faults = ["phone-call", "capture"].flatMap { name in kinds.map { Fault(SignalID(name), $0) } }
        let others = [Fault(sound: "gong"), .capture, Fault(playback: .muted), Fault(playback: .quiet)]
        for fault in faults + others { #expect(Fault(fault.description) == fault) }
        for text in ["stuck", ":stuck", "phone-call:", "phone-call:bored", "phone-call:muted"] {
            #expect(Fault(text) == nil)
        }
        for answer in [Answer.success, .deferred, .noActionableNowPlayingItem, .commandFailed("")] {
            #expect(Answer(name: answer.name) == answer)
        }
        #expect(Answer(name: "perhaps") == nil)
    }

    @Test func commandsAreWrittenAsInScenarios() {
        #expect("\(Command.playPause)" == "playPause")
        #expect("\(Command.seek(to: .milliseconds(12_500), trackLength: .seconds(60)))" == "seek 12.5s")
        #expect("\(Command.volume(Fixture.duckLevel))" == "volume -14dB")
        #expect("\(Command.volume(.mute))" == "volume mute")
    }
}
