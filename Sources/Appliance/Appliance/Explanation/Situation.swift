import AudioSession
import GPIO
import Signals

/// All that the words for people are made of: what is so, why, and what is wrong. A value of one instant.
struct Situation {
    var scene: Scene
    var health = Health()
    /// Where the signals' lines are, as far as they are known.
    var places: [SignalID: FoundLine] = [:]
    /// Signals that have been released, and are active until their `ReleaseDelay` is over.
    var releases: [SignalID: PendingRelease] = [:]
    /// On the session's clock.
    var now = Duration.zero
    /// When what is heard changed last: by the wall clock, and how long ago.
    var changed: (wallClock: Duration, elapsed: Duration) = (.zero, .zero)

    var session: Session { scene.session }

    /// Nil while something is heard.
    var quietCause: QuietCause? { scene.quietCause }

    /// What is wrong: with signals, and with the appliance.
    var complaints: [String] { session.faults.map { "\($0.signal) \($0.kind.rawValue)" } + health.words }
}
