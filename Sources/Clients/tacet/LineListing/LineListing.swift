import Configuration
import Files
import GPIO
import Systemd

/// The lines of a board, the signals and buttons on them, and the levels of some.
struct LineListing {
    struct Row {
        let line: LineInfo
        let wires: [Wire]
        /// The electrical level, or nil if it was not read.
        var level: Bool?

        /// The time in milliseconds between two readings of the service, or nil if it does not poll the line.
        var pollInterval: Int?

        /// True if its level can be read without disturbing another program.
        var isFreeInput: Bool { !line.isUsed && line.direction == .input }
        /// The setting for reading the line. If it is wired, it has the configured bias.
        var setting: LineSetting { LineSetting(offset: line.offset, bias: wires.first?.bias ?? .asIs) }
        var isNotable: Bool { line.name != nil || line.isUsed || !wires.isEmpty }
    }

    struct Chip {
        let info: ChipInfo
        var rows: [Row]
    }

    var chips: [Chip]
    /// Messages about chips that cannot be opened and configured lines that do not exist.
    let problems: [String]

    init(_ board: Board, wires: [Wire] = [], resolving path: (String) -> String = Folder.realPath) {
        var ends: [FoundLine: [Wire]] = [:]
        var problems = board.problems.map(\.description)
        for wire in wires where !board.chips.isEmpty {
            do throws(GPIOError) {
                ends[try board.find(wire.selector, resolving: path, advice: Wiring.advice), default: []].append(wire)
            } catch {
                problems.append("\(wire.title): \(error)")
            }
        }
        chips = board.chips.map { chip in
            Chip(
                info: chip,
                rows: chip.lines.map { Row(line: $0, wires: ends[FoundLine(chip: chip, line: $0)] ?? []) })
        }
        self.problems = problems
    }

    /// Reads the levels of free inputs.
    ///
    /// - Parameter all: true to read also lines that the configuration does not name.
    mutating func readLevels(all: Bool, by level: (ChipInfo, LineSetting) -> Bool?) {
        for chip in chips.indices {
            for row in chips[chip].rows.indices {
                let line = chips[chip].rows[row]
                guard line.isFreeInput, all || !line.wires.isEmpty else { continue }
                chips[chip].rows[row].level = level(chips[chip].info, line.setting)
            }
        }
    }

    /// A line that the running service holds.
    struct Held: Hashable {
        /// The chip's path.
        let chip: String
        let offset: Int
        /// The electrical level.
        let level: Bool

        /// - Parameter lines: the property `Lines` of `org.tacet.Session1`, or nil from a version that does not have
        ///   it.
        static func all(_ lines: BusValue?) -> [Held] {
            guard case .array(_, let lines)? = lines else { return [] }
            return lines.compactMap { line in
                guard case .structure(let members) = line, members.count == 4, case .string(let chip) = members[1],
                    case .uint32(let offset) = members[2], case .bool(let level) = members[3]
                else { return nil }
                return Held(chip: chip, offset: Int(offset), level: level)
            }
        }
    }

    /// Fills in which lines the service polls.
    ///
    /// - Parameter polled: the property `PolledLines` of `org.tacet.Session1`, or nil from a version that does not have it.
    mutating func take(polled: BusValue?) {
        for (title, interval) in Self.intervals(polled) {
            for chip in chips.indices {
                for row in chips[chip].rows.indices
                where chips[chip].rows[row].wires.contains(where: { $0.title == title }) {
                    chips[chip].rows[row].pollInterval = interval
                }
            }
        }
    }

    /// Returns the titles of the polled lines and the times in milliseconds between two readings.
    static func intervals(_ polled: BusValue?) -> [(title: String, interval: Int)] {
        guard case .array(_, let lines)? = polled else { return [] }
        return lines.compactMap { line in
            guard case .structure(let members) = line, members.count == 3, case .string(let title) = members[0],
                case .uint32(let interval) = members[1]
            else { return nil }
            return (title, Int(interval))
        }
    }

    /// Fills in the levels of the lines that the service holds, because other programs cannot read them.
    mutating func take(_ held: [Held]) {
        for line in held {
            guard let chip = chips.firstIndex(where: { $0.info.path == line.chip }),
                let row = chips[chip].rows.firstIndex(where: { $0.line.offset == line.offset })
            else { continue }
            chips[chip].rows[row].level = line.level
        }
    }
}
