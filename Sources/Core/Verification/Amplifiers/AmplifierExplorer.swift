import AudioSession

/// Visits every state that the output of an amplifier can reach, and checks rule 12.
///
/// An amplifier depends on a session only through two facts, which are whether the music plays and whether a sound is
/// due. Here, both change at any time and in any order, so that every session that any configuration can reach is
/// covered. Times are whole ticks. The behaviour of an amplifier depends only on the order of its lead, its lag and a
/// fade-out, and on which of them are zero. Lengths of up to three ticks cover all combinations.
public struct AmplifierExplorer {
    private static let longest = 3

    private let behaviour: OutputBehaviour

    public init(behaviour: OutputBehaviour = OutputBehaviour()) { self.behaviour = behaviour }

    /// Explores all lengths, and stops at the first violation.
    public func explore() -> AmplifierReport {
        var search = StateSearch(self)
        let end = search.run()
        var report = AmplifierReport(states: search.states.count, transitions: search.transitions)
        if case .violation(let what, let path) = end { report.violation = (what, path.map(\.move)) }
        return report
    }
}

extension AmplifierExplorer: StateSpace {
    var starts: [AmplifierState] {
        let lengths = 0...Self.longest
        return lengths.flatMap { lead in
            lengths.flatMap { lag in lengths.map { AmplifierState(lead: lead, lag: lag, fadeOut: $0) } }
        }
    }

    func list(_ moves: inout [AmplifierMove], from state: AmplifierState) { moves = AmplifierMove.allCases }

    func take(_ move: AmplifierMove, _ state: inout AmplifierState) -> String? {
        state.take(move, behaviour)
        return state.violation
    }
}

/// The result of an `AmplifierExplorer`.
public struct AmplifierReport {
    public let states: Int
    public let transitions: Int
    var violation: (what: String, path: [AmplifierMove])?

    /// Returns the violation of rule 12, with the shortest path as commands of a user, or nil if the rule holds.
    /// - Parameter sound: a sound to announce.
    public func violation(announcing sound: SoundID) -> ExplorationReport.Violation? {
        violation.map { violation in
            var sounds = false
            var steps = [Step.boot, .event(.command(.pause))]
            for move in violation.path {
                steps.append(move.step(announcing: sounds ? nil : sound))
                if move == .sound { sounds.toggle() }
            }
            return ExplorationReport.Violation(
                rule: 12, what: violation.what, steps: steps,
                path: steps.map { $0.description(Policy(signals: [])) }, delays: [:])
        }
    }
}

/// The behaviour of the outputs that an exploration verifies. A test substitutes a broken one, to check that the
/// exploration detects it.
public struct OutputBehaviour {
    /// Called before the sound is ordered.
    public var prepare: (inout Outputs, Set<OutputFact>, Duration) -> Void
    /// Called after the sound has been ordered, with the end of the fade-out and the time.
    public var settle: (inout Outputs, Set<OutputFact>, Duration, Duration) -> Void

    public init(
        prepare: @escaping (inout Outputs, Set<OutputFact>, Duration) -> Void = { $0.prepare($1, at: $2) },
        settle: @escaping (inout Outputs, Set<OutputFact>, Duration, Duration) -> Void = {
            $0.settle($1, quietAt: $2, at: $3)
        }
    ) {
        self.prepare = prepare
        self.settle = settle
    }
}

/// Something that can happen to the music and the sounds.
enum AmplifierMove: Hashable, CaseIterable {
    /// The directive changes between play and silence.
    case playback
    /// A sound becomes due, or is cut.
    case sound
    /// The music and the sound stop without a fade-out.
    case deviceLost
    /// A tick passes.
    case moment

    /// Returns the step that corresponds to the move in a session that is paused and has no signals.
    /// - Parameter sound: the sound to announce, or nil to withdraw it.
    func step(announcing sound: SoundID?) -> Step {
        switch self {
        case .playback: .event(.command(.playPause))
        case .sound: .event(.command(sound.map { .announce(Announcement($0)) } ?? .hush))
        case .deviceLost: .event(.mediaServicesLost)
        case .moment: .moment
        }
    }
}

/// The outputs, and an independent and very simple record of what is played. All times are in ticks from now.
struct AmplifierState: Hashable, Numerable {
    private static let id = OutputID("amplifier")

