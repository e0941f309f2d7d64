/// States that are connected by moves.
protocol StateSpace {
    associatedtype State: Numerable
    associatedtype Move
    associatedtype Violation

    /// The states from which a search starts. They are distinct.
    var starts: [State] { get }
    /// Lists everything that can happen next.
    func list(_ moves: inout [Move], from state: State)
    /// Makes a move.
    ///
    /// - Returns: the rule that the move itself broke, and how, or nil if none.
    func take(_ move: Move, _ state: inout State) -> Violation?
}

/// Visits every state of a space, breadth first, so that the path to each state that it finds is a shortest one.
struct StateSearch<Space: StateSpace> {
    typealias Path = [(from: Space.State, move: Space.Move)]

    struct Transition {
        let from: Int32
        let move: Space.Move
        let to: Int32
    }

    enum End {
        /// Every state was visited.
        case complete
        /// There are too many states, or the search was asked to stop.
        case limit
        case violation(Space.Violation, Path)
    }

    private let space: Space
    private let limit: Int
    private let shouldStop: (_ states: Int) -> Bool
    private var catalogue = Catalogue<Space.State>()
    private let starts: Int
    /// For each state except those from which the search starts, its predecessor and the move that led from there.
    private var origins = Pages<(parent: Int32, move: Space.Move)>()
    /// The number of states that have been visited.
    private(set) var visited = 0
    private(set) var transitions = 0

    /// The number of transitions between two calls to `shouldStop`.
    private static var timeout: Int { 256 }

    /// Creates a search that has visited no state yet.
    /// - Parameters:
    ///   - limit: the maximum number of states to visit.
    ///   - shouldStop: called from time to time, with the number of states found so far. The search ends if it returns
    ///     true.
    init(_ space: Space, limit: Int = .max, shouldStop: @escaping (_ states: Int) -> Bool = { _ in false }) {
        self.space = space
        self.limit = limit
        self.shouldStop = shouldStop
        starts = space.starts.count
        for start in space.starts { _ = catalogue.number(of: start) }
    }

    /// The states in the order in which they were found.
    var states: Pages<Space.State> { catalogue.elements }

    /// True if the search must end before it is complete.
    var mustEnd: Bool { states.count > limit || shouldStop(states.count) }

    /// Visits the states, and stops at the first violation or at a limit.
    ///
    /// - Parameters:
    ///   - check: called with each state when it is visited. It returns how the state breaks a rule, or nil.
    ///   - note: called with each transition and its two states.
    mutating func run(
        check: (Space.State) -> Space.Violation? = { _ in nil },
        note: (_ transition: Transition, _ before: Space.State, _ after: Space.State) -> Void = { _, _, _ in }
    ) -> End {
        var moves: [Space.Move] = []
        while visited < states.count {
            guard states.count <= limit else { return .limit }
            let number = visited
            let state = states[number]
            if let violation = check(state) { return .violation(violation, path(to: number)) }
            visited += 1
            space.list(&moves, from: state)
            for move in moves {
                if states.count > limit || transitions.isMultiple(of: Self.timeout) && mustEnd { return .limit }
                transitions += 1
                var successor = state
                if let violation = space.take(move, &successor) {
                    return .violation(violation, path(to: number) + [(state, move)])
                }
                let (reached, isNew) = catalogue.number(of: successor)
                if isNew { origins.append((Int32(number), move)) }
                note(Transition(from: Int32(number), move: move, to: reached), state, successor)
            }
        }
        return .complete
    }

    func path(to state: Int) -> Path {
        var path: Path = []
        var state = state
        while state >= starts {
            let origin = origins[state - starts]
            state = Int(origin.parent)
            path.append((states[state], origin.move))
        }
        return path.reversed()
    }
}
