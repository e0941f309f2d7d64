/// The result of one input: its time and the effects so far, in this order.
struct Turn {
    let now: Instant
    private(set) var effects: [FleetEffect] = []

    init(at now: Instant) { self.now = now }

    mutating func add(_ effect: FleetEffect) { effects.append(effect) }

    mutating func log(_ news: FleetNews) { add(.log(news)) }
}
