import AudioSession
import Configuration
import Playback
import Systemd
import Time
import Vocabulary

extension BusInterface {
    /// The interface `org.mpris.MediaPlayer2.Player`. Its commands do not return answers, but those of `Session1` do.
    static func player(_ remote: any Remote) -> BusInterface {
        BusInterface(
            SessionAddress.player, methods: playerMethods(remote), properties: playerProperties(remote),
            signals: [BusSignal(PlayerSignal.seeked.rawValue, [BusArgument("Position", "x")])])
    }

    private static func playerMethods(_ remote: any Remote) -> [BusMethod] {
        func simple(_ name: String, _ command: Command) -> BusMethod {
            BusMethod(name) { _ in
                _ = remote.command(command)
                return []
            }
        }
        return [
            simple("Next", .next), simple("Previous", .previous), simple("Pause", .pause),
            simple("PlayPause", .playPause), simple("Stop", .stop), simple("Play", .play),
            BusMethod("Seek", [BusArgument("Offset", "x")]) { arguments in
                if case .int64(let offset) = arguments[0] { remote.execute(.seek(by: .microseconds(offset))) }
                return []
            },
            BusMethod("SetPosition", [BusArgument("TrackId", "o"), BusArgument("Position", "x")]) { arguments in
                // MPRIS requires that a request for a track that is no longer the current one be ignored.
                guard case .objectPath(let track) = arguments[0], case .int64(let position) = arguments[1],
                    let view = remote.view, track == view.trackID, position >= 0,
                    view.length.map({ .microseconds(position) <= $0 }) ?? true
                else { return [] }
                _ = remote.command(.seek(to: .microseconds(position)))
                return []
            },
            BusMethod("OpenUri", [BusArgument("Uri", "s")], answersLater: []) { arguments, reply throws(BusError) in
                guard case .string(let address) = arguments[0], let file = Track(fileURL: address) else {
                    throw .invalidArguments(
                        "OpenUri takes the address of a file in Library=, such as file:///srv/music/a.flac")
                }
                remote.choose(ChoiceRequest(file.path)) { reply.answer($0, to: file.path) }
            },
        ]
    }

    private static func playerProperties(_ remote: any Remote) -> [BusProperty] {
        [
            BusProperty(.playbackStatus, get: { .string(remote.view?.playbackStatus ?? "Stopped") }),
            BusProperty(
                .loopStatus, get: { .string(remote.view?.loopStatus ?? "None") },
                set: { value throws(BusError) in
                    guard case .string(let text) = value, let repeats = Policy.Repeat(loopStatus: text) else {
                        throw .invalidArguments("LoopStatus must be None, Track or Playlist")
                    }
                    remote.setModes(repeats: repeats, shuffle: nil)
                }),
            BusProperty(
                .rate, get: { .double(1) },
                set: { value throws(BusError) in
                    // In MPRIS, a rate of 0 is a pause. No other rate is supported.
                    if value == .double(0) { _ = remote.command(.pause) }
                }),
            BusProperty(
                .shuffle, get: { .bool(remote.view?.shuffle ?? false) },
                set: { value throws(BusError) in
                    guard case .bool(let shuffle) = value else { throw .invalidArguments("Shuffle must be a boolean") }
                    remote.setModes(repeats: nil, shuffle: shuffle)
                }),
            BusProperty(.metadata, get: { remote.view?.metadata ?? .dictionary([:]) }),
            BusProperty(
                .volume, get: { .double(remote.view?.scene.session.volume.amplitude ?? 1) },
                set: { value throws(BusError) in
                    guard case .double(let amplitude) = value, !amplitude.isNaN else {
                        throw .invalidArguments("Volume must be a number from 0 to 1")
                    }
                    _ = remote.command(.volume(Level(amplitude: amplitude)))
                }),
            BusProperty(
                .position, change: .noSignal,
                get: {
                    .int64(remote.view?.position.wholeMicroseconds ?? 0)
                }),
            .constant(PlayerProperty.minimumRate.rawValue, .double(1)),
            .constant(PlayerProperty.maximumRate.rawValue, .double(1)),
            BusProperty(.canGoNext, get: { .bool(remote.view?.scene.session.canSkip ?? false) }),
            BusProperty(.canGoPrevious, get: { .bool(remote.view?.scene.session.canSkip ?? false) }),
            BusProperty(.canPlay, get: { .bool(remote.view?.scene.session.hasContent ?? false) }),
            BusProperty(.canPause, get: { .bool(remote.view?.scene.session.hasContent ?? false) }),
            BusProperty(.canSeek, get: { .bool(remote.view?.scene.session.canSkip ?? false) }),
            .constant(PlayerProperty.canControl.rawValue, .bool(true)),
        ]
    }
}

