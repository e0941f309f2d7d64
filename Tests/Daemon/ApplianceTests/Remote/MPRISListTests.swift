import AudioSession
import Configuration
import Playback
import Testing

@testable import Appliance
@testable import Systemd

/// The members of MPRIS 2.2's `TrackList` and `Playlists`, with the wording of the specification.
@Suite struct MPRISListTests {
    private static let trackList = "org.mpris.MediaPlayer2.TrackList"
    private static let playlists = "org.mpris.MediaPlayer2.Playlists"
    private static let noTrack = "/org/mpris/MediaPlayer2/TrackList/NoTrack"
    private let recorder = RemoteRecorder()
    private let object: BusObject

    init() {
        object = BusObject("/org/mpris/MediaPlayer2", [.trackList(recorder), .playlists(recorder)])
        show()
    }

    private func show(
        _ events: [Event] = [], tracks count: Int = 3, playlists: [String] = ["calm.m3u", "Lieder", "stories"]
    ) {
        let scene = StateSnapshot(after: events, .builtIn, track: "/srv/music/0.flac", of: count)
        let list = TrackList((0..<count).map { Track(path: "/srv/music/\($0).flac") })
        var view = RemoteView(context: ExplanationContext(scene: scene), length: .seconds(200), tags: nil, art: nil)
        view.list = { scene.session.track.map(list.listed) ?? ListedTracks() }
        view.playlists = LibraryPlaylists(playlists, in: "/srv/music")
        recorder.view = view
    }

    private func get(_ name: String, of interface: String) throws -> BusValue? {
        try object.answer("GetAll", of: "org.freedesktop.DBus.Properties", [.string(interface)]).first?.members[name]
    }

    private func path(_ number: Int) -> BusValue { .objectPath("/org/tacet/track/\(number)") }

    // MARK: The track list

