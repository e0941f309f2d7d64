import AudioSession

/// The signals that a session treats alike. If two of them exchange their states, the result is equivalent, so an
/// exploration visits only one of both states.
///
/// Signals are alike if the session distinguishes them only by their names, which it uses in reports. A session applies
/// edges that were read together in the order of the names, but rule 7 requires that this order does not matter. If
/// several cues are requested at the same instant, their order depends on the names, so a signal with a cue is like no
/// other.
struct SignalSymmetry {
    /// For each signal, the nearest signal before it that is treated alike, or -1 if there is none.
    let before: [Int]
    /// The signals that have such a signal before them.
    let followers: SignalSet

    /// No signal is like another.
    init() {
        before = []
        followers = []
    }

    /// - Parameters:
    ///   - stuck: the signals that can become stuck.
    ///   - announcements: the announcements that can be requested.
    init(_ policy: Policy, _ effects: Effects, stuck: SignalSet, announcements: [Announcement]) {
        let kinds = SignalKind.all(
            policy, effects, stuck: stuck,
            priorities: announcements.map { announcement in
                announcement.effectivePriority(
                    own: policy.sounds.first { $0.id == announcement.sound }?.priority ?? 0)
            })
        before = kinds.indices.map { signal in kinds[..<signal].lastIndex(of: kinds[signal]) ?? -1 }
        followers = SignalSet(before) { $0 >= 0 }
    }
}

/// The properties of a signal that a session distinguishes.
private struct SignalKind: Hashable {
    private let effect: Effect
    private let isSuppressed: Bool
    /// The behaviour of a stuck signal, or nil if it cannot become stuck.
    private var whenStuck: SignalPolicy.WhenStuck?
    /// The behaviour at the end of a signal that blocks, or nil if it does not block.
    private let resume: SignalPolicy.Resume?
    private let resumeWithin: Duration?
    /// The results of comparing the priority of a signal that blocks with those of sounds.
    private let silences: [Bool]
    private let input: InputID?
    /// The index of a signal with a cue, which is like no other.
    private let unique: Int?

    /// - Parameter priorities: the priorities of the announcements.
    static func all(_ policy: Policy, _ effects: Effects, stuck: SignalSet, priorities: [Int]) -> [SignalKind] {
        let priorities = priorities + policy.signals.filter { $0.cue != nil }.map(\.priority)
        return policy.signals.indices.map { signal in
            SignalKind(signal, policy.signals[signal], effects, canBeStuck: stuck[signal], priorities)
        }
    }

    private init(
        _ signal: Int, _ policy: SignalPolicy, _ effects: Effects, canBeStuck: Bool, _ priorities: [Int]
    ) {
        let blocks = effects.blocking[signal]
        effect = policy.effect
        isSuppressed = effects.suppressed[signal]
        whenStuck = canBeStuck ? policy.whenStuck : nil
        resume = blocks ? policy.resume : nil
        resumeWithin = blocks && policy.resume == .auto ? policy.resumeWithin : nil
        silences = blocks ? priorities.map { $0 < policy.priority } : []
        input = policy.input
        unique = policy.cue == nil ? nil : signal
    }

    var canBeStuck: Bool { whenStuck != nil }

    /// Returns true if a signal of this kind can do everything that a signal of the other kind can do.
    func covers(_ other: SignalKind) -> Bool {
        guard self != other else { return true }
        var unstuck = self
        unstuck.whenStuck = nil
        return unstuck == other
    }
}

/// A choice of the signals of a policy that omits those of which the choice contains enough similar ones.
public struct RepresentativeSignals {
    /// The signals of the choice, in the order of the policy.
    public let signals: [SignalPolicy]
    /// For each signal that is omitted, one in the choice that can do everything that it can do.
    public let representatives: [SignalID: SignalID]

    /// - Parameters:
    ///   - stuck: the signals that can become stuck.
    ///   - most: the number of similar signals to keep.
    public init(_ policy: Policy, stuck: Set<SignalID>, most: Int) {
        let kinds = SignalKind.all(
            policy, Effects(policy), stuck: SignalSet(policy.signals) { stuck.contains($0.id) },
            priorities: policy.sounds.map(\.priority))
        var kept: [Int] = []
        var representatives: [SignalID: SignalID] = [:]
        // A signal that can become stuck can do everything that a similar one can do that cannot.
        let signals = policy.signals.indices
        for signal in signals.filter({ kinds[$0].canBeStuck }) + signals.filter({ !kinds[$0].canBeStuck }) {
            let similar = kept.filter { kinds[$0].covers(kinds[signal]) }
            if similar.count >= most, let first = similar.first {
                representatives[policy.signals[signal].id] = policy.signals[first].id
            } else {
                kept.append(signal)
            }
        }
        self.signals = kept.sorted().map { policy.signals[$0] }
        self.representatives = representatives
    }
}

extension ExplorerState.Lines {
    /// A number by which lines can be sorted that belong to signals in the same state.
    func rank(_ signal: Int) -> Int {
        (ineffective[signal] ? 8 : 0) | (stuck[signal] ? 4 : 0) | (asserted[signal] ? 2 : 0)
            | (chatters[signal] ? 1 : 0)
    }

    mutating func exchange(by sources: [Int]) {
        asserted = asserted.exchanged(by: sources)
        ineffective = ineffective.exchanged(by: sources)
        stuck = stuck.exchanged(by: sources)
        chatters = chatters.exchanged(by: sources)
    }

    mutating func swap(_ signal: Int, _ other: Int) {
        func swapped(_ set: SignalSet) -> SignalSet {
            guard set[signal] != set[other] else { return set }
            return set.symmetricDifference([SignalSet(signal), SignalSet(other)])
        }
        asserted = swapped(asserted)
        ineffective = swapped(ineffective)
        stuck = swapped(stuck)
        chatters = swapped(chatters)
    }
}
