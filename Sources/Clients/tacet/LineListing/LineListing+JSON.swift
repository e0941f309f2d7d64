import GPIO
import Spelling

extension LineListing {
    /// The list as one object with every line, for programs.
    var json: String {
        JSON.object([
            ("chips", JSON.list(chips.map(\.json))),
            ("problems", JSON.array(problems)),
        ])
    }

    fileprivate static func text(_ text: String?) -> String { text.map(JSON.string) ?? "null" }
}

extension LineListing.Chip {
    fileprivate var json: String {
        JSON.object([
            ("name", JSON.string(info.name)), ("label", JSON.string(info.label)), ("path", JSON.string(info.path)),
            ("lines", JSON.list(rows.map(\.json))),
        ])
    }
}

extension LineListing.Row {
    fileprivate var json: String {
        JSON.object([
            ("offset", "\(line.offset)"), ("name", LineListing.text(line.name)),
            ("direction", JSON.string(line.direction.rawValue)),
            ("bias", LineListing.text(line.bias == .asIs ? nil : line.bias.rawValue)),
            ("active_low", "\(line.isActiveLow)"), ("used", "\(line.isUsed)"),
            ("user", LineListing.text(line.consumer)), ("level", level.map { $0 ? "1" : "0" } ?? "null"),
            ("poll_ms", pollInterval.map(String.init) ?? "null"),
            (
                "for",
                JSON.list(
                    wires.map { wire in
                        JSON.object([
                            ("name", JSON.string(wire.title)),
                            ("asserted", level.map { "\($0 != wire.isActiveLow)" } ?? "null"),
                        ])
                    })
            ),
        ])
    }
}
