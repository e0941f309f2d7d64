/// The worlds that were found, each with the shortest way there.
struct Search {
    private var catalogue = Catalogue<World>()
    /// Of each world but the first: from which it was reached, and by what.
    private var origins: [(parent: Int32, move: Move)] = [(World.none, .wait)]

    init(from world: World) { _ = catalogue.number(of: world) }

    /// In the order in which they were found.
    var worlds: [World] { catalogue.elements }

    /// - Returns: the number of a world that was reached, known or new.
    @discardableResult
    mutating func reach(_ world: World, from parent: Int, by move: Move) -> Int {
        let (number, isNew) = catalogue.number(of: world)
        if isNew { origins.append((Int32(parent), move)) }
        return Int(number)
    }

    func path(to world: Int) -> [(from: World, move: Move)] {
        var path: [(from: World, move: Move)] = []
        var origin = origins[world]
        while origin.parent != World.none {
            path.append((worlds[Int(origin.parent)], origin.move))
            origin = origins[Int(origin.parent)]
        }
        return path.reversed()
    }
}
