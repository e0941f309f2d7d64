import AudioSession
import Configuration
import Testing

@testable import Appliance
@testable import Playback
@testable import Supervisor

/// The journal's entries about cues and announcements.
@Suite struct JournalFormatterSoundTests {
    private let alarm = SignalID("alarm")
    private var configuration = Configuration.builtIn
    private var session: Session
    private var formatter = JournalFormatter()
    private var time = Duration.zero

    init() {
        configuration.session.sounds = [
            SoundPolicy(id: "gong"), SoundPolicy(id: "siren", repeats: true), SoundPolicy(id: "notice", effect: .pause),
        ]
        configuration.session.signals[1].cue = "siren"
        configuration.session.signals[1].priority = 90
        configuration.sources = [alarm: .line(Wiring(line: .named("ALARM", chip: nil)))]
        session = Session(policy: configuration.session)
        session.handle(.boot(Boot(saved: nil, trackCount: 2)), at: .zero)
    }

    private var scene: StateSnapshot {
        StateSnapshot(
            session: session, configuration: configuration, track: "/srv/music/One.flac", position: .seconds(151))
    }

    /// Returns the entries of an event, a second after the last one.
    private mutating func take(
        _ cause: Cause, after pause: Duration = .seconds(1), file: AnnouncedFile? = nil
    ) -> [JournalEntry] {
        time += pause
        let before = ActiveSignals(session)
        var report = Report(time: time, cause: cause)
        report.file = file
        for action in cause.event.map({ session.handle($0, at: time) }) ?? [] {
            switch action {
            case .post(let notification): report.notifications.append(notification)
            case .answer(let answer): report.answer = answer
            default: break
            }
        }
        let after = ActiveSignals(session)
        (report.over, report.begun) = (before.subtracting(after), after.subtracting(before))
        return formatter.entries(for: report, in: scene)
    }

    private func announce(_ sound: SoundID, id: Announcement.ID, expire: Announcement.Expire = .asConfigured)
        -> Cause
    {
        .event(.command(.announce(Announcement(sound, id: id, expire: expire))))
    }

    private func turn(_ signal: SignalID, _ isAsserted: Bool) -> Cause {
        .event(.edge(Edge(signal, asserted: isAsserted)))
    }

    @Test mutating func announcementIsLoggedWithItsNumberFromRequestToEnd() throws {
        let begun = take(announce("gong", id: 7))
        #expect(begun.map(\.event) == [.command, .soundBegan])
        #expect(begun[0][.sound] == ["gong"] && begun[0][.announcement] == ["7"] && begun[0][.answer] == ["success"])
        #expect(begun[1].message == "The announcement gong begins. Tacet plays ‘One.flac’ at 2:31.")
        #expect(begun[1][.sound] == ["gong"] && begun[1][.announcement] == ["7"] && begun[1][.signal] == [])
        #expect(begun[1][.playing] == ["yes"] && begun[1][.outcome] == ["plays ‘One.flac’ at 2:31"])
        #expect(begun[1][.level] == ["-14"])
        let ended = take(.event(.soundEnded, .sound("gong")))
        #expect(ended.map(\.event) == [.soundEnded] && ended[0][.announcement] == ["7"])
        #expect(ended[0].message == "The announcement gong was played to its end. Tacet plays ‘One.flac’ at 2:31.")
    }

    @Test mutating func rejectedAnnouncementHasNoNumber() {
        let rejected = take(announce("gnog", id: 8))
        #expect(rejected.map(\.event) == [.command] && rejected[0][.answer] == ["noSuchContent"])
        #expect(rejected[0][.sound] == ["gnog"] && rejected[0][.announcement] == [])
    }

    @Test mutating func announcementsFileIsNamedAndSoIsWhatIsWrongWithIt() {
        let accepted = take(announce("gong", id: 1), file: AnnouncedFile("/srv/one.opus"))[0]
        #expect(accepted[.file] == ["/srv/one.opus"] && accepted[.reason] == [])
        var report = Report(time: time, cause: .event(.command(.announce(Announcement("gong")))))
        report.answer = .noSuchContent
        report.file = AnnouncedFile("/srv/two.opus", problem: "cannot open it")
        let rejected = formatter.entries(for: report, in: scene)[0]
        #expect(rejected.message.hasPrefix("announce gong: noSuchContent (cannot open it). Tacet "))
        #expect(rejected[.file] == ["/srv/two.opus"] && rejected[.reason] == ["cannot open it"])
        #expect(rejected[.answer] == ["noSuchContent"] && rejected[.announcement] == [])
    }

