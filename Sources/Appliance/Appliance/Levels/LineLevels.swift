import AudioSession
import Configuration
import GPIO

/// GPIO lines.
final class LineLevels: LevelReader {
    private let reader: LineReader<WireID>

    init(_ reader: LineReader<WireID>) { self.reader = reader }

    var descriptors: [Int32] { reader.descriptors }
    var isIncomplete: Bool { reader.isIncomplete }
    func level(of id: WireID) -> Bool? { reader.level(of: id) }
    func location(of id: WireID) -> FoundLine? { reader.location(of: id) }
    var problems: [WireID: String] { reader.problems.mapValues(\.description) }
    func release() { _ = reader.change(to: []) }

    func place(of id: WireID) -> String? { location(of: id)?.words }

    func acquire() -> [(id: WireID, level: Bool)] {
        reader.acquire().compactMap { outcome in
            if case .success(let level) = outcome.result { (outcome.id, level) } else { nil }
        }
    }

    func read(readsLevels: Bool) -> LevelReading {
        let reading = reader.readEdges(readsLevels: readsLevels)
        return LevelReading(
            edges: reading.edges.map { ($0.id, $0.level, $0.time) },
            losses: reading.losses.map { ($0.id, $0.error.description) })
    }
}

extension FoundLine {
    /// `line PHONE_CALL, gpiochip0 17`
    var words: String { (line.name.map { "line \($0), " } ?? "") + "\(chip.name) \(line.offset)" }
}

extension WantedLine {
    /// As configured. Tacet debounces, not the kernel: for most chips the kernel debounces with its timer ticks, which
    /// would delay every edge and its time stamp by up to 10 ms, and hide a chattering contact.
    init(_ id: ID, _ wiring: Wiring) {
        self.init(id, wiring.line, bias: wiring.bias)
    }
}

/// A line that the daemon holds; other programs cannot read its level.
struct HeldLine: Hashable {
    /// `signal phone-call`, `button play`.
    let title: String
    /// The chip's path.
    let chip: String
    /// On the chip.
    let offset: Int
    /// Electrical: true is high.
    let level: Bool
}
