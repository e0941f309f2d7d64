import AudioSession

/// The effect that the lines require under a policy, computed as directly as possible and independently of the code of
/// the session.
struct Effects {
    /// The signals that require silence.
    let blocking: SignalSet
    /// The signals that mute the microphone.
    let muting: SignalSet
    /// The signals that are suppressed as alerts when they begin.
    let suppressed: SignalSet
    /// The signals that lose their effect when they become stuck.
    let released: SignalSet
    /// The signals that name a cue.
    let cues: SignalSet
    let hasSounds: Bool
    /// True if the lines do not prevent a recording.
    let recordAnyway: Bool
    private let policy: Policy
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
        muting = SignalSet(policy.signals) { $0.effect == .muteMicrophone }
        suppressed = SignalSet(policy.signals) { signal in
            guard policy.prefersNoInterruptionsFromSystemAlerts, signal.isAlert else { return false }
            return switch signal.effect {
            case .pause, .duck, .muteMicrophone: true
            case .checkpoint, .ignore: false
            }
        }
        self.policy = policy
        cues = SignalSet(policy.signals) { $0.cue != nil }
        hasSounds = !policy.sounds.isEmpty
        recordAnyway = policy.category != .playback && policy.recorder?.during == .interruptions
        released = SignalSet(policy.signals) { $0.whenStuck == .release }
        // Speech pauses instead of being ducked.
        let canDuck = policy.mode != .spokenAudio
        ducks = policy.signals.enumerated().compactMap { signal, policy in
            if canDuck, case .duck(let level) = policy.effect { (signal, level) } else { nil }
        }
        levels = Set(ducks.map(\.level)).sorted()
    }

    /// Returns true if a line requires silence.
    func block(_ lines: ExplorerState.Lines) -> Bool { !lines.active.isDisjoint(with: blocking) }

    /// Returns true if a line mutes the microphone.
    func mute(_ lines: ExplorerState.Lines) -> Bool { !lines.active.isDisjoint(with: muting) }

    /// Returns the highest level that the lines allow, or nil if none of them ducks.
    func ceiling(_ lines: ExplorerState.Lines) -> Level? {
        let active = lines.active
        return ducks.reduce(nil) { active[$1.signal] ? min($0 ?? .full, $1.level) : $0 }
    }

    /// Returns the highest level that the lines allow.
    func loudest(_ lines: ExplorerState.Lines) -> Level { ceiling(lines) ?? .full }

    /// Returns the highest level that the lines and a duck held by a `ResumeDelay` allow.
    func ceiling(_ state: ExplorerState) -> Level {
        ceiling(state.lines) ?? (state.heldDuck > 0 ? levels[Int(state.heldDuck) - 1] : .full)
    }

    /// Returns the number of a ducking level, counted from 1.
    func number(of level: Level) -> UInt8 { UInt8(clamping: (levels.firstIndex(of: level) ?? -1) + 1) }

    // MARK: Sounds

    func index(of signal: SignalID) -> Int? { policy.signals.firstIndex { $0.id == signal } }

    /// Returns the highest priority of the lines that require silence, below which no sound plays. Returns `Int.min` if
    /// no line requires silence.
    func requiredPriority(_ lines: ExplorerState.Lines) -> Int {
        let requiring = lines.active.intersection(blocking)
        return policy.signals.indices.filter { requiring[$0] }.map { policy.signals[$0].priority }.max() ?? Int.min
    }

    /// Returns the highest level of the music while a sound plays, which is `mute` for silence, or nil if the music may
    /// play at any level.
    func ceiling(of due: DueSound) -> Level? {
        switch due.request {
        case .cue(let id):
            guard let signal = index(of: id) else { return nil }
            return blocking[signal] ? .mute : ducks.first { $0.signal == signal }?.level
        case .announcement:
            switch policy.sounds.first(where: { $0.id == due.sound })?.effect {
            case .duck(let level)?: return policy.mode == .spokenAudio ? .mute : level
            case .pause?: return .mute
            case .mix?, nil: return nil
            }
        }
    }

    /// Returns true if the due sound is an announcement that pauses the music.
    func pauses(_ due: DueSound?) -> Bool {
        guard let due, due.isAnnouncement else { return false }
        return switch policy.sounds.first(where: { $0.id == due.sound })?.effect {
        case .pause?: true
        case .duck?: policy.mode == .spokenAudio
        case .mix?, nil: false
        }
    }
}
