import AudioSession
import Playback
import Systemd
import Vocabulary

extension BusInterface {
    /// The interface `org.mpris.MediaPlayer2.TrackList`. A library may have 250,000 tracks, so the list contains only those
    /// around the current one, as the specification recommends. Clients cannot change it.
    ///
    /// If the list changes, for example because a choice begins or ends or because the current track approaches its end,
    /// it is replaced as a whole.
    static func trackList(_ remote: any Remote) -> BusInterface {
        BusInterface(
            SessionAddress.trackList,
            methods: [
                BusMethod(
                    "GetTracksMetadata", [BusArgument("TrackIds", "ao")], answers: [BusArgument("Metadata", "aa{sv}")],
                    isQuestion: true
                ) { arguments in
                    [.array(of: "a{sv}", remote.view?.metadata(ofTracks: arguments[0].elements) ?? [])]
                },
                BusMethod(
                    "AddTrack",
                    [BusArgument("Uri", "s"), BusArgument("AfterTrack", "o"), BusArgument("SetAsCurrent", "b")]
                ) { _ in [] },
                BusMethod("RemoveTrack", [BusArgument("TrackId", "o")]) { _ in [] },
                BusMethod("GoTo", [BusArgument("TrackId", "o")]) { arguments in
                    // MPRIS requires that a track that is not in the list have no effect.
                    guard case .objectPath(let path) = arguments[0], let number = TrackID.number(of: path),
                        remote.view?.list().numbers.contains(number) == true
                    else { return [] }
                    _ = remote.command(.goTo(track: number))
                    return []
                },
            ],
            properties: [
                BusProperty(
                    TrackListMember.tracks.rawValue, "ao", change: .invalidates,
                    get: { remote.view?.trackIDs ?? .array(of: "o", []) }),
                .constant("CanEditTracks", .bool(false)),
            ],
            signals: [
                BusSignal(
                    TrackListMember.replaced.rawValue, [BusArgument("Tracks", "ao"), BusArgument("CurrentTrack", "o")])
            ])
    }
}

extension RemoteView {
    /// The IDs of the listed tracks, in the order in which they are played.
    var trackIDs: BusValue { list().ids }

    /// The metadata of those of the tracks that are listed. Each of them is described once, however often a client names
    /// it. The tags of tracks other than the current one are unknown, because they are on the disk.
    func metadata(ofTracks ids: [BusValue]) -> [BusValue] {
        let list = list()
        var described: Set<Int> = []
        return ids.compactMap { id in
            guard case .objectPath(let path) = id, let number = TrackID.number(of: path), let track = list[number],
                described.insert(number).inserted
            else { return nil }
            if path == trackID { return metadata }
            return .metadata([.id: .objectPath(path), .url: .string(track.fileURL), .title: .string(track.name)])
        }
    }
}

extension ListedTracks {
    /// The IDs of the tracks, in the order in which they are played.
    private var paths: [String] { numbers.map(TrackID.path) }

    var ids: BusValue { .array(of: "o", paths.map(BusValue.objectPath)) }

    /// The values of `TrackListReplaced`. A track of another list, such as an input, is not the current one of this list.
    func replacement(current: String) -> [BusValue] {
        [ids, .objectPath(paths.contains(current) ? current : TrackID.none)]
    }
}
