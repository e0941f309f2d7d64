import AudioSession
import Configuration
import Spelling
import Supervisor
import Time

/// The longest time until a signal takes effect. The daemon logs a warning if it takes longer.
struct StatedBound {
    let signal: SignalID
    let bound: ReactionBound

    /// Returns nil if the signal does not change what is played.
    init?(_ signal: SignalID, _ configuration: Configuration) {
        guard let bound = ReactionBound(of: signal, under: configuration) else { return nil }
        self.signal = signal
        self.bound = bound
    }

    /// The bound as text, such as
    /// `phone-call silences the music within 150 ms (debounce 30 ms + queue 60 ms + fade 60 ms)`.
    var text: String {
        let effect =
            switch bound.directive {
            case .play(let level) where level != .mute: "ducks the music to \(level) dB"
            case .play, .silent: "silences the music"
            }
        return "\(signal) \(effect) within \(bound.total.inMilliseconds) (debounce "
            + "\(bound.debounce.inMilliseconds) + queue \(bound.queue.inMilliseconds) + fade "
            + "\(bound.ramp.inMilliseconds))"
            + bound.mutes.map { ", asserts \($0) within \(bound.muted.inMilliseconds)" }.joined()
    }

    var json: String {
        JSON.object([
            ("signal", JSON.string(signal.rawValue)), ("bound_usec", "\(bound.total.wholeMicroseconds)"),
            ("debounce_usec", "\(bound.debounce.wholeMicroseconds)"),
            ("queue_usec", "\(bound.queue.wholeMicroseconds)"),
            ("fade_usec", "\(bound.ramp.wholeMicroseconds)"),
            ("mute_usec", bound.mutes.isEmpty ? "null" : "\(bound.muted.wholeMicroseconds)"),
        ])
    }
}
