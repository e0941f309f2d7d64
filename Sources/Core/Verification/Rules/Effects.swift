import AudioSession

/// What the lines demand under a policy, by the plainest reading of it.
struct Effects {
    /// The signals that demand silence.
    let blocking: SignalSet
    /// Those whose begin is suppressed, as alerts.
    let suppressed: SignalSet
    /// Those that lose their effect when they are found stuck.
    let released: SignalSet
    private let ducks: [(signal: Int, level: Level)]
    /// Those of the ducks, each once.
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
        // Speech is paused instead.
        let canDuck = policy.mode != .spokenAudio
        ducks = policy.signals.enumerated().compactMap { signal, policy in
            if canDuck, case .duck(let level) = policy.effect { (signal, level) } else { nil }
        }
        levels = Set(ducks.map(\.level)).sorted()
    }

    /// Whether some line demands silence.
    func block(_ lines: World.Lines) -> Bool { !lines.inForce.isDisjoint(with: blocking) }

    /// The loudest that the lines allow; nil if none of them ducks.
    func ceiling(_ lines: World.Lines) -> Level? {
        let inForce = lines.inForce
        return ducks.reduce(nil) { inForce[$1.signal] ? min($0 ?? .full, $1.level) : $0 }
    }

    /// The loudest that the lines allow.
    func loudest(_ lines: World.Lines) -> Level { ceiling(lines) ?? .full }

    /// The loudest that the lines allow, and the duck that has just ended.
    func ceiling(_ world: World) -> Level {
        ceiling(world.lines) ?? (world.heldDuck > 0 ? levels[Int(world.heldDuck) - 1] : .full)
    }

    /// A ducking level's number, from 1.
    func number(of level: Level) -> UInt8 { UInt8(clamping: (levels.firstIndex(of: level) ?? -1) + 1) }
}
