import ALSA
import Configuration

/// The jacks of sound cards.
final class JackLevels: LevelReader {
    private let reader: JackReader<WireID>

    init(_ wires: [WireID: JackWiring], system: any JackSystem) {
        let wanted = wires.sorted { "\($0.key)" < "\($1.key)" }
        reader = JackReader(wanted.map { WantedJack($0, control: $1.control, card: $1.card) }, system: system)
    }

    var descriptors: [Int32] { reader.descriptors }
    var isIncomplete: Bool { reader.isIncomplete }
    func level(of id: WireID) -> Bool? { reader.level(of: id) }
    func place(of id: WireID) -> String? { reader.card(of: id).map { "card \($0.number), \($0.id)" } }
    var problems: [WireID: String] { reader.problems.mapValues(\.description) }
    func acquire() -> [(id: WireID, level: Bool)] { reader.acquire() }
    func release() { reader.release() }

    func read(readsLevels: Bool) -> LevelReading {
        let (edges, losses) = reader.readEdges(readsLevels: readsLevels)
        return LevelReading(
            edges: edges.map { ($0.id, $0.level, $0.time) }, losses: losses.map { ($0.id, $0.error.description) })
    }
}
