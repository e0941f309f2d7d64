import AudioSession
import Configuration
import Playback
import Testing
import Vocabulary

@testable import Appliance
@testable import Systemd

/// Every member of the MPRIS specification, version 2.2, with its wording: `org.mpris.MediaPlayer2` and its `Player`.
@Suite struct MPRISTests {
    private static let root = "org.mpris.MediaPlayer2"
    private static let player = "org.mpris.MediaPlayer2.Player"
    private let recorder = RemoteRecorder()
    private let object: BusObject

    init() {
        object = BusObject("/org/mpris/MediaPlayer2", [.root, .player(recorder)])
        show()
    }

    /// Shows a track of 200 s at 151 s.
    private func show(
        _ events: [Event] = [], tracks: Int = 2, stall: QuietCause.Stall? = nil,
        _ change: (inout Configuration) -> Void = { _ in }
    ) {
        var configuration = Configuration.builtIn
        change(&configuration)
        var scene = StateSnapshot(after: events, configuration, track: "/srv/music/Ein Lied.flac", of: tracks)
        scene.stall = stall
        recorder.view = RemoteView(
            context: ExplanationContext(scene: scene), length: tracks > 0 ? .seconds(200) : nil, tags: nil, art: nil)
    }

    private func get(_ name: String, of interface: String = player) throws -> BusValue {
        guard
            case .variant(let value)? = try object.answer(
                "Get", of: "org.freedesktop.DBus.Properties", [.string(interface), .string(name)]
            ).first
        else { throw BusError.unknownProperty(name) }
        return value
    }

    private func set(_ name: String, _ value: BusValue) throws {
        _ = try object.answer(
            "Set", of: "org.freedesktop.DBus.Properties", [.string(Self.player), .string(name), .variant(value)])
    }

    private func call(_ name: String, _ arguments: [BusValue] = [], of interface: String = player) throws -> [Command] {
        recorder.commands = []
        #expect(try object.answer(name, of: interface, arguments).isEmpty)
        return recorder.commands
    }

    // MARK: All there is

