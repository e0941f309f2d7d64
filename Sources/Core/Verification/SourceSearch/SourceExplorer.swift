import AudioSession

/// Visits every state that a session with inputs and players can reach, breadth first, and checks the rules of
/// `ExplorationReport.rules` about sources in each.
///
/// It explores one input of each role, the player of the first of them, one player without an input, and two signals
/// besides those of the page, but not all of them at the same time. An `Explorer` covers the other signals, and time that
/// passes. Here, everything happens at one instant.
public struct SourceExplorer {
    static let commands: [Command] = [.play, .pause, .playPause, .stop]
    static let trackCount = 2

    /// The part of the policy that is explored.
    let policy: Policy
    private let whole: Policy
    let roles: Roles
    let effects: Effects
    private let behaviour: SessionBehaviour
    private let limit: Int
    private let shouldStop: (_ states: Int) -> Bool
    /// The sessions that have been found.
    private let known = Known()

    private final class Known {
        var sessions = Catalogue<Session>()
    }

    /// The indices in the policy of what is explored.
    struct Roles {
        let programme: Int?
        let automatic: Int?
        let page: Int?
        /// The player of the programme input.
        let connected: Int?
        /// The player without an input.
        let free: Int?
        /// The signals that have lines.
        let lines: [Int]
        let pageSignals: SignalSet

        init(_ policy: Policy) {
            func input(_ role: InputPolicy.Role) -> Int? { policy.inputs.firstIndex { $0.role == role } }
            programme = input(.programme)
            automatic = input(.automaticProgramme)
            page = input(.page)
            let players = policy.inputs.map(\.player)
            connected = policy.players.firstIndex { players.contains($0) }
            free = policy.players.firstIndex { !players.contains($0) }
            lines = policy.signals.indices.filter { policy.signals[$0].input == nil }
            pageSignals = SignalSet(policy.signals) { $0.input != nil }
        }
    }

    /// Explores the parts of a policy one after the other, and stops at the first violation or at a limit.
    /// - Parameters:
    ///   - limit: The maximum number of states to visit in each part.
    ///   - behaviour: The behaviour of the session. A test substitutes a broken one.
    ///   - shouldStop: Called at least once every few hundred steps, with the number of states found so far. If it
    ///     returns true, the exploration ends, as at the limit.
    public static func explore(
        _ policy: Policy, limit: Int = .max, behaviour: SessionBehaviour = SessionBehaviour(),
        shouldStop: @escaping (_ states: Int) -> Bool = { _ in false }
    ) -> ExplorationReport {
        var (states, transitions) = (0, 0)
        var report: ExplorationReport?
        for part in policy.sourceParts {
            let earlier = states
            let found = SourceExplorer(part, of: policy, limit: limit, behaviour: behaviour) {
                shouldStop(earlier + $0)
            }.explore()
            states += found.states
            transitions += found.transitions
            report = found
            if !found.isComplete || found.violation != nil { break }
        }
        return ExplorationReport(
            states: states, transitions: transitions, isComplete: report?.isComplete ?? true,
            violation: report?.violation, findings: Findings(policy))
    }

    private init(
        _ policy: Policy, of whole: Policy, limit: Int, behaviour: SessionBehaviour,
        shouldStop: @escaping (_ states: Int) -> Bool
    ) {
        self.policy = policy
        self.whole = whole
        roles = Roles(policy)
        effects = Effects(policy)
        self.behaviour = behaviour
        self.limit = limit
        self.shouldStop = shouldStop
    }

    private func explore() -> ExplorationReport {
        var search = StateSearch(self, limit: limit, shouldStop: shouldStop)
        var isComplete = true
        var broken: ExplorationReport.Violation?
        switch search.run(check: violation(in:)) {
        case .complete: break
        case .limit: isComplete = false
        case .violation(let found, let path):
            let steps = [Step.boot] + path.flatMap { self.steps($0.move, from: $0.from) }
            broken = ExplorationReport.Violation(
                rule: found.rule, what: found.what, steps: steps, path: steps.map { $0.description(whole) },
                delays: [:])
        }
        return ExplorationReport(
            states: search.states.count, transitions: search.transitions, isComplete: isComplete, violation: broken,
            findings: Findings(policy))
    }

    func session(_ state: SourceState) -> Session { known.sessions[state.session] }

    /// Delivers an event, and returns the actions.
    func deliver(_ event: Event, _ session: inout Session) -> [Action] { behaviour.handle(&session, event, .zero) }

    func number(of session: Session) -> Int32 { known.sessions.number(of: session).number }
}

/// Something that can happen to the inputs, the players or the session.
enum SourceMove: Hashable {
    /// The input with this index begins or ceases to sound.
    case input(Int)
    /// The level of the line of the signal with this index toggles.
    case line(Int)
    /// The command with this index in `SourceExplorer.commands`.
    case command(Int)
    /// The audio device disappears or returns.
    case device
    case player(Int, PlayerReport)
    /// The power fails and returns. Afterwards, audio arrives at these inputs.
    case restart(IndexSet)
}

