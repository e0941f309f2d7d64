import AudioSession

/// The effect that the lines require under a policy, computed as directly as possible and independently of the session's
/// code.
struct Effects {
    /// The signals that require silence.
    let blocking: SignalSet
    /// The signals whose begin is suppressed, as alerts.
    let suppressed: SignalSet
    /// The signals that lose their effect when they become stuck.
    let released: SignalSet
    private let ducks: [(signal: Int, level: Level)]
    /// The distinct levels of `ducks`, in ascending order.
    private let levels: [Level]

    init(_ policy: Policy) {
        blocking = SignalSet(policy.signals) { signal in
            switch signal.effect {
            case .pause: true
            case .duck: policy.mode == .spokenAudio
            case .muteMicrophone:
                policy.category != .playback && !policy.options.contains(.overrideMutedMicrophoneInterruption)
            case .checkpoint, .ignore: false
            }
        }
        suppressed = SignalSet(policy.signals) { signal in
            guard policy.prefersNoInterruptionsFromSystemAlerts, signal.isAlert else { return false }
            return switch signal.effect {
            case .pause, .duck, .muteMicrophone: true
            case .checkpoint, .ignore: false
            }
        }
        released = SignalSet(policy.signals) { $0.whenStuck == .release }
        // Speech pauses instead of ducking.
        let canDuck = policy.mode != .spokenAudio
        ducks = policy.signals.enumerated().compactMap { signal, policy in
            if canDuck, case .duck(let level) = policy.effect { (signal, level) } else { nil }
        }
        levels = Set(ducks.map(\.level)).sorted()
    }

    /// Whether a line requires silence.
    func block(_ lines: ExplorerState.Lines) -> Bool { !lines.active.isDisjoint(with: blocking) }

    /// The highest level that the lines allow; nil if none of them ducks.
    func ceiling(_ lines: ExplorerState.Lines) -> Level? {
        let active = lines.active
        return ducks.reduce(nil) { active[$1.signal] ? min($0 ?? .full, $1.level) : $0 }
    }

    /// The highest level that the lines allow.
    func loudest(_ lines: ExplorerState.Lines) -> Level { ceiling(lines) ?? .full }

    /// The highest level that the lines and a duck held by a `ResumeDelay` allow.
    func ceiling(_ state: ExplorerState) -> Level {
        ceiling(state.lines) ?? (state.heldDuck > 0 ? levels[Int(state.heldDuck) - 1] : .full)
    }

    /// A ducking level's number, from 1.
    func number(of level: Level) -> UInt8 { UInt8(clamping: (levels.firstIndex(of: level) ?? -1) + 1) }
}
