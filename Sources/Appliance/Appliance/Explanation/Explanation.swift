import AudioSession
import Configuration

/// Why it sounds, or does not, as it does now: one sentence that a technician can act on. Pure.
struct Explanation: CustomStringConvertible {
    let description: String

    init(_ situation: Situation) {
        let since = Explanation.since(situation.changed.wallClock, elapsed: situation.changed.elapsed)
        description = Explanation.sentence(situation, since: since)
    }

    private static func sentence(_ situation: Situation, since: String) -> String {
        let session = situation.session
        let place = situation.place(.full)
        if let cause = situation.quietCause {
            let sequel = situation.sequel(cause, .full).map { "; \($0)" } ?? ""
            let isMuteBesides = session.volume == .mute && cause != .muteVolume && cause != .nothingToPlay
            let mute = isMuteBesides ? ", and the volume is mute (\(situation.turnUp))" : ""
            return "Quiet since \(since) because \(situation.clause(cause, .full))\(sequel)\(mute)."
        }
        guard case .play(let level) = session.directive, level != .full else {
            let storage = situation.health[.storage].map { " from what was read ahead: \($0)" } ?? ""
            return "Playing \(place)\(storage)."
        }
        let ducking = session.ducking
        return "Turned down to \(level) dB since \(since) because \(situation.state(of: ducking, .full)); "
            + "back at full level \(situation.end(of: ducking, .full))."
    }

    /// Since when, and for how long: `14:03:12 (for 2min 5s)`.
    static func since(_ wallClock: Duration, elapsed: Duration) -> String {
        "\(wallClock.timeOfDay) (for \(TimeSpan.format(.seconds(elapsed.components.seconds))))"
    }
}
