import AudioSession
import Configuration
import Glibc
import Playback
import Testing
import Vocabulary

@testable import Appliance
@testable import Systemd

/// The interface `org.tacet.Session1`, on which other programs rely.
@Suite struct SessionInterfaceTests {
    private final class Desk: Remote {
        func setModes(repeats: Policy.Repeat?, shuffle: Bool?) {}
        var requests: [ChoiceRequest] = []
        func listTracks(matching text: String, from first: Int, then: @escaping (Library.Names?, Duration) -> Void) {
            then(text == "busy" ? nil : Library.Names(names: ["\(text) \(first)"], count: 7), .milliseconds(5))
        }
        func choose(_ request: ChoiceRequest, then: @escaping (Answer) -> Void) {
            requests.append(request)
            then(.deferred)
        }
        var view: RemoteView?
        var commands: [Command] = []
        var announcements: [Announcement] = []
        var receipt: (answer: Answer, id: Announcement.ID) = (.success, 7)

        func command(_ command: Command) -> Answer {
            commands.append(command)
            return .success
        }

        var files: [String?] = []
        var fileLevels: [Level?] = []
        /// True if a file takes time to read, so that the test concludes the announcement.
        var isSlow = false
        var then: ((Answer, Announcement.ID) -> Void)?

        func announce(
            _ announcement: Announcement, file: String?, level: Level,
            then: @escaping (Answer, Announcement.ID) -> Void
        ) {
            announcements.append(announcement)
            files.append(file)
            fileLevels.append(level)
            if isSlow { self.then = then } else { then(receipt.answer, receipt.id) }
        }

        var preferences: [Bool] = []

        func setPrefersNoInterruptionsFromSystemAlerts(_ isPreferred: Bool) throws(BusError) {
            guard view != nil else { throw .failed("applying another configuration") }
            preferences.append(isPreferred)
        }

        var reports: [String] = []

        func report(_ player: PlayerID, _ report: PlayerReport, isOwn: Bool, after order: UInt64) throws(BusError) {
            reports.append("\(player) \(report) \(isOwn) \(order)")
        }

        func report(_ player: PlayerID, problem: String) throws(BusError) { reports.append("\(player) \(problem)") }

        func report(
            _ input: InputID, title: String, artist: String, problem: String
        ) throws(BusError) -> (url: String, pipe: String) {
            reports.append("\(input) \(title) \(artist) \(problem)")
            return ("https://user:secret@radio.example/", "/run/tacet/inputs/\(input)")
        }

        func lastOrder(to player: PlayerID) -> UInt64 { 7 }

        var levels: [String] = []

        func set(_ signal: SignalID, asserted: Bool, lease: ProgramLevels.Lease?) throws(BusError) -> Answer {
            try view?.scene.configuration.checkIsFromBus(signal)
            levels.append("\(signal) \(asserted) \(lease.map { "\($0)" } ?? "-")")
            return .success
        }
    }

    private let desk = Desk()

    private func show(_ events: [Event], _ change: (inout Configuration) -> Void = { _ in }) {
        var configuration = Configuration.builtIn
        change(&configuration)
        let scene = StateSnapshot(after: events, configuration)
        desk.view = RemoteView(
            context: ExplanationContext(scene: scene), lastCheckpoint: .milliseconds(1500))
    }

    private func call(_ method: String, _ arguments: BusValue...) throws -> [BusValue] {
        try BusObject("/org/mpris/MediaPlayer2", [.session(desk)]).answer(
            method, of: SessionAddress.session, arguments)
    }

    @Test func setsThePreferenceThatAlertsDoNotInterrupt() throws {
        let method = "SetPrefersNoInterruptionsFromSystemAlerts"
        #expect(throws: BusError.self) { try call(method, .bool(true)) }
        show([])
        #expect(try call(method, .bool(true)) == [] && call(method, .bool(false)) == [])
        #expect(desk.preferences == [true, false])
        #expect(throws: BusError.self) { try call(method, .string("yes")) }
    }

