import AudioSession
import Supervisor

/// Determines whether the position has jumped. MPRIS reports jumps with `Seeked`, because clients count the seconds
/// themselves. The type is pure.
struct PositionWatch {
    struct Place: Hashable {
        /// The index in the order of the tracks, or nil if there is no track.
        var track: Int?
        var position: Duration
        var isPlaying: Bool
        var time: Duration
    }

    /// The inaccuracy of a position that is read during playback, which comes from the device's clock and queue.
    private static let tolerance = Duration.milliseconds(50)
    /// The longest time by which a client may run ahead of music that starts late before the client is corrected.
    private static let longestLead = Duration.seconds(1)

    private var last: Place?

    /// - Parameter jumps: True if the position was set, so that clients expect a `Seeked` in any case.
    /// - Returns: True if clients need a `Seeked`. A change of track does not need one.
    mutating func moved(to place: Place, jumps: Bool) -> Bool {
        defer { last = place }
        guard let last, let track = place.track, track == last.track else { return false }
        guard !jumps else { return true }
        let expected = last.isPlaying ? last.position + (place.time - last.time) : last.position
        return place.position < last.position - Self.tolerance || place.position > expected + Self.tolerance
            || expected - place.position > Self.longestLead
    }
}

extension PositionWatch.Place {
    init(_ scene: StateSnapshot, at time: Duration) {
        self.init(
            track: scene.trackNumber ?? scene.session.track, position: scene.position ?? .zero,
            isPlaying: scene.session.directive != .silent, time: time)
    }
}

extension Report {
    /// True if the event sets the position in the track, even to the same value.
    var setsPosition: Bool {
        switch cause {
        case .event(.command(.seek), _), .event(.command(.stop), _), .event(.command(.goTo), _):
            answer == .success || answer == .deferred
        case .event(.command(.next), _), .event(.command(.previous), _), .event(.trackBegan, nil),
            .event(.playbackEnded, _):
            true
        default: false
        }
    }
}