    @Test func membersMatchTheSpecification() throws {
        let list = BusInterface.trackList(recorder)
        #expect(
            Dictionary(uniqueKeysWithValues: list.methods.map { ($0.name, $0.inputs.map(\.signature).joined()) }) == [
                "GetTracksMetadata": "ao", "AddTrack": "sob", "RemoveTrack": "o", "GoTo": "o",
            ])
        #expect(list.properties.map(\.name) == ["Tracks", "CanEditTracks"])
        #expect(list.signals.map { $0.arguments.map(\.signature) } == [["ao", "o"]])
        let lists = BusInterface.playlists(recorder)
        #expect(
            Dictionary(uniqueKeysWithValues: lists.methods.map { ($0.name, $0.inputs.map(\.signature).joined()) }) == [
                "ActivatePlaylist": "o", "GetPlaylists": "uusb",
            ])
        #expect(lists.properties.map(\.name) == ["PlaylistCount", "Orderings", "ActivePlaylist"])
        recorder.view = nil
        for interface in [list, lists] {
            for property in interface.properties {
                #expect(try get(property.name, of: interface.name)?.signature == property.signature)
            }
        }
    }

    @Test func tracksAreThoseAroundTheCurrentOne() throws {
        #expect(try get("Tracks", of: Self.trackList) == .array(of: "o", [path(0), path(1), path(2)]))
        #expect(try get("CanEditTracks", of: Self.trackList) == .bool(false))
        show([.command(.goTo(track: 54_321))], tracks: 100_000)
        #expect(try get("Tracks", of: Self.trackList) == .array(of: "o", (54_275..<54_375).map(path)))
        show(tracks: 0)
        #expect(try get("Tracks", of: Self.trackList) == .array(of: "o", []))
    }

    /// “When this property changes, the PropertiesChanged signal is emitted, but the new value is not sent.”
    @Test func changedListIsInvalidated() throws {
        _ = object.changes()
        show(tracks: 2)
        let changes = object.changes()
        #expect(changes.map(\.interface) == [Self.trackList] && changes.first?.invalidated == ["Tracks"])
        #expect(changes.first?.values == [:])
    }

    private func metadata(_ ids: [BusValue]) throws -> [BusValue] {
        try object.answer("GetTracksMetadata", of: Self.trackList, [.array(of: "o", ids)]).first?.elements ?? []
    }

    @Test func metadataOfOtherTracksComeFromTheirNames() throws {
        recorder.view?.tags = TrackTags()
        recorder.view?.tags?.title = "Ein Lied"
        let found = try metadata([path(0), path(2)]).map(\.members)
        #expect(found.first?["xesam:title"] == .string("Ein Lied") && found.first?["mpris:length"] != nil)
        #expect(
            found.last == [
                "mpris:trackid": path(2), "xesam:url": .string("file:///srv/music/2.flac"),
                "xesam:title": .string("2.flac"),
            ])
    }

    private static let rubbish = [
        "/", "/org/tacet/track", "/org/tacet/track/3", "/org/tacet/track/03", "/org/tacet/track/0/1",
        "/org/tacet/track/99999999999999999999999", "/org/tacet/track/1152921504606846976", "/org/tacet/input/0",
        "/org/tacet/track/x", noTrack,
    ]

    @Test func unknownTracksHaveNoMetadata() throws {
        #expect(try metadata(Self.rubbish.map(BusValue.objectPath)) == [])
        #expect(try metadata([]) == [])
    }

    @Test func trackThatIsNamedOftenIsDescribedOnce() throws {
        #expect(try metadata(Array(repeating: path(1), count: 100_000)).count == 1)
        show(tracks: 100_000)
        #expect(try metadata((0..<100_000).map(path)).count == 100)
    }

    @Test func goToPlaysAListedTrack() throws {
        #expect(try object.answer("GoTo", of: Self.trackList, [path(2)]) == [])
        #expect(recorder.commands == [.goTo(track: 2)])
    }

    /// “If the track is not part of this tracklist, this has no effect.”
    @Test func goToIgnoresOtherTracks() throws {
        for path in Self.rubbish { #expect(try object.answer("GoTo", of: Self.trackList, [.objectPath(path)]) == []) }
        recorder.view = nil
        #expect(try object.answer("GoTo", of: Self.trackList, [path(0)]) == [])
        #expect(recorder.commands.isEmpty)
    }

    /// “If CanEditTracks is false, this has no effect.”
    @Test func listCannotBeEdited() throws {
        let added: [BusValue] = [.string("file:///srv/music/a.flac"), .objectPath(Self.noTrack), .bool(true)]
        #expect(try object.answer("AddTrack", of: Self.trackList, added) == [])
        #expect(try object.answer("RemoveTrack", of: Self.trackList, [path(0)]) == [])
        #expect(recorder.commands.isEmpty && recorder.requests.isEmpty)
    }

    /// “NoTrack indicates that there is no current track.”
    @Test func replacementNamesTheCurrentTrackIfItIsListed() {
        let list = ListedTracks(from: 4, [Track(path: "/a"), Track(path: "/b")])
        let ids = BusValue.array(of: "o", [path(4), path(5)])
        #expect(list.replacement(current: "/org/tacet/track/5") == [ids, path(5)])
        #expect(list.replacement(current: "/org/tacet/input/radio") == [ids, .objectPath(Self.noTrack)])
        #expect(ListedTracks().replacement(current: Self.noTrack) == [.array(of: "o", []), .objectPath(Self.noTrack)])
    }

    // MARK: Playlists

    private func names(
        _ index: UInt32, _ count: UInt32, _ order: String = "Alphabetical", reversed: Bool = false
    ) throws -> [String] {
        let found = try object.answer(
            "GetPlaylists", of: Self.playlists, [.uint32(index), .uint32(count), .string(order), .bool(reversed)])
        #expect(found.map(\.signature) == ["a(oss)"])
        return (found.first?.elements ?? []).compactMap {
            guard case .structure(let members) = $0, members.count == 3 else { return nil }
            return members[1].text
        }
    }

    @Test func playlistsAreListedInParts() throws {
        #expect(try get("PlaylistCount", of: Self.playlists) == .uint32(3))
        #expect(try get("Orderings", of: Self.playlists) == .strings(["Alphabetical"]))
        #expect(try names(0, 100) == ["calm.m3u", "Lieder", "stories"])
        #expect(try names(1, 1) == ["Lieder"])
        #expect(try names(0, 2, reversed: true) == ["stories", "Lieder"])
        // Another order does not exist.
        #expect(try names(0, 1, "Modified") == ["calm.m3u"])
    }

    @Test func partsOutsideTheListAreEmpty() throws {
        #expect(try names(0, 0) == [] && names(3, 1) == [] && names(.max, .max) == [])
        #expect(try names(2, .max) == ["stories"] && names(0, .max, reversed: true).count == 3)
        recorder.view = nil
        #expect(try names(0, .max) == [])
        #expect(try get("PlaylistCount", of: Self.playlists) == .uint32(0))
    }

    private func activate(_ path: String) -> Result<[BusValue], BusError>? {
        var result: Result<[BusValue], BusError>?
        object.answer("ActivatePlaylist", of: Self.playlists, [.objectPath(path)], BusReply { result = $0 })
        return result
    }

    @Test func activatedPlaylistIsPlayedOnce() throws {
        #expect(activate("/org/tacet/playlist/calm_2em3u") == .success([]))
        #expect(recorder.requests == [ChoiceRequest("calm.m3u", then: .continue)])
        recorder.answer = .commandFailed("the disk has not answered in time")
        #expect(
            activate("/org/tacet/playlist/stories") == .failure(.failed("stories: the disk has not answered in time")))
    }

    @Test(arguments: [
        "/", "/org/tacet/playlist", "/org/tacet/playlist/absent", "/org/tacet/playlist/_2e_2e",
        "/org/tacet/playlist/_73tories", "/org/tacet/playlist/stories/0", "/org/tacet/track/0",
    ])
    func unknownPlaylistIsRejected(path: String) {
        guard case .failure(let error)? = activate(path) else {
            Issue.record("\(path) is accepted")
            return
        }
        #expect(error.name.hasSuffix("InvalidArgs") && recorder.requests.isEmpty)
    }

    @Test func activePlaylistIsTheChoice() throws {
        let none = BusValue.structure([.objectPath("/"), .string(""), .string("")])
        #expect(try get("ActivePlaylist", of: Self.playlists) == .structure([.bool(false), none]))
        show([.command(.choose(Choice(ChoiceRequest("/srv/music/stories/"), tracks: 10..<11)))])
        let stories = BusValue.structure([
            .objectPath("/org/tacet/playlist/stories"), .string("stories"), .string(""),
        ])
        #expect(try get("ActivePlaylist", of: Self.playlists) == .structure([.bool(true), stories]))
        show([.command(.choose(Choice(ChoiceRequest("0.flac"), tracks: 10..<11)))])
        #expect(try get("ActivePlaylist", of: Self.playlists) == .structure([.bool(false), none]))
    }
}