extension RemoteView {
    /// The status. MPRIS does not define a status for an interruption, so music that is interrupted is reported as
    /// paused.
    var playbackStatus: String {
        let session = scene.session
        if !session.hasContent || session.intent == .stopped { return "Stopped" }
        // Music that does not advance is reported as paused, because clients count the seconds themselves.
        if case .stalled(let stall)? = context.quietCause, stall != .output { return "Paused" }
        return session.directive == .silent ? "Paused" : "Playing"
    }

    var loopStatus: String { scene.session.policy.repeats.loopStatus }

    var shuffle: Bool { scene.isShuffled ?? scene.configuration.playback.shuffle }

    /// The selected input, or nil if the library is selected.
    private var input: InputID? { if case .input(let input) = scene.session.source { input } else { nil } }

    /// The position in the track, which is 0 for an input.
    var position: Duration { input == nil ? scene.position ?? .zero : .zero }

    /// The ID of the track. Each position in the playing order has its own ID, because a list may contain a track
    /// twice. Each input has its own ID.
    var trackID: String {
        if let input { return BusValue.path("/org/tacet/input", to: input.rawValue) }
        return (scene.trackNumber ?? scene.session.track).map(TrackID.path) ?? TrackID.none
    }

    var metadata: BusValue {
        var values: [TrackKey: BusValue] = [.id: .objectPath(trackID)]
        if let input {
            values.merge(metadata(of: input)) { $1 }
            return .metadata(values)
        }
        guard let path = scene.track else { return .metadata(values) }
        values[.url] = .string((scene.file ?? Track(path: path)).fileURL)
        values[.title] = .string(tags?.title ?? path.split(separator: "/").last.map(String.init) ?? path)
        values[.length] = (length ?? tags?.length).map { .int64($0.wholeMicroseconds) }
        values[.picture] = art.map { .string($0.fileURL) }
        values[.artist] = tags.flatMap { $0.artists.isEmpty ? nil : .strings($0.artists) }
        values[.album] = tags?.album.map(BusValue.string)
        values[.genre] = tags?.genre.map { .strings([$0]) }
        values[.comment] = tags?.comment.map { .strings([$0]) }
        values[.number] = tags?.trackNumber.map { .int32(Int32(clamping: $0)) }
        return .metadata(values)
    }
}

extension BusReply {
    /// Answers a request to play something by its name. MPRIS does not have answers, so only a failure is an error.
    func answer(_ answer: Answer, to name: String) {
        switch answer {
        case .success, .deferred: self.answer([])
        case .noActionableNowPlayingItem, .noSuchContent, .commandFailed:
            refuse(.failed("\(name): \(answer.reason.isEmpty ? answer.name : answer.reason)"))
        }
    }
}

/// The paths that identify tracks on the bus.
enum TrackID {
    /// The path that takes the place of a track if there is none.
    static let none = "/org/mpris/MediaPlayer2/TrackList/NoTrack"
    private static let prefix = "/org/tacet/track/"

    static func path(_ number: Int) -> String { "\(prefix)\(number)" }

    /// Returns the number of the track that a path identifies, or nil if `path` does not return that path for any track.
    static func number(of path: String) -> Int? {
        guard path.hasPrefix(prefix), let number = Int(path.dropFirst(prefix.count)), number >= 0,
            Self.path(number) == path
        else { return nil }
        return number
    }
}

extension BusValue {
    static func metadata(_ values: [TrackKey: BusValue]) -> BusValue {
        .dictionary(Dictionary(uniqueKeysWithValues: values.map { ($0.key.rawValue, $0.value) }))
    }
}

extension BusProperty {
    fileprivate init(
        _ property: PlayerProperty, change: Change = .emitsSignal, get: @escaping () -> BusValue,
        set: ((BusValue) throws(BusError) -> Void)? = nil
    ) {
        self.init(property.rawValue, property.type, change: change, get: get, set: set)
    }
}

extension Policy.Repeat {
    /// The word that MPRIS uses.
    fileprivate var loopStatus: String {
        switch self {
        case .none: "None"
        case .track: "Track"
        case .playlist: "Playlist"
        }
    }

    fileprivate init?(loopStatus: String) {
        guard let value = Self.allCases.first(where: { $0.loopStatus == loopStatus }) else { return nil }
        self = value
    }
}
