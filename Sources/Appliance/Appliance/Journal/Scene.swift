import AudioSession
import Configuration
import Playback
import Supervisor

/// What is so after an event, as far as the journal and the status tell of it.
public struct Scene: Sendable {
    public var session: Session
    public var configuration: Configuration
    /// Path of the current track; nil without one.
    public var track: String?
    /// The same, as the system knows it.
    var file: Track?
    /// Whether it is still being looked for.
    public var isSearching = false
    /// Its number in the order of the tracks, if it is not the session's: while the storage delays the track selected.
    public var trackNumber: Int?
    /// Where it is, or would go on.
    public var position: Duration?
    /// Of the track; nil where it is not known.
    public var length: Duration?

    public init(
        session: Session, configuration: Configuration, track: String?, position: Duration?,
        length: Duration? = nil
    ) {
        self.session = session
        self.configuration = configuration
        self.track = track
        self.position = position
        self.length = length
    }

    var isPlaying: Bool { session.directive != .silent }

    /// As traces tell of it.
    func snapshot(_ report: Report? = nil) -> Snapshot {
        Snapshot(
            session, track: track.map { Track(path: $0).name }, position: position ?? .zero,
            notifications: report?.notifications ?? [], answer: report?.answer)
    }

    /// `‘One.flac’ at 2:31`; nil without a track.
    var place: String? {
        guard let track else { return nil }
        let seconds = (position ?? .zero).components.seconds
        let (minutes, rest) = (seconds / 60, seconds % 60)
        return "‘\(track.split(separator: "/").last ?? "")’ at \(minutes):\(rest < 10 ? "0" : "")\(rest)"
    }

    /// `phone-call (PHONE_CALL), door (line 5 of gpiochip0)`
    func names(of signals: [SignalID]) -> String {
        signals.map { signal in
            configuration.wiring[signal].map { "\(signal) (\($0))" } ?? signal.rawValue
        }.joined(separator: ", ")
    }

    func effect(of signal: SignalID) -> Effect? {
        session.policy.signals.first { $0.id == signal }?.effect
    }

    /// Why it is silent though nothing interrupts, or what the user wants.
    var wish: String {
        switch session.intent {
        case .playing: "the user wants it to play"
        case .paused: "paused"
        case .stopped: "stopped"
        }
    }
}
