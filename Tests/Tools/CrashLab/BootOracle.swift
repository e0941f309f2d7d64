import AudioSession
import Configuration
import ResumeStore

/// The expected result of a boot, derived from the rules for resuming after a power cut, and independent of the
/// session's code. The rules:
///
/// - A signal is active if it is asserted at boot, unless it had been suppressed or dropped before, or is a new alert
///   and the policy prefers no interruptions from alerts. A signal that was active when the power failed stays active
///   for its release delay.
/// - Without a saved state, the policy's `autoPlay` decides whether the appliance plays.
/// - If an interruption of a playing programme ended while the power was off, and the user gave no command during it,
///   the programme continues only if the interruption recommended that, and every signal that caused it resumes
///   automatically and lasted no longer than its `resumeWithin`. Otherwise it stays paused, if there are means to
///   resume it.
struct BootOracle {
    let intent: String
    let directive: Directive

    /// - Parameters:
    ///   - state: the saved state, if any.
    ///   - elapsed: how long the power was off according to the wall clock.
    init(
        _ state: SavedState?, _ configuration: Configuration, levels: [SignalID: Bool], isDeviceAvailable: Bool,
        elapsed: Duration
    ) {
        let policy = configuration.session
        func held(_ signal: SignalPolicy) -> SavedState.Held? { state?.held.first { $0.signal == signal.id.rawValue } }
        // A signal that was suppressed or dropped before has no effect until it has been deasserted.
        let active = policy.signals.filter { signal in
            guard levels[signal.id] == true else {
                let delay = configuration.lines[signal.id]?.releaseDelay ?? .zero
                return held(signal)?.standing == "inForce" && delay > .zero
            }
            if let held = held(signal) { return held.standing == "inForce" }
            return !(signal.isAlert && policy.prefersNoInterruptionsFromSystemAlerts)
        }
        let isPaused = active.contains { $0.effect == .pause }
        var intent = state?.intent ?? (policy.autoPlay ? "playing" : "stopped")
        if !isPaused, let episode = state?.episode, episode.lastWord == nil, intent == "playing" {
            let recommended = policy.signals.allSatisfy { signal in
                guard let held = held(signal), held.standing == "inForce", levels[signal.id] != true,
                    signal.effect == .pause
                else { return true }
                return signal.resume == .auto && signal.resumeWithin.map { held.age + elapsed <= $0 } ?? true
            }
            if !(recommended && episode.recommendsResuming), policy.hasPlaybackInterface { intent = "paused" }
        }
        self.intent = intent
        guard intent == "playing", !isPaused, isDeviceAvailable else {
            directive = .silent
            return
        }
        let levels = active.compactMap { if case .duck(let level) = $0.effect { level } else { nil } }
        directive = .play(levels.min() ?? .full)
    }
}
