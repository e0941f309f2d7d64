import Configuration
import Files
import GPIO
import Glibc
import Spelling
import Time

extension Inspection {
    /// Notes which lines will be polled, because the device tree does not describe an interrupt of their chip.
    mutating func inspectPolling() {
        var polled: [ChipInfo: [(title: String, interval: Duration)]] = [:]
        for (id, source, policy) in configuration.wires {
            guard let wiring = source.as(Wiring.self), let found = try? board.find(wiring.line, advice: Wiring.advice),
                !reportsEdges(found.chip)
            else { continue }
            polled[found.chip, default: []].append((id.title, policy.poll))
        }
        for (chip, lines) in polled.sorted(by: { $0.key.name < $1.key.name }) {
            let interval = lines.map(\.interval).min() ?? .zero
            note(
                "the device tree describes no interrupt for \(chip), so \(lines.map(\.title).enumeration) "
                    + "\(lines.count > 1 ? "are" : "is") read every \(TimeSpan.format(interval)) (Poll=)")
        }
    }

    /// Returns true if the chip probably reports edges. Only the device tree tells, so a chip that it does not describe
    /// is assumed to.
    static func reportsEdges(_ chip: ChipInfo) -> Bool {
        let node = "/sys/bus/gpio/devices/\(chip.name)/of_node"
        return access(node, F_OK) != 0 || access(node + "/interrupt-controller", F_OK) == 0
    }
}
