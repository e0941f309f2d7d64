import AudioSession
import GPIO
import Signals

/// Everything that the words for people are made of: the state, its causes and what is wrong, at one instant.
struct Situation {
    var scene: Scene
    var health = Health()
    /// The signals' lines, as far as they are known.
    var places: [SignalID: FoundLine] = [:]
    /// Signals that have been released, but stay active until their `ReleaseDelay` has elapsed.
    var releases: [SignalID: PendingRelease] = [:]
    /// On the session's clock.
    var now = Duration.zero
    /// When the sound last changed: by the wall clock, and how long ago.
    var changed: (wallClock: Duration, elapsed: Duration) = (.zero, .zero)

    var session: Session { scene.session }

    /// Nil while something is heard.
    var quietCause: QuietCause? { scene.quietCause }

    /// What is wrong: with signals, and with the appliance.
    var complaints: [String] { session.faults.map { "\($0.signal) \($0.kind.rawValue)" } + health.words }
}
