import AudioSession
import Configuration
import ResumeStore

/// What a boot has to do, by the contract's words (section 8), and nothing of the session's code.
struct BootOracle {
    let intent: String
    let directive: Directive

    /// - Parameters:
    ///   - state: what was saved; nil: nothing.
    ///   - elapsed: for how long the power was off, as far as a wall clock can tell.
    init(
        _ state: SavedState?, _ configuration: Configuration, levels: [SignalID: Bool], deviceIsThere: Bool,
        elapsed: Duration
    ) {
        let policy = configuration.session
        func held(_ signal: SignalPolicy) -> SavedState.Held? { state?.held.first { $0.signal == signal.id.rawValue } }
        // Asserted now; what was suppressed or dropped before has no effect until it was seen deasserted. A signal that
        // was active when the power failed stays active for its `ReleaseDelay`.
        let inForce = policy.signals.filter { signal in
            guard levels[signal.id] == true else {
                let delay = configuration.lines[signal.id]?.releaseDelay ?? .zero
                return held(signal)?.standing == "inForce" && delay > .zero
            }
            if let held = held(signal) { return held.standing == "inForce" }
            return !(signal.isAlert && policy.prefersNoInterruptionsFromSystemAlerts)
        }
        let blocks = inForce.contains { $0.effect == .pause }
        var intent = state?.intent ?? (policy.autoPlay ? "playing" : "stopped")
        if !blocks, let episode = state?.episode, episode.lastWord == nil, intent == "playing" {
            let recommended = policy.signals.allSatisfy { signal in
                guard let held = held(signal), held.standing == "inForce", levels[signal.id] != true,
                    signal.effect == .pause
                else { return true }
                return signal.resume == .auto && signal.resumeWithin.map { held.age + elapsed <= $0 } ?? true
            }
            if !(recommended && episode.recommendsResuming), policy.hasPlaybackInterface { intent = "paused" }
        }
        self.intent = intent
        guard intent == "playing", !blocks, deviceIsThere else {
            directive = .silent
            return
        }
        let levels = inForce.compactMap { if case .duck(let level) = $0.effect { level } else { nil } }
        directive = .play(levels.min() ?? .full)
    }
}
