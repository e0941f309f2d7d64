import AudioSession
import Playback
import Systemd
import Vocabulary

extension BusInterface {
    /// The interface `org.mpris.MediaPlayer2.Playlists`. The playlists are the M3U files in the library's folder and the
    /// folders in it. A playlist with another name is another playlist, so `PlaylistChanged` is never emitted.
    static func playlists(_ remote: any Remote) -> BusInterface {
        BusInterface(
            SessionAddress.playlists,
            methods: [
                // A playlist is played once, and then the library continues where it was left, as with `OpenUri`.
                BusMethod("ActivatePlaylist", [BusArgument("PlaylistId", "o")], answersLater: []) {
                    arguments, reply throws(BusError) in
                    guard case .objectPath(let path) = arguments[0], let name = PlaylistID.name(of: path),
                        remote.view?.playlists.names.contains(name) == true
                    else { throw .invalidArguments("the library has no such playlist: GetPlaylists lists them") }
                    remote.choose(ChoiceRequest(name)) { reply.answer($0, to: name) }
                },
                BusMethod(
                    "GetPlaylists",
                    [
                        BusArgument("Index", "u"), BusArgument("MaxCount", "u"), BusArgument("Order", "s"),
                        BusArgument("ReverseOrder", "b"),
                    ], answers: [BusArgument("Playlists", "a(oss)")], isQuestion: true
                ) { arguments in
                    // There is only one order, so it takes the place of any other.
                    guard case .uint32(let index) = arguments[0], case .uint32(let count) = arguments[1],
                        case .bool(let isReversed) = arguments[3]
                    else { return [.array(of: "(oss)", [])] }
                    let names = remote.view?.playlists.names ?? []
                    let ordered = isReversed ? names.reversed() : names
                    let part = ordered.dropFirst(Int(index)).prefix(Int(count))
                    return [.array(of: "(oss)", part.map(PlaylistID.description))]
                },
            ],
            properties: [
                BusProperty(
                    "PlaylistCount", "u", get: { .uint32(UInt32(clamping: remote.view?.playlists.names.count ?? 0)) }),
                .constant("Orderings", .strings(["Alphabetical"])),
                BusProperty("ActivePlaylist", "(b(oss))", get: { PlaylistID.active(remote.view?.activePlaylist) }),
            ])
    }
}

extension RemoteView {
    /// The name of the playlist that is played in place of the library's list, or nil if there is none.
    var activePlaylist: String? { scene.session.choice.flatMap { playlists.name(of: $0.request.name) } }
}

/// The paths that identify playlists on the bus.
private enum PlaylistID {
    private static let prefix = "/org/tacet/playlist"

    static func name(of path: String) -> String? { BusValue.name(of: path, in: prefix) }

    /// Describes a playlist with its ID, its name and no icon.
    static func description(_ name: String) -> BusValue {
        .structure([.objectPath(BusValue.path(prefix, to: name)), .string(name), .string("")])
    }

    /// Describes the active playlist. If there is none, MPRIS suggests the path of the root.
    static func active(_ name: String?) -> BusValue {
        let none = BusValue.structure([.objectPath("/"), .string(""), .string("")])
        return .structure([.bool(name != nil), name.map(description) ?? none])
    }
}