extension SourceExplorer: StateSpace {
    typealias Violation = (rule: Int, what: String)

    var starts: [SourceState] {
        var session = Session(policy: policy)
        _ = deliver(.boot(Boot(saved: nil, trackCount: Self.trackCount)), &session)
        var state = SourceState(session: number(of: session))
        // AutoPlay=no is treated as the user's last word.
        state.quiet[.library] = session.intent != .playing
        return [state]
    }

    func list(_ moves: inout [SourceMove], from state: SourceState) {
        moves.removeAll(keepingCapacity: true)
        let held = session(state).heldInputs
        for (input, policy) in policy.inputs.enumerated() where !state.sounds[input] || !held.contains(policy.id) {
            moves.append(.input(input))
        }
        for line in roles.lines { moves.append(.line(line)) }
        for command in Self.commands.indices { moves.append(.command(command)) }
        moves.append(.device)
        for player in policy.players.indices {
            for report in PlayerReport.allCases { moves.append(.player(player, report)) }
        }
        for arrivals in IndexSet.all(of: policy.inputs.count) { moves.append(.restart(arrivals)) }
    }

    /// Returns the index of a signal in the whole policy.
    private func number(ofSignal signal: Int) -> Int {
        whole.signals.firstIndex { $0.id == policy.signals[signal].id } ?? 0
    }

    /// Returns the steps of a move in terms of the whole policy.
    private func steps(_ move: SourceMove, from state: SourceState) -> [Step] {
        func turn(_ input: Int) -> Step {
            let id = policy.inputs[input].id
            return .event(state.sounds[input] ? .inputCeased(id) : .inputBegan(id))
        }
        return switch move {
        case .input(let input): [turn(input)]
        case .line(let line):
            [.line(number(ofSignal: line), asserted: !state.lines.asserted[line])]
        case .command(let command): [.event(.command(Self.commands[command]))]
        case .device: [.event(state.deviceIsAvailable ? .mediaServicesLost : .mediaServicesReset)]
        case .player(let player, let report): [.event(.player(policy.players[player], report))]
        case .restart(let arrivals):
            [.powerCut] + policy.inputs.indices.filter { state.sounds[$0] != arrivals[$0] }.map(turn) + [.boot]
        }
    }
}

extension Policy {
    /// Parts of the policy that together cover one input of each role, its player, one player without an input, and two
    /// signals besides those of the page. All of them together have too many states.
    fileprivate var sourceParts: [Policy] {
        let (page, blocking, ducking) = (pageSignals, blockingSignals, duckingSignals)
        let everything =
            inputs.first { $0.role == .programme && $0.player != nil } ?? inputs.first { $0.role == .programme }
        let programme = [everything].compactMap(\.self)
        let automatic = inputs.filter { $0.role == .automaticProgramme }.prefix(1).map(\.withoutPlayer)
        let pages = inputs.filter { input in page.contains { $0.input == input.id } }
        let connected = programme.compactMap(\.player)
        let free = players.filter { player in !inputs.contains { $0.player == player } }.prefix(1)
        let parts = [
            part(programme + pages, connected, page + blocking + ducking),
            part(programme.map(\.withoutPlayer) + automatic + pages, [], page + blocking),
            part(programme + automatic, connected, blocking),
            part(programme, connected + free, blocking),
            part(automatic, Array(free), blocking + ducking),
        ]
        // Parts without a player or an automatic input may be the same.
        return parts.enumerated().filter { !parts[..<$0.offset].contains($0.element) }.map(\.element)
    }

    private var pageSignals: [SignalPolicy] {
        guard let page = inputs.first(where: { $0.role == .page }) else { return [] }
        return Array(signals.filter { $0.input == page.id }.prefix(2))
    }

    private var blockingSignals: [SignalPolicy] {
        Array(signals.filter { $0.input == nil && $0.effect == .pause }.prefix(1))
    }

    private var duckingSignals: [SignalPolicy] {
        Array(signals.filter { if case .duck = $0.effect { $0.input == nil } else { false } }.prefix(1))
    }

    private func part(_ inputs: [InputPolicy], _ players: [PlayerID], _ signals: [SignalPolicy]) -> Policy {
        var part = self
        (part.inputs, part.players, part.signals) = (inputs, players, signals)
        // An `Explorer` covers these.
        part.resumeDelay = .zero
        part.resumesAfterReset = true
        return part
    }
}

extension InputPolicy {
    /// The input without its player. The player of an automatic input shares the library's intent, which the rules do
    /// not cover.
    fileprivate var withoutPlayer: InputPolicy { InputPolicy(id: id, role: role) }
}