    @Test func setSignalTakesALeaseAndRejectsOtherSignals() throws {
        show([]) {
            $0.sources = ["alarm": .bus(lease: nil), "phone-call": .line(Wiring(line: .named("CALL", chip: nil)))]
        }
        #expect(try call("SetSignal", .string("alarm"), .bool(true), .uint64(0)) == [.string("success")])
        for (asserted, lease) in [(true, UInt64.max), (true, 2_000_000), (false, 0), (false, 5), (true, .max - 1)] {
            _ = try call("SetSignal", .string("alarm"), .bool(asserted), .uint64(lease))
        }
        #expect(
            desk.levels == [
                "alarm true asConfigured", "alarm true infinite", "alarm true time(2.0 seconds)", "alarm false -",
                "alarm false time(5e-06 seconds)", "alarm true infinite",
            ])
        for (name, words) in [
            ("phone-call", "comes from CALL: only a signal with Source=bus can be asserted"),
            ("cover-closed", "has no source: write Source=bus in its section"),
            ("alrm", "there is no signal ‘alrm’: did you mean ‘alarm’?"),
            ("", "there is no signal ‘’: those with Source=bus are alarm"),
            (String(repeating: "x", count: 1000), "there is no signal ‘of this name’"),
        ] {
            #expect {
                try call("SetSignal", .string(name), .bool(true), .uint64(0))
            } throws: {
                ($0 as? BusError)?.message.contains(words) == true
            }
        }
        #expect(throws: BusError.self) { try call("SetSignal", .string("alarm"), .bool(true)) }
    }

    private func get(_ name: String) throws -> BusValue {
        let object = BusObject("/org/mpris/MediaPlayer2", [.session(desk)])
        guard
            case .variant(let value)? = try object.answer(
                "Get", of: "org.freedesktop.DBus.Properties", [.string(SessionAddress.session), .string(name)]
            ).first
        else { throw BusError.unknownProperty(name) }
        return value
    }

    @Test func membersMatchTheDocumentedInterface() throws {
        let interface = BusInterface.session(desk)
        // The interface contains everything that the vocabulary declares and tacetd(8) therefore documents.
        #expect(interface.methods.map(\.name) == SessionMethod.allCases.map(\.rawValue))
        #expect(interface.properties.map(\.name) == SessionProperty.allCases.map(\.rawValue))
        #expect(
            Dictionary(uniqueKeysWithValues: interface.properties.map { ($0.name, $0.signature) }) == [
                "Interrupted": "b", "Reasons": "as", "Signals": "a(ssb)", "SignalStates": "a(ss)", "Health": "as",
                "Gain": "d", "Status": "s", "Device": "s", "DeviceAvailable": "b", "RewindMargin": "t",
                "LastCheckpoint": "t",
                "Lines": "a(ssub)", "PolledLines": "a(sus)", "RepairedEdges": "t", "Scene": "a{sv}", "Why": "s",
                "Sound": "s", "Sounds": "a(sdbss)",
                "Outputs": "a(ssb)", "Route": "s", "Version": "s",
                "Recording": "b", "RecordingFile": "s", "MicrophoneMuted": "b",
                "Inputs": "a(ssssd)", "Players": "a{s(sssbt)}",
            ])
        #expect(
            interface.properties.filter { $0.change == .noSignal }.map(\.name) == [
                "LastCheckpoint", "Lines", "PolledLines", "RepairedEdges", "Inputs", "Scene", "Why",
            ])
        #expect(
            Dictionary(
                uniqueKeysWithValues: interface.methods.map {
                    ($0.name, "\($0.inputs.map(\.signature).joined()) → \($0.outputs.map(\.signature).joined())")
                }) == [
                    "Command": "s → ss", "Announce": "sa{sv} → st", "SetSignal": "sbt → s", "Hush": " → s",
                    "Tracks": "su → asu",
                    "SetPrefersNoInterruptionsFromSystemAlerts": "b → ", "ReportPlayer": "ssbt → ",
                    "ReportPlayerProblem": "ss → ",
                    "ReportInput": "ssss → ss",
                ])
        // Values have the declared types, even without an installation during a reload.
        for property in interface.properties { #expect(try get(property.name).signature == property.signature) }
        show([])
        for property in interface.properties { #expect(try get(property.name).signature == property.signature) }
    }

    @Test func outputsHaveTheirMeaningAndLevel() throws {
        show([.boot(Boot(saved: nil, trackCount: 1))]) {
            $0.outputs = [
                Output(OutputPolicy(id: "amp", meaning: .amplifier(lead: .zero, lag: .zero))),
                Output(OutputPolicy(id: "lamp", meaning: .follows(.interrupted))),
            ]
        }
        desk.view?.context.scene.outputs = ["amp"]
        let outputs = [("amp", "amplifier", true), ("lamp", "interrupted", false)].map { name, meaning, isAsserted in
            BusValue.structure([.string(name), .string(meaning), .bool(isAsserted)])
        }
        #expect(try get("Outputs") == .array(of: "(ssb)", outputs))
    }

    @Test func recordingIsPublishedWithItsFileAndMute() throws {
        #expect(try get("Recording") == .bool(false) && get("RecordingFile") == .string(""))
        let record = Event.command(.record)
        let cover = Event.edge(Edge("cover-closed", asserted: true))
        func mute(_ configuration: inout Configuration) {
            configuration.addRecorder()
            configuration.session.signals[2].effect = .muteMicrophone
        }
        show([record]) { $0.addRecorder() }
        desk.view?.context.scene.recordingFile = "/srv/r/1.flac"
        #expect(try get("Recording") == .bool(true) && get("RecordingFile") == .string("/srv/r/1.flac"))
        #expect(try get("MicrophoneMuted") == .bool(false))
        show([record, cover], mute)
        #expect(try get("Recording") == .bool(false) && get("MicrophoneMuted") == .bool(true))
        show([record, cover]) {
            mute(&$0)
            $0.session.options = .overrideMutedMicrophoneInterruption
        }
        #expect(try get("Recording") == .bool(true) && get("MicrophoneMuted") == .bool(true))
        show([record, .captureLost]) { $0.addRecorder() }
        #expect(try get("Recording") == .bool(false))
        #expect(try get("Health") == .strings(["the capture device is lost"]))
    }

    @Test func recordIsACommand() throws {
        for (text, command) in [("record", Command.record), ("stopRecording", .stopRecording)] {
            #expect(try call("Command", .string(text)) == [.string("success"), .string("")])
            #expect(desk.commands.last == command)
        }
    }

    @Test func relativeCommandStartsFromThePresentPositionAndVolume() throws {
        let volume = try #require(Level(decibels: -6))
        show([.command(.volume(volume))])
        desk.view?.context.scene.position = .seconds(30)
        desk.view?.length = .seconds(60)
        for text in ["seek +10s", "seek -1:00", "seek +31s", "volume +3dB", "volume -100%", "seek 1:00"] {
            #expect(try call("Command", .string(text)) == [.string("success"), .string("")])
        }
        let louder = try #require(Level(decibels: -3))
        #expect(
            desk.commands == [
                .seek(to: .seconds(40)), .seek(to: .zero), .next, .volume(louder), .volume(.mute),
                .seek(to: .seconds(60)),
            ])
    }

    @Test(arguments: [
        ("sing", "‘sing’ is not a command: write play, pause"), ("seek 1:75", "‘1:75’ is not a position: write 1:30"),
        ("volume +90dB", "‘+90dB’ is out of range: write a step of at most 60dB"),
    ]) func errorOfACommandNamesWhatIsRight(text: String, message: String) {
        #expect {
            try call("Command", .string(text))
        } throws: {
            ($0 as? BusError)?.message.hasPrefix(message) == true
        }
    }

    @Test func playWithANameChooses() throws {
        #expect(
            try call("Command", .string("play My stories/owl --at 1:30 --then stop")) == [
                .string("deferred"), .string(""),
            ])
        #expect(desk.requests == [ChoiceRequest("My stories/owl", at: .seconds(90), then: .stop)])
        #expect(throws: BusError.self) { try call("Command", .string("play owl --then never")) }
        #expect(desk.requests.count == 1 && desk.commands.isEmpty)
    }

    @Test func tracksAreListedInParts() throws {
        #expect(try call("Tracks", .string("owl"), .uint32(5)) == [.strings(["owl 5"]), .uint32(7)])
        #expect(throws: BusError.self) { try call("Tracks", .string("busy"), .uint32(0)) }
        let long = String(repeating: "a", count: 4097)
        #expect(throws: BusError.self) { try call("Tracks", .string(long), .uint32(0)) }
    }

    @Test func muteOfTheMicrophoneIsASignal() {
        let signal = BusInterface.session(desk).signals.first { $0.name == "InputMuteStateChanged" }
        #expect(signal?.arguments.map(\.signature) == ["b"])
    }

    // MARK: Sounds

    private static func addSounds(_ configuration: inout Configuration) {
        configuration.session.sounds = [
            SoundPolicy(id: "gong"), SoundPolicy(id: "siren", repeats: true), SoundPolicy(id: "stop"),
        ]
        configuration.session.signals[1].cue = "siren"
    }

    private func announce(_ sound: SoundID, id: Announcement.ID) -> Event {
        .command(.announce(Announcement(sound, id: id)))
    }

    @Test func announceAnswersWithTheNumberOfTheRequest() throws {
        #expect(try call("Announce", .string("gong"), .dictionary([:])) == [.string("success"), .uint64(7)])
        desk.receipt = (.noSuchContent, 0)
        #expect(try call("Announce", .string("gnog"), .dictionary([:])) == [.string("noSuchContent"), .uint64(0)])
        #expect(desk.announcements == [Announcement("gong"), Announcement("gnog")])
    }

    @Test(arguments: [
        BusValue.byte(90), .int16(90), .uint16(90), .int32(90), .uint32(90), .int64(90), .uint64(90),
    ]) func announceTakesAPriorityOfAnyIntegerType(value: BusValue) throws {
        _ = try call("Announce", .string("gong"), .dictionary(["priority": value]))
        #expect(desk.announcements == [Announcement("gong", priority: 90)])
    }

    @Test func announceTakesALimitOfThePriority() throws {
        _ = try call("Announce", .string("gong"), .dictionary(["maximumPriority": .int64(40)]))
        #expect(desk.announcements == [Announcement("gong", maximumPriority: 40)])
    }

    @Test(arguments: [
        (BusValue.uint64(0), Announcement.Expire.asConfigured), (BusValue.int32(1), .after(.microseconds(1))),
        (BusValue.int64(2_500_000), .after(.milliseconds(2500))), (BusValue.uint64(.max), .never),
        (BusValue.uint64(.max - 1), .after(.microseconds(Int64.max))),
    ]) func announceTakesAnExpiryInMicroseconds(value: BusValue, expire: Announcement.Expire) throws {
        _ = try call("Announce", .string("gong"), .dictionary(["expire": value]))
        #expect(desk.announcements == [Announcement("gong", expire: expire)])
    }

    @Test(arguments: [
        ("priority", BusValue.int32(101), "priority must be an integer from 0 to 100"),
        ("maximumPriority", .int32(101), "maximumPriority must be an integer from 0 to 100"),
        ("priority", .int32(-1), "priority must be an integer from 0 to 100"),
        ("priority", .string("90"), "priority must be an integer from 0 to 100"),
        ("priority", .uint64(.max), "priority must be an integer from 0 to 100"),
        ("expire", .double(2.5), "expire must be a number of microseconds, as an integer"),
        ("expire", .int64(-1), "expire must be a number of microseconds, as an integer"),
        ("expires", .int64(1), "there is no option ‘expires’: did you mean ‘expire’?"),
        ("", .variant(.int64(1)), "there is no option ‘’: write priority, maximumPriority, expire, file or level"),
        ("level", .double(-6), "level is the level of file"),
        ("level", .int64(0), "level must be a number of decibels"),
        ("level", .double(0.5), "level must be a number of decibels"),
        ("level", .double(.nan), "level must be a number of decibels"),
        ("file", .int64(1), "file must be an absolute path"), ("file", .string(""), "file must be an absolute path"),
        ("file", .string("gong.wav"), "file must be an absolute path"),
        ("file", .string("~/gong.wav"), "file must be an absolute path"),
        ("file", .string("/srv/go\nng.wav"), "file must be an absolute path"),
        ("file", .string("/srv/\u{7f}.wav"), "file must be an absolute path"),
        ("file", .string("/" + String(repeating: "a", count: 4095)), "file must be an absolute path"),
    ]) func announceRejectsBadOptionsAndSaysWhatToWrite(name: String, value: BusValue, message: String) {
        #expect {
            try call("Announce", .string("gong"), .dictionary([name: value]))
        } throws: { error in
            guard let error = error as? BusError else { return false }
            return error.name.hasSuffix("InvalidArgs") && error.message.hasPrefix(message)
        }
        #expect(desk.announcements.isEmpty)
    }

    @Test func announceTakesAFileAndAnswersWhenItHasBeenRead() throws {
        desk.isSlow = true
        var answers: [Result<[BusValue], BusError>] = []
        BusObject("/org/mpris/MediaPlayer2", [.session(desk)]).answer(
            "Announce", of: SessionAddress.session,
            [.string("gong"), .dictionary(["file": .string("/srv/gong ü.opus"), "level": .double(-6)])],
            BusReply { answers.append($0) })
        #expect(desk.fileLevels == [Level(decibels: -6)])
        #expect(desk.files == ["/srv/gong ü.opus"] && desk.announcements == [Announcement("gong")])
        #expect(answers.isEmpty)
        desk.then?(.deferred, 9)
        #expect(answers == [.success([.string("deferred"), .uint64(9)])])
        #expect(try callWithoutFile() == [nil])
    }

    private func callWithoutFile() throws -> [String?] {
        desk.isSlow = false
        desk.files = []
        _ = try call("Announce", .string("gong"), .dictionary([:]))
        return desk.files
    }

    @Test func hushMethodSendsTheHushCommand() throws {
        #expect(try call("Hush") == [.string("success")])
        #expect(desk.commands == [.hush])
    }

    @Test func soundsAreListedWithLengthProblemAndState() throws {
        show([announce("gong", id: 1), announce("stop", id: 2), .soundReadable("siren", false)], Self.addSounds)
        desk.view?.context.soundLengths = ["gong": .milliseconds(2500)]
        desk.view?.context.soundProblems = ["siren": .unreadable("cannot open siren.wav: No such file or directory")]
        func row(_ name: String, _ length: Double, _ readable: Bool, _ problem: String, _ state: String) -> BusValue {
            .structure([.string(name), .double(length), .bool(readable), .string(problem), .string(state)])
        }
        #expect(
            try get("Sounds")
                == .array(
                    of: "(sdbss)",
                    [
                        row("gong", 2.5, true, "", "due"),
                        row("siren", 0, false, "cannot open siren.wav: No such file or directory", "idle"),
                        row("stop", 0, true, "", "waiting"),
                    ]))
        #expect(try get("Sound") == .string("gong"))
        #expect(
            try get("Health")
                == .strings([
                    "the file of the sound siren cannot be read: cannot open siren.wav: No such file or directory"
                ]))
        show([], Self.addSounds)
        #expect(try get("Sound") == .string(""))
        #expect(try get("Health") == .strings([]))
    }

    /// A trace contains only names, but a program that waits for an announcement needs its number.
    @Test func sceneHasTheNumbersOfAnnouncements() throws {
        show([announce("gong", id: 3)], Self.addSounds)
        guard case .array(_, let entries) = try get("Scene") else { throw BusError.unknownProperty("Scene") }
        #expect(entries.contains(.entry(.string("announcement"), .variant(.string("3")))))
        var snapshot = try #require(desk.view?.scene.snapshot())
        snapshot.notifications = [.duckEnded, .soundCut("siren", because: .released), .soundBegan("gong", id: 3)]
        guard case .array(_, let members) = snapshot.dictionary else { throw BusError.unknownProperty("Scene") }
        #expect(members.contains(.entry(.string("sound_ids"), .variant(.strings(["0", "3"])))))
    }

    /// An asserted line without effect is distinguished from a deasserted one.
    @Test func signalWithoutEffectIsListedAsAsserted() throws {
        func states() throws -> [String] {
            guard case .array(_, let signals) = try get("SignalStates") else { return [] }
            return signals.compactMap { signal in
                guard case .structure(let members) = signal, case .string(let name) = members[0],
                    case .string(let state) = members[1]
                else { return nil }
                return "\(name) \(state)"
            }
        }
        let phone = SignalID("phone-call")
        let begins = Event.edge(Edge(phone, asserted: true))
        show([])
        #expect(try states() == ["phone-call deasserted", "alarm deasserted", "cover-closed deasserted"])
        show([begins])
        #expect(try states().first == "phone-call inForce")
        show([begins, .fault(Fault(phone, .stuck)), .command(.play)])
        #expect(try states().first == "phone-call dropped")
        show([begins]) { configuration in
            configuration.session.prefersNoInterruptionsFromSystemAlerts = true
            configuration.session.signals[0].isAlert = true
        }
        #expect(try states().first == "phone-call suppressed")
    }

    /// These are Apple's reasons, as in `InterruptionBegan`. The names of the signals are in `Signals`.
    @Test func reasonsAreThoseOfInterruptions() throws {
        show([])
        #expect(try get("Reasons") == .strings([]))
        show([.edge(Edge("phone-call", asserted: true))])
        #expect(try get("Reasons") == .strings(["default"]))
        show([.edge(Edge("phone-call", asserted: true))]) {
            $0.session.category = .record
            $0.session.signals[0].effect = .muteMicrophone
        }
        #expect(try get("Reasons") == .strings(["builtInMicMuted"]))
    }

    @Test func heldLinesHaveTheirLevels() throws {
        show([])
        desk.view?.lines = {
            [HeldLine(title: "signal phone-call", chip: "/dev/gpiochip0", offset: 17, level: true)]
        }
        #expect(
            try get("Lines")
                == .array(
                    of: "(ssub)",
                    [
                        .structure([
                            .string("signal phone-call"), .string("/dev/gpiochip0"), .uint32(17), .bool(true),
                        ])
                    ]))
    }

    // MARK: Players

    private static func addPlayers(_ configuration: inout Configuration) {
        configuration.session.players = ["mpd", "vlc"]
        configuration.players = [
            PlayerSettings("mpd", at: .mpd("/run/mpd/socket")), PlayerSettings("vlc", at: .bus("vlc*")),
        ]
    }

    @Test func playersAreListedWithAddressReportAndHold() throws {
        func row(_ name: String, _ bus: String, _ socket: String, _ report: String, _ isKept: Bool) -> BusValue {
            .entry(
                .string(name), .structure([.string(bus), .string(socket), .string(report), .bool(isKept), .uint64(7)]))
        }
        // An order that is not confirmed is not known to be carried out.
        let call: [Event] = [.player("mpd", .playing), .edge(Edge("phone-call", asserted: true))]
        for (confirmation, report) in [([], "playing"), ([Event.playerFound("mpd", .paused)], "paused")] {
            show(call + confirmation, Self.addPlayers)
            #expect(
                try get("Players")
                    == .array(
                        of: "{s(sssbt)}",
                        [row("mpd", "", "/run/mpd/socket", report, true), row("vlc", "vlc*", "", "gone", false)]))
        }
        show([.player("mpd", .playing), .player("vlc", .paused)], Self.addPlayers)
        #expect(
            try get("Players")
                == .array(
                    of: "{s(sssbt)}",
                    [row("mpd", "", "/run/mpd/socket", "playing", false), row("vlc", "vlc*", "", "paused", false)]))
    }

    @Test func reportOfAPlayerIsPassedOnWithItsKind() throws {
        show([], Self.addPlayers)
        #expect(try call("ReportPlayer", .string("mpd"), .string("playing"), .bool(true), .uint64(3)) == [])
        #expect(try call("ReportPlayer", .string("vlc"), .string("gone"), .bool(false), .uint64(4)) == [])
        #expect(try call("ReportPlayerProblem", .string("vlc"), .string("no permission")) == [])
        #expect(desk.reports == ["mpd playing true 3", "vlc gone false 4", "vlc no permission"])
        #expect(throws: BusError.self) {
            try call("ReportPlayer", .string("mpd"), .string("stopped"), .bool(true), .uint64(0))
        }
    }

    @Test func onlyOrdersWithAnOutcomeAreCounted() {
        var numbers = PlayerOrderNumbers(first: 10)
        #expect(numbers["mpd"] == 10 && numbers.count(.next, to: "mpd") == 10)
        #expect(numbers.count(.pause, to: "mpd") == 11 && numbers.count(.seek(.zero), to: "mpd") == 11)
        #expect(numbers.count(.play, to: "mpd") == 12 && numbers["vlc"] == 10)
    }

    @Test func onlyRootTheOwnUserAndTheUserOfPlayersMayReport() throws {
        var reporter = Reporter.players
        for user in [0, getuid()] { try reporter.check(BusCaller(user: user)) }
        for user in [nil, 12_345, UInt32.max] {
            #expect(throws: BusError.self) { try reporter.check(user.map { BusCaller(user: $0) }) }
        }
    }

    @Test func reportOfAStreamIsAnsweredWithItsURLAndPipe() throws {
        #expect(
            try call("ReportInput", .string("radio"), .string("Song"), .string("Station"), .string(""))
                == [.string("https://user:secret@radio.example/"), .string("/run/tacet/inputs/radio")])
        #expect(desk.reports == ["radio Song Station "])
        #expect(throws: BusError.self) {
            try call("ReportInput", .string("radio"), .string("Song"), .bool(true), .string(""))
        }
    }

    @Test func onlyRootAndTheUserOfStreamsMayLearnTheURLs() throws {
        var reporter = Reporter.streams
        try reporter.check(BusCaller(user: 0))
        for user in [nil, 12_345, UInt32.max] {
            #expect {
                try reporter.check(user.map { BusCaller(user: $0) })
            } throws: {
                ($0 as? BusError)?.message.contains("the user tacet-stream may report") == true
            }
        }
    }

    @Test func publishesDeviceAndLastCheckpoint() throws {
        show([.mediaServicesLost]) { $0.playback.device = "hw:CARD=Headphones" }
        #expect(try get("Device") == .string("hw:CARD=Headphones"))
        #expect(try get("DeviceAvailable") == .bool(false))
        #expect(try get("LastCheckpoint") == .uint64(1_500_000))
        show([])
        #expect(try get("DeviceAvailable") == .bool(true))
        #expect(try get("Route") == .string("preferred"))
        desk.view?.context.scene.route = OutputRoute(index: 1, device: "hw:1")
        #expect(try get("Device") == .string("hw:1") && get("Route") == .string("fallback"))
        desk.view?.lastCheckpoint = nil
        #expect(try get("LastCheckpoint") == .uint64(0))
    }
}
