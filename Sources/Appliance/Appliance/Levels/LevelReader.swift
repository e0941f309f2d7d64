/// What a reader of devices has read.
struct LevelReading {
    var edges: [(id: WireID, level: Bool, time: Duration)] = []
    var losses: [(id: WireID, reason: String)] = []
}

/// Reads levels of devices that can disappear and return: GPIO lines, switches, jacks. No call blocks.
protocol LevelReader: AnyObject {
    /// To be polled; they change with `acquire` and with losses.
    var descriptors: [Int32] { get }
    /// Whether something is missing.
    var isIncomplete: Bool { get }
    func level(of id: WireID) -> Bool?
    func place(of id: WireID) -> String?
    var problems: [WireID: String] { get }
    /// Looks for what is missing.
    /// - Returns: what has been found, with its level.
    func acquire() -> [(id: WireID, level: Bool)]
    /// - Parameter readsLevels: whether to read the levels themselves, too, because edges can be missing.
    func read(readsLevels: Bool) -> LevelReading
    func release()
}
