/// The worlds that were found, each with the shortest way there.
struct Search {
    /// In the order in which they were found.
    private(set) var worlds: [World]
    private var numbers: [World: Int]
    private var origins: [(parent: Int, step: Step)?] = [nil]

    init(from world: World) {
        worlds = [world]
        numbers = [world: 0]
    }

    /// - Returns: the number of a world that was reached, known or new.
    mutating func reach(_ world: World, from parent: Int, by step: Step) -> Int {
        if let number = numbers[world] { return number }
        numbers[world] = worlds.count
        worlds.append(world)
        origins.append((parent, step))
        return worlds.count - 1
    }

    func path(to world: Int, and last: Step? = nil) -> [Step] {
        var steps = last.map { [$0] } ?? []
        var world = world
        while let origin = origins[world] {
            steps.append(origin.step)
            world = origin.parent
        }
        return steps.reversed()
    }
}
