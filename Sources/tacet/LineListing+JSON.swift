import GPIO
import Simulation

extension LineListing {
    /// One object, for programs; with every line.
    var json: String {
        Self.object([
            ("chips", Self.array(chips.map(\.json))),
            ("problems", JSON.array(problems)),
        ])
    }

    fileprivate static func object(_ members: [(String, String)]) -> String {
        "{" + members.map { "\(JSON.string($0)):\($1)" }.joined(separator: ",") + "}"
    }

    fileprivate static func array(_ values: [String]) -> String { "[" + values.joined(separator: ",") + "]" }

    fileprivate static func text(_ text: String?) -> String { text.map(JSON.string) ?? "null" }
}

extension LineListing.Chip {
    fileprivate var json: String {
        LineListing.object([
            ("name", JSON.string(info.name)), ("label", JSON.string(info.label)), ("path", JSON.string(info.path)),
            ("lines", LineListing.array(rows.map(\.json))),
        ])
    }
}

extension LineListing.Row {
    fileprivate var json: String {
        LineListing.object([
            ("offset", "\(line.offset)"), ("name", LineListing.text(line.name)),
            ("direction", JSON.string(line.direction.rawValue)),
            ("bias", LineListing.text(line.bias == .asIs ? nil : line.bias.rawValue)),
            ("active_low", "\(line.isActiveLow)"), ("used", "\(line.isUsed)"),
            ("user", LineListing.text(line.consumer)), ("level", level.map { $0 ? "1" : "0" } ?? "null"),
            (
                "for",
                LineListing.array(
                    wires.map { wire in
                        LineListing.object([
                            ("name", JSON.string(wire.title)),
                            ("asserted", level.map { "\($0 != wire.isActiveLow)" } ?? "null"),
                        ])
                    })
            ),
        ])
    }
}
