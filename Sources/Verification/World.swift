import AudioSession

/// A session with as much of the world around it as the rules speak of.
///
/// What it keeps besides the session is kept by the plainest bookkeeping there is, independently of the session's own,
/// so that the two can be compared.
struct World: Hashable {
    /// nil while the power is off.
    var session: AudioSession?
    /// What a boot reads while the power is off; nil before the first save.
    var lastSaved: SavedSession?
    var deviceIsThere = true
    var late = false
    var lines: [Line]
    /// Whether the user's last word about playing was a pause or a stop.
    var userWantsQuiet = false
    /// Whether the last `began` of an episode has had no `ended` yet, as an observer heard them.
    var observedInterrupted = false

    struct Line: Hashable {
        var asserted = false
        /// It was asserted and is not in force: suppressed when it began, or dropped as stuck.
        var ineffective = false
        var stuck = false
        var chatters = false
    }

    init(_ policy: Policy) { lines = Array(repeating: Line(), count: policy.signals.count) }

    /// Instants that are further apart than any `ResumeWithin` can be.
    var now: Duration { late ? .seconds(1_000_000_000_000) : .zero }

    /// What a boot would read: whatever changes it is saved when it happens.
    var saved: SavedSession? { session.map(\.saved) ?? lastSaved }

    /// What a boot finds.
    func bootEvent(_ policy: Policy) -> Event {
        let levels = zip(policy.signals, lines).map { ($0.id, $1.asserted ? Boot.Line.asserted : .deasserted) }
        return .boot(
            Boot(
                saved: saved, lines: Dictionary(uniqueKeysWithValues: levels), servicesAvailable: deviceIsThere,
                trackCount: Explorer.trackCount))
    }

    /// Whether some line demands silence.
    func blocks(_ policy: Policy) -> Bool {
        zip(policy.signals, lines).contains { signal, line in
            guard line.asserted || line.chatters, !line.ineffective else { return false }
            switch signal.effect {
            case .pause: return true
            case .duck: return policy.mode == .spokenAudio
            case .muteMicrophone:
                return policy.category != .playback && !policy.options.contains(.overrideMutedMicrophoneInterruption)
            case .checkpoint, .ignore: return false
            }
        }
    }

    /// The loudest that the lines allow.
    func ceiling(_ policy: Policy) -> Level {
        zip(policy.signals, lines).compactMap { signal, line in
            guard line.asserted || line.chatters, !line.ineffective, case .duck(let level) = signal.effect else {
                return nil
            }
            return level
        }.min() ?? .full
    }
}