    /// All names and types must match.
    @Test func membersMatchTheSpecification() throws {
        let root = BusInterface.root
        #expect(Set(root.methods.map(\.name)) == ["Raise", "Quit"])
        #expect(
            Dictionary(uniqueKeysWithValues: root.properties.map { ($0.name, $0.signature) }) == [
                "CanQuit": "b", "Fullscreen": "b", "CanSetFullscreen": "b", "CanRaise": "b", "HasTrackList": "b",
                "Identity": "s", "SupportedUriSchemes": "as", "SupportedMimeTypes": "as",
            ])
        let player = BusInterface.player(recorder)
        #expect(player.properties.map(\.name) == PlayerProperty.allCases.map(\.rawValue))
        #expect(
            Dictionary(
                uniqueKeysWithValues: player.methods.map { ($0.name, $0.inputs.map(\.signature).joined()) }) == [
                    "Next": "", "Previous": "", "Pause": "", "PlayPause": "", "Stop": "", "Play": "", "Seek": "x",
                    "SetPosition": "ox", "OpenUri": "s",
                ])
        #expect(
            Dictionary(uniqueKeysWithValues: player.properties.map { ($0.name, $0.signature) }) == [
                "PlaybackStatus": "s", "LoopStatus": "s", "Rate": "d", "Shuffle": "b", "Metadata": "a{sv}",
                "Volume": "d", "Position": "x", "MinimumRate": "d", "MaximumRate": "d", "CanGoNext": "b",
                "CanGoPrevious": "b", "CanPlay": "b", "CanPause": "b", "CanSeek": "b", "CanControl": "b",
            ])
        #expect(player.signals == [BusSignal("Seeked", [BusArgument("Position", "x")])])
        // The type of each value is the declared one.
        for interface in [root, player] {
            for property in interface.properties {
                #expect(try get(property.name, of: interface.name).signature == property.signature)
            }
        }
        // “The PropertiesChanged signal is emitted” for all of them but the position.
        #expect(player.properties.filter { $0.change == .noSignal }.map(\.name) == ["Position"])
    }

    // MARK: Inputs

    @Test func inputIsATrackOfItsOwn() throws {
        let input = InputPolicy(id: "fm-radio", player: "tuner")
        func show(_ events: [Event]) {
            self.show(events) { ($0.session.inputs, $0.session.players) = ([input], ["tuner"]) }
        }
        show([.inputBegan("fm-radio")])
        #expect(
            try get("Metadata")
                == .dictionary([
                    "mpris:trackid": .objectPath("/org/tacet/input/fm_2dradio"), "xesam:title": .string("fm-radio"),
                ]))
        #expect(try get("PlaybackStatus") == .string("Playing"))
        #expect(try get("Position") == .int64(0))
        // Nobody can skip in what arrives, unless its player can.
        let skips = ["CanGoNext", "CanGoPrevious", "CanSeek"]
        for name in skips { #expect(try get(name) == .bool(false), "\(name)") }
        for name in ["CanPlay", "CanPause"] { #expect(try get(name) == .bool(true), "\(name)") }
        show([.player("tuner", .playing), .inputBegan("fm-radio")])
        for name in skips { #expect(try get(name) == .bool(true), "\(name)") }
        show([.inputBegan("fm-radio"), .command(.pause)])
        #expect(try get("PlaybackStatus") == .string("Paused"))
        show([.inputBegan("fm-radio"), .inputCeased("fm-radio")])
        #expect(try get("Position") == .int64(151_000_000))
    }

    // MARK: The application

    /// “If CanRaise is false, this method has no effect.” The same applies to Quit.
    @Test func raiseAndQuitHaveNoEffect() throws {
        #expect(try call("Raise", of: Self.root) == [])
        #expect(try call("Quit", of: Self.root) == [])
        for name in ["CanRaise", "CanQuit", "CanSetFullscreen", "Fullscreen"] {
            #expect(try get(name, of: Self.root) == .bool(false))
        }
        #expect(try get("HasTrackList", of: Self.root) == .bool(true))
        #expect(try get("Identity", of: Self.root) == .string("Tacet"))
        #expect(try get("SupportedUriSchemes", of: Self.root) == .strings(["file"]))
        guard case .array(_, let types) = try get("SupportedMimeTypes", of: Self.root) else {
            throw BusError.failed("no types")
        }
        #expect(types.contains(.string("audio/flac")) && types.contains(.string("audio/x-mpegurl")))
    }

    // MARK: Methods

    @Test(arguments: [
        ("Next", Command.next), ("Previous", .previous), ("Pause", .pause), ("PlayPause", .playPause), ("Stop", .stop),
        ("Play", .play),
    ])
    func methodsSendTheirCommands(name: String, command: Command) throws {
        #expect(try call(name) == [command])
    }

    /// "A negative value seeks back. If this would mean seeking back further than the start of the track, the position
    /// should be set to 0. If the value passed in would mean seeking beyond the end of the track, acts like a call to
    /// Next."
    @Test(arguments: [
        (Int64(10_000_000), Command.seek(to: .seconds(161))), (-1_000_000, .seek(to: .seconds(150))),
        (-400_000_000, .seek(to: .zero)), (50_000_000, .next), (.max, .next), (.min, .seek(to: .zero)),
    ])
    func seekIsRelativeToThePosition(offset: Int64, command: Command) throws {
        #expect(try call("Seek", [.int64(offset)]) == [command])
    }

    @Test func largestPositionDoesNotOverflow() throws {
        recorder.view?.length = nil
        recorder.view?.context.scene.position = .microseconds(Int64.max)
        let track = try #require(recorder.view?.trackID)
        let farthest = Command.seek(to: .microseconds(Int64.max))
        #expect(try call("SetPosition", [.objectPath(track), .int64(.max)]) == [farthest])
        #expect(try call("Seek", [.int64(.max)]).count == 1)
        recorder.view?.context.scene.position = .microseconds(Int64.max) * 3
        #expect(try get("Position") == .int64(.max))
    }

    /// While the storage delays the selected track, another one is playing.
    @Test func trackIDIsThatOfTheTrackHeard() throws {
        recorder.view?.context.scene.trackNumber = 4
        #expect(recorder.view?.trackID == "/org/tacet/track/4")
    }

    /// "If the Position argument is less than 0, do nothing. If it is greater than the track length, do nothing. If the
    /// TrackId argument is not the current track, the call is ignored as 'stale'."
    @Test func setPositionIgnoresOtherTracksAndInvalidPositions() throws {
        let track = try #require(recorder.view?.trackID)
        #expect(try call("SetPosition", [.objectPath(track), .int64(3_000_000)]) == [.seek(to: .seconds(3))])
        #expect(try call("SetPosition", [.objectPath(track), .int64(0)]) == [.seek(to: .zero)])
        #expect(try call("SetPosition", [.objectPath(track), .int64(-1)]) == [])
        #expect(try call("SetPosition", [.objectPath(track), .int64(200_000_001)]) == [])
        #expect(try call("SetPosition", [.objectPath("/org/tacet/track/7"), .int64(0)]) == [])
    }

    @Test func openURIChoosesAFile() throws {
        func open(_ address: String) -> Result<[BusValue], BusError>? {
            var result: Result<[BusValue], BusError>?
            object.answer("OpenUri", of: Self.player, [.string(address)], BusReply { result = $0 })
            return result
        }
        #expect(open("file:///srv/music/Zwei%20St%C3%BCcke.flac") == .success([]))
        #expect(recorder.requests == [ChoiceRequest("/srv/music/Zwei Stücke.flac")])
        recorder.answer = .noSuchContent
        #expect(open("file:///srv/music/absent.flac") == .failure(.failed("/srv/music/absent.flac: noSuchContent")))
        for address in ["https://radio.example/live", "file://host/srv/a.flac", "/srv/a.flac", "file:///a%00b", ""] {
            guard case .failure? = open(address) else {
                Issue.record("\(address) is accepted")
                continue
            }
        }
        #expect(recorder.requests.count == 2 && recorder.commands.isEmpty)
    }

    // MARK: Properties

    @Test func metadataIsThatOfTheSelectedInputWithoutItsPassword() throws {
        let stream = try #require(try? StreamURL("https://user:secret@radio.example/live?key=secret"))
        show([.inputBegan("web-radio")]) {
            $0.session.inputs = [InputPolicy(id: "web-radio", role: .programme)]
            $0.inputs = [InputSettings($0.session.inputs[0], from: .stream(stream))]
        }
        recorder.view?.context.reports.take(title: "Song", artist: "Station", problem: "", of: "web-radio")
        #expect(
            try get("Metadata")
                == .dictionary([
                    "mpris:trackid": .objectPath("/org/tacet/input/web_2dradio"), "xesam:title": .string("Song"),
                    "xesam:artist": .strings(["Station"]), "xesam:url": .string("https://radio.example/live"),
                ]))
        #expect(try get("PlaybackStatus") == .string("Playing"))
        let status = try #require(recorder.view.map { "\(StatusLine($0.context))" })
        #expect(status.contains("Playing ‘Song’ from web-radio") && !status.contains("secret"), "\(status)")
        // Without a title, the name of the input is shown.
        recorder.view?.context.reports.take(title: "", artist: "", problem: "it is gone", of: "web-radio")
        #expect(
            try get("Metadata")
                == .dictionary([
                    "mpris:trackid": .objectPath("/org/tacet/input/web_2dradio"), "xesam:title": .string("web-radio"),
                    "xesam:url": .string("https://radio.example/live"),
                ]))
    }

    @Test func playbackStatusFollowsTheSession() throws {
        #expect(try get("PlaybackStatus") == .string("Playing"))
        show([.edge(Edge("phone-call", asserted: true))])
        #expect(try get("PlaybackStatus") == .string("Paused"))
        show([.command(.pause)])
        #expect(try get("PlaybackStatus") == .string("Paused"))
        show([.command(.stop)])
        #expect(try get("PlaybackStatus") == .string("Stopped"))
        // Clients count the seconds of the music that plays.
        show(stall: .storage)
        #expect(try get("PlaybackStatus") == .string("Paused"))
        show(tracks: 0)
        #expect(try get("PlaybackStatus") == .string("Stopped"))
        recorder.view = nil
        #expect(try get("PlaybackStatus") == .string("Stopped"))
    }

    @Test func loopAndShuffleFollowTheConfigurationAndCanBeSet() throws {
        for (repeats, status) in [(Policy.Repeat.none, "None"), (.track, "Track"), (.playlist, "Playlist")] {
            show { $0.session.repeats = repeats }
            #expect(try get("LoopStatus") == .string(status))
        }
        #expect(try get("Shuffle") == .bool(false))
        show { $0.playback.shuffle = true }
        #expect(try get("Shuffle") == .bool(true))
        try set("LoopStatus", .string("Track"))
        try set("Shuffle", .bool(true))
        #expect(recorder.choices.map(\.repeats) == [.track, nil] && recorder.choices.map(\.shuffle) == [nil, true])
        #expect(throws: BusError.self) { try set("LoopStatus", .string("Twice")) }
    }

    /// "A value of 0.0 should not be set by the client. If it is, the media player should act as though Pause was
    /// called."
    @Test func rateIsOneAndSettingItToZeroPauses() throws {
        for name in ["Rate", "MinimumRate", "MaximumRate"] { #expect(try get(name) == .double(1)) }
        try set("Rate", .double(2))
        #expect(recorder.commands.isEmpty)
        try set("Rate", .double(0))
        #expect(recorder.commands == [.pause])
    }

    /// "When setting, if a negative value is passed, the volume should be set to 0.0."
    @Test func volumeIsAnAmplitude() throws {
        #expect(try get("Volume") == .double(1))
        show([.command(.volume(Level(amplitude: 0.5)))])
        guard case .double(let amplitude) = try get("Volume") else { throw BusError.unknownProperty("Volume") }
        #expect(abs(amplitude - 0.5) < 1e-9)
        try set("Volume", .double(-0.3))
        #expect(recorder.commands == [.volume(Level(amplitude: 0))])
        #expect(throws: BusError.self) { try set("Volume", .double(.nan)) }
        #expect(throws: BusError.self) { try set("Volume", .string("loud")) }
    }

    /// What clients read is what applies.
    @Test func volumeIsAtMostTheMaximum() throws {
        show([.command(.volume(.full))]) { $0.session.maximumVolume = Level(amplitude: 0.25) }
        guard case .double(let amplitude) = try get("Volume") else { throw BusError.unknownProperty("Volume") }
        #expect(abs(amplitude - 0.25) < 1e-9)
    }

    @Test func positionIsInMicroseconds() throws {
        #expect(try get("Position") == .int64(151_000_000))
        show(tracks: 0)
        #expect(try get("Position") == .int64(0))
    }

    /// “mpris:trackid is mandatory”. Without a track, `/org/mpris/MediaPlayer2/TrackList/NoTrack` takes its place.
    @Test func metadataDescribeTheTrack() throws {
        #expect(
            try get("Metadata")
                == .dictionary([
                    "mpris:trackid": .objectPath("/org/tacet/track/0"), "mpris:length": .int64(200_000_000),
                    "xesam:url": .string("file:///srv/music/Ein%20Lied.flac"), "xesam:title": .string("Ein Lied.flac"),
                ]))
        var tags = TrackTags()
        tags.title = "Ein Lied"
        tags.artist = "Wir"
        tags.album = "Lieder"
        tags.genre = "Lied"
        tags.comment = "leise"
        tags.trackNumber = 3
        recorder.view?.tags = tags
        recorder.view?.art = "/srv/music/cover.jpg"
        #expect(
            try get("Metadata")
                == .dictionary([
                    "mpris:trackid": .objectPath("/org/tacet/track/0"), "mpris:length": .int64(200_000_000),
                    "mpris:artUrl": .string("file:///srv/music/cover.jpg"),
                    "xesam:url": .string("file:///srv/music/Ein%20Lied.flac"), "xesam:title": .string("Ein Lied"),
                    "xesam:artist": .strings(["Wir"]), "xesam:album": .string("Lieder"),
                    "xesam:genre": .strings(["Lied"]), "xesam:comment": .strings(["leise"]),
                    "xesam:trackNumber": .int32(3),
                ]))
        show(tracks: 0)
        #expect(
            try get("Metadata")
                == .dictionary(["mpris:trackid": .objectPath("/org/mpris/MediaPlayer2/TrackList/NoTrack")]))
    }

    @Test func capabilitiesRequireATrack() throws {
        let names = ["CanGoNext", "CanGoPrevious", "CanPlay", "CanPause", "CanSeek"]
        for name in names { #expect(try get(name) == .bool(true)) }
        show(tracks: 0)
        for name in names { #expect(try get(name) == .bool(false)) }
        #expect(try get("CanControl") == .bool(true))
    }
}