    /// Only a cue is replaced by a tone.
    @Test mutating func announcementWithItsOwnFileIsNotReplacedByATone() {
        _ = take(.event(.soundReadable("gong", false), .unreadable(reason: "no such file")))
        let own = Announcement("gong", id: 1, hasOwnContent: true)
        let begun = take(.event(.command(.announce(own))), file: AnnouncedFile("/srv/one.opus")).last
        #expect(begun?.message.hasPrefix("The announcement gong begins. ") == true)
    }

    @Test mutating func pausingAnnouncementSaysWhyItIsQuiet() {
        let begun = take(announce("notice", id: 1)).last
        #expect(begun?[.outcome] == ["quiet because the announcement notice is playing"])
        #expect(begun?[.playing] == ["no"] && begun?[.level] == [])
    }

    @Test mutating func cutAnnouncementSaysWhetherItStartsAgain() {
        _ = take(announce("gong", id: 1))
        let interrupted = take(turn("phone-call", true))
        #expect(interrupted.map(\.event) == [.soundCut, .interruptionBegan])
        #expect(interrupted[0][.outcome] == ["starts again when it can be played"])
        _ = take(turn("phone-call", false))
        let hushed = take(.event(.command(.hush)))
        #expect(hushed.map(\.event) == [.command, .soundCut])
        #expect(hushed[1].message == "The announcement gong was cut off and is not played again.")
        #expect(hushed[1][.outcome] == ["is not played again"])
    }

    /// The announcement's file is damaged.
    @Test mutating func announcementThatBreaksOffWasNotHeardInFull() {
        _ = take(announce("gong", id: 1))
        let broken = take(.event(.soundBroken, .sound("gong")))
        #expect(broken.map(\.event) == [.soundCut, .soundExpired])
        #expect(broken[0].message == "The announcement gong was not played in full and is not played again.")
    }

