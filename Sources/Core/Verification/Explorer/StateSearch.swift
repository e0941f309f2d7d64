/// The states found, each with a shortest path to it.
struct StateSearch {
    private var catalogue = Catalogue<ExplorerState>()
    /// For each state except the first: its predecessor, and the move that led from there.
    private var origins = Pages<(parent: Int32, move: Move)>()

    init(from state: ExplorerState) {
        _ = catalogue.number(of: state)
        origins.append((ExplorerState.none, .wait))
    }

    /// In the order in which they were found.
    var states: Pages<ExplorerState> { catalogue.elements }

    /// - Returns: the number of the state reached, known or new.
    @discardableResult
    mutating func reach(_ state: ExplorerState, from parent: Int, by move: Move) -> Int {
        let (number, isNew) = catalogue.number(of: state)
        if isNew { origins.append((Int32(parent), move)) }
        return Int(number)
    }

    func path(to state: Int) -> [(from: ExplorerState, move: Move)] {
        var path: [(from: ExplorerState, move: Move)] = []
        var origin = origins[state]
        while origin.parent != ExplorerState.none {
            path.append((states[Int(origin.parent)], origin.move))
            origin = origins[Int(origin.parent)]
        }
        return path.reversed()
    }
}
