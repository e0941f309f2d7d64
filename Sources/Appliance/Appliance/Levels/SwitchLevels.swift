import Configuration
import Evdev

/// The switches and keys of input devices.
final class SwitchLevels: LevelReader {
    private let reader: InputReader<WireID>

    init(_ wires: [WireID: InputWiring], system: any InputSystem) {
        let wanted = wires.sorted { "\($0.key)" < "\($1.key)" }
        reader = InputReader(
            wanted.map { WantedInput($0, device: $1.device, code: $1.code, grabs: $1.isGrabbed) }, system: system)
    }

    var descriptors: [Int32] { reader.descriptors }
    var isIncomplete: Bool { reader.isIncomplete }
    func level(of id: WireID) -> Bool? { reader.level(of: id) }
    func place(of id: WireID) -> String? { reader.place(of: id).map { "\($0.name), \($0.path)" } }
    var problems: [WireID: String] { reader.problems.mapValues(\.description) }
    func acquire() -> [(id: WireID, level: Bool)] { reader.acquire() }
    func release() { reader.release() }

    /// An input driver reports what changed during a suspension when it resumes.
    func read(readsLevels: Bool) -> LevelReading {
        let (edges, losses) = reader.readEdges()
        return LevelReading(
            edges: edges.map { ($0.id, $0.level, $0.time) }, losses: losses.map { ($0.id, $0.error.description) })
    }
}