    @Test mutating func announcementThatExpiresWaitingIsLogged() {
        _ = take(turn("phone-call", true))
        let waits = take(announce("gong", id: 3, expire: .after(.seconds(1))))
        #expect(waits.map(\.event) == [.command] && waits[0][.answer] == ["deferred"])
        let expired = take(.event(.announcementExpired, .sound("gong")), after: .seconds(2))
        #expect(expired.map(\.event) == [.soundExpired] && expired[0][.announcement] == ["3"])
        #expect(
            expired[0].message.hasPrefix("The announcement gong has expired and is not played. Tacet is quiet because"))
    }

    /// The entry of the duck and the entry of the signal do not replace each other.
    @Test mutating func cueIsLoggedWithItsSignal() {
        let begun = take(turn(alarm, true))
        #expect(begun.map(\.event) == [.duckBegan, .soundBegan])
        #expect(begun[1][.signal] == ["alarm"] && begun[1][.sound] == ["siren"] && begun[1][.announcement] == [])
        #expect(begun[1].message == "The cue siren of alarm (ALARM) begins. Tacet plays ‘One.flac’ at 2:31.")
        let over = take(turn(alarm, false))
        #expect(over.map(\.event) == [.soundCut, .duckEnded])
        #expect(over[0][.signal] == ["alarm"] && over[0][.outcome] == ["is not played again"])
    }

    /// Otherwise, the history of the signal would lack the edges.
    @Test mutating func edgeOfASignalWithOnlyACueKeepsItsOwnEntry() {
        configuration.session.signals[1].effect = .ignore
        session = Session(policy: configuration.session)
        session.handle(.boot(Boot(saved: nil, trackCount: 2)), at: .zero)
        #expect(take(turn(alarm, true)).map(\.event) == [.signal, .soundBegan])
        #expect(take(turn(alarm, false)).map(\.event) == [.signal, .soundCut])
    }

    // MARK: Latency

    private func heard(_ given: Duration, _ heard: Duration) -> Cause {
        .note(.playback(.soundHeard(order: 1, CommandEffect(given: given, heard: heard, frame: 0))))
    }

    @Test mutating func latencyOfACueIsMeasuredFromTheEdge() {
        formatter.turned(alarm, toAssert: true, at: .milliseconds(970), debounce: .zero)
        _ = take(turn(alarm, true))
        let entries = take(heard(.seconds(1), .milliseconds(1150)))
        #expect(entries.map(\.event) == [.soundHeard])
        #expect(entries[0].message == "The cue siren of alarm (ALARM) began to play after 180 ms.")
        #expect(entries[0][.latency] == ["180000"] && entries[0][.signal] == ["alarm"])
        // The latency is logged once, because a cue that starts again after a loss of the device has no edge.
        #expect(take(heard(.seconds(1), .seconds(2))).isEmpty)
    }

    @Test mutating func soundsWithoutAnEdgeHaveNoLatency() {
        _ = take(announce("gong", id: 1))
        #expect(take(heard(.seconds(1), .milliseconds(1150))).isEmpty)
        _ = take(.event(.soundEnded, .sound("gong")))
        // An announcement is ordered before the cue and played late. Its order must not be taken for the cue's.
        _ = take(turn(alarm, true))
        #expect(take(heard(.seconds(1), .milliseconds(4150))).isEmpty)
        #expect(take(heard(.seconds(4), .milliseconds(4200))).map(\.event) == [.soundHeard])
    }

    @Test mutating func cueThatWaitedForAnotherSoundHasNoLatency() {
        configuration.session.signals[2].cue = "gong"
        configuration.session.signals[2].effect = .ignore
        session = Session(policy: configuration.session)
        session.handle(.boot(Boot(saved: nil, trackCount: 2)), at: .zero)
        _ = take(turn(alarm, true))
        #expect(take(turn("cover-closed", true)).map(\.event) == [.signal])
        #expect(take(turn(alarm, false)).map(\.event) == [.soundCut, .duckEnded, .soundBegan])
        #expect(take(heard(.seconds(3), .milliseconds(3020))).isEmpty)
    }

    // MARK: Faults

    @Test mutating func unreadableSoundIsAFaultUntilItCanBeRead() {
        let tone = take(
            .event(
                .soundReadable("siren", false), .unreadable(reason: "cannot open siren.wav: No such file or directory"))
        )
        #expect(tone.map(\.event) == [.fault] && tone[0].priority == .warning)
        #expect(
            tone[0].message == "The file of the sound siren cannot be read (cannot open siren.wav: No such file or "
                + "directory), so a built-in tone is played instead.")
        #expect(tone[0][.sound] == ["siren"] && tone[0][.fault] == ["sound"] && tone[0][.signal] == [])
        #expect(tone[0][.reason] == ["cannot open siren.wav: No such file or directory"])
        #expect(
            take(turn(alarm, true)).last?.message
                == "The cue siren of alarm (ALARM) begins as a built-in tone. Tacet plays ‘One.flac’ at 2:31.")
        let cleared = take(.event(.soundReadable("siren", true))).first { $0.event == .faultCleared }
        #expect(cleared?.message == "The file of the sound siren can be read again.")
        #expect(cleared?[.sound] == ["siren"] && cleared?[.fault] == ["sound"])
        // No signal uses this sound as its cue.
        #expect(
            take(.event(.soundReadable("gong", false), .unreadable(reason: "it is empty"))).first?[.outcome]
                == ["announcements of it are rejected"])
        #expect(
            take(.event(.cleared(Fault(sound: "gong")))).first?.message
                == "The file of the sound gong is no longer used.")
    }

    @Test mutating func soundThatBreaksInTheMiddleIsAWarning() {
        let entries = take(.note(.soundBroken("siren", reason: "Input/output error")))
        #expect(entries.map(\.event) == [.soundBroken] && entries[0].priority == .warning)
        #expect(entries[0][.sound] == ["siren"] && entries[0][.reason] == ["Input/output error"])
        let part = take(.note(.soundBroken("siren", reason: "a frame is damaged", isPlayed: true)))
        #expect(part.map(\.event) == [.soundBroken] && part[0][.outcome] == ["a part of it is silent"])
    }

    // MARK: Floods

    /// A program requests and withdraws announcements without end.
    @Test mutating func thousandAnnouncementsInASecondDoNotFloodTheJournal() {
        var written: [JournalEntry] = []
        for number in 1...1000 {
            written += take(announce("gong", id: UInt64(number)), after: .microseconds(500))
            written += take(.event(.command(.hush)), after: .microseconds(500))
        }
        let counts = Dictionary(grouping: written, by: \.event).mapValues(\.count)
        #expect(counts == [.command: 100, .soundBegan: 30, .soundCut: 30], "\(counts)")
        // An alarm's cue has its own limit.
        #expect(take(turn(alarm, true), after: .zero).map(\.event) == [.duckBegan, .soundBegan])
    }

    /// A gap in a sound is audible, whatever the music does.
    @Test mutating func underrunWhileASoundIsHeardOverSilenceIsLogged() {
        _ = take(.event(.command(.pause)))
        #expect(take(.note(.playback(.underrun(queue: .zero)))).isEmpty)
        _ = take(announce("gong", id: 1))
        #expect(take(.note(.playback(.underrun(queue: .zero)))).map(\.event) == [.underrun])
    }
}