    private let lead: Int
    private let lag: Int
    private let fadeOut: Int
    /// The outputs. They include a second amplifier, for which playback must also wait.
    private var outputs: Outputs
    private var playback = Playback.silent
    private var sound = Sound.none
    /// The time for which the output has been asserted, up to its lead, or nil while it is not.
    private var assertedFor: Int?
    /// The time for which nothing has been played or ordered, up to the lag.
    private var quietFor: Int

    private enum Playback: Hashable {
        case silent
        /// The music plays after this many ticks. At 0, it already plays.
        case plays(after: Int)
        /// A fade-out lasts for this many more ticks.
        case fades(Int)
    }

    private enum Sound: Hashable {
        case none
        case plays(after: Int)
    }

    init(lead: Int, lag: Int, fadeOut: Int) {
        (self.lead, self.lag, self.fadeOut) = (lead, lag, fadeOut)
        outputs = Outputs([
            OutputPolicy(id: Self.id, meaning: .amplifier(lead: .seconds(lead), lag: .seconds(lag))),
            OutputPolicy(id: "other", meaning: .amplifier(lead: .seconds(1), lag: .seconds(2))),
        ])
        quietFor = lag
    }

    private var plays: Bool { if case .plays = playback { true } else { false } }
    private var sounds: Bool { if case .plays = sound { true } else { false } }

    /// True if anything is played in the coming tick.
    private var isHeard: Bool {
        if case .fades(let rest) = playback, rest > 0 { return true }
        return playback == .plays(after: 0) || sound == .plays(after: 0)
    }

    var violation: String? {
        let isAsserted = outputs.isAsserted(Self.id)
        if isHeard, !isAsserted { return "something is played while the amplifier is off" }
        if isHeard, let assertedFor, assertedFor < lead {
            return "something is played before the Lead= has elapsed"
        }
        if !isHeard, !plays, !sounds, quietFor >= lag, isAsserted {
            return "the amplifier stays on after its Lag="
        }
        return nil
    }

    mutating func take(_ move: AmplifierMove, _ behaviour: OutputBehaviour) {
        switch move {
        case .playback: change(plays: !plays, sounds: sounds, behaviour)
        case .sound: change(plays: plays, sounds: !sounds, behaviour)
        case .deviceLost: change(plays: false, sounds: false, fades: false, behaviour)
        case .moment: pass()
        }
    }

    /// Applies an event, as a supervisor handles it.
    private mutating func change(plays: Bool, sounds: Bool, fades: Bool = true, _ behaviour: OutputBehaviour) {
        var facts: Set<OutputFact> = []
        if plays { facts.insert(.playing) }
        if sounds { facts.insert(.sounding) }
        behaviour.prepare(&outputs, facts, .zero)
        let wait = max(0, Int((outputs.audibleFrom ?? .zero).components.seconds))
        order(plays, wait, fades)
        if sounds != self.sounds { sound = sounds ? .plays(after: wait) : .none }
        var fade = 0
        if case .fades(let rest) = playback { fade = rest }
        behaviour.settle(&outputs, facts, .seconds(fade), .zero)
        note()
    }

    private mutating func order(_ plays: Bool, _ wait: Int, _ fades: Bool) {
        switch (playback, plays) {
        case (.plays, true), (.silent, false): break
        case (.silent, true): playback = .plays(after: wait)
        // A fade-out is reversed.
        case (.fades, true): playback = .plays(after: 0)
        case (.plays(after: 0), false): playback = fades && fadeOut > 0 ? .fades(fadeOut) : .silent
        // Nothing has been played yet.
        case (.plays, false): playback = .silent
        case (.fades, false): if !fades { playback = .silent }
        }
    }

    private mutating func pass() {
        if assertedFor != nil { assertedFor = min(lead, (assertedFor ?? 0) + 1) }
        quietFor = isHeard || plays || sounds ? 0 : min(lag, quietFor + 1)
        switch playback {
        case .silent: break
        case .plays(let after): playback = .plays(after: max(0, after - 1))
        case .fades(let rest): playback = rest > 1 ? .fades(rest - 1) : .silent
        }
        if case .plays(let after) = sound { sound = .plays(after: max(0, after - 1)) }
        outputs.rebase(to: .seconds(1))
        while outputs.elapse(by: .zero) != nil {}
        note()
    }

    /// Records the time for which the output has been asserted, and whether anything is played.
    private mutating func note() {
        assertedFor = outputs.isAsserted(Self.id) ? assertedFor ?? 0 : nil
        if isHeard || plays || sounds { quietFor = 0 }
    }
}
