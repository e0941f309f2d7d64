/// A line of a GPIO chip that the device tree assigns to a device.
public struct LineClaim: Hashable, Sendable, CustomStringConvertible {
    /// The number of the line on the chip, counted from 0.
    public let offset: Int
    /// The path of the device's node, such as `/soc/sound`.
    public let node: String
    /// The first name in the node's `compatible` property, such as `hifiberry,hifiberry-dacplus`.
    public let device: String?
    /// The property that names the line, such as `reset-gpio`, or that refers to the pin settings, such as `pinctrl-0`.
    public let property: String

    /// The text of the device, such as `/soc/sound (hifiberry,hifiberry-dacplus, in reset-gpio)`.
    public var description: String { "\(node) (\(device.map { "\($0), " } ?? "")in \(property))" }
}

extension DeviceTree {
    /// Returns the lines of a chip that the tree assigns to devices: as lines (`reset-gpios = <&gpio 17 0>`), as lines that
    /// the kernel sets by itself (`gpio-hog`), or as pins (`brcm,pins = <17>` or `pins = "gpio17"` in a group of pin
    /// settings to which the device refers). Devices that are disabled are ignored.
    ///
    /// The kernel lists the user of a line only after a driver has requested it. This function also finds a line whose
    /// driver is not loaded yet or has failed, and a pin that has another function. Neither of them looks used to the
    /// kernel.
    ///
    /// A device that uses a line only as its interrupt is not found, because chips specify interrupts in different ways.
    ///
    /// - Parameters:
    ///   - chip: the path of the chip's node, such as `/soc/gpio@7e200000`.
    ///   - groups: the names of groups of pin settings that are not claims, such as one that only sets resistors.
    public func claims(ofChip chip: String, except groups: Set<String> = []) -> [LineClaim] {
        guard let chip = nodes.firstIndex(where: { $0.path == chip }) else { return [] }
        let phandles = phandles
        let pins = pins(ofChip: chip, except: groups)
        var claims: [LineClaim] = []
        for (index, node) in nodes.enumerated() where isEnabled(index) {
            for (name, value) in node.properties.sorted(by: { $0.key < $1.key }) where claims.count < Self.maximum {
                let offsets =
                    if Self.isLineList(name) {
                        lines(in: value, of: index, on: chip, phandles)
                    } else if Self.isPinState(name) {
                        Self.cells(value).compactMap { phandles[$0] }.flatMap { pins[$0] ?? [] }
                    } else {
                        [Int]()
                    }
                claims += offsets.prefix(Self.maximum - claims.count).map {
                    LineClaim(
                        offset: $0, node: node.path, device: Self.texts(node.properties["compatible"]).first,
                        property: Self.printable(name))
                }
            }
        }
        return claims
    }

    /// The number of claims after which the search ends. A board has some dozens, but in a malformed tree, each of many
    /// devices could refer to many groups of many pins.
    static let maximum = 10_000

    /// The indices of the nodes to which other nodes can refer, by their numbers. If two nodes have the same number, the
    /// first one counts.
    private var phandles: [UInt32: Int] {
        let pairs = nodes.indices.compactMap { index in number("phandle", of: index).map { ($0, index) } }
        return Dictionary(pairs) { first, _ in first }
    }

    /// Returns true if neither a node nor one of its parents is disabled.
    private func isEnabled(_ index: Int) -> Bool {
        var next: Int? = index
        while let index = next {
            if let status = nodes[index].properties["status"] {
                guard let text = Self.texts(status).first, ["okay", "ok"].contains(text) else { return false }
            }
            next = nodes[index].parent
        }
        return true
    }

    /// Returns the lines of a chip in a list such as `<&gpio 17 0>, <&expander 3 0>`.
    private func lines(in value: [UInt8], of node: Int, on chip: Int, _ phandles: [UInt32: Int]) -> [Int] {
        // A hog is a part of its chip's node, so its list contains only lines and flags.
        if nodes[node].properties["gpio-hog"] != nil {
            guard nodes[node].parent == chip, let size = lineSize(of: chip) else { return [] }
            let cells = Self.cells(value)
            return stride(from: 0, to: cells.count - cells.count % size, by: size).map { Int(cells[$0]) }
        }
        var lines: [Int] = []
        var rest = Self.cells(value)[...]
        while let phandle = rest.popFirst() {
            // 0 means that an optional line does not exist.
            if phandle == 0 { continue }
            // The rest cannot be read, because the size of this entry is not known.
            guard let owner = phandles[phandle], let size = lineSize(of: owner), rest.count >= size else { break }
            if owner == chip, let line = rest.first { lines.append(Int(line)) }
            rest = rest.dropFirst(size)
        }
        return lines
    }

    /// Returns the number of cells that specify a line of a chip: its number and perhaps flags. With more cells, the first
    /// one is the number of a bank, and the lines cannot be told apart.
    private func lineSize(of chip: Int) -> Int? {
        number("#gpio-cells", of: chip).flatMap { (1...2).contains($0) ? Int($0) : nil }
    }

    /// Returns the pins of each group of pin settings of a chip. They are in the group itself or in its parts.
    private func pins(ofChip chip: Int, except names: Set<String>) -> [Int: [Int]] {
        var groups: [Int: [Int]] = [:]
        for (index, node) in nodes.enumerated() {
            guard let parent = node.parent else { continue }
            let group = parent == chip ? index : parent
            guard nodes[group].parent == chip, !names.contains(String(nodes[group].name)) else { continue }
            let named = Self.texts(node.properties["pins"]).compactMap { name in
                name.hasPrefix("gpio") ? UInt32(name.dropFirst("gpio".count)) : nil
            }
            groups[group, default: []] += (Self.cells(node.properties["brcm,pins"] ?? []) + named).map { Int($0) }
        }
        return groups
    }

    private func number(_ property: String, of node: Int) -> UInt32? {
        guard let value = nodes[node].properties[property], value.count == 4 else { return nil }
        return Self.cells(value).first
    }

    /// Returns the numbers in a property. A property of any other size does not contain numbers.
    private static func cells(_ value: [UInt8]) -> [UInt32] {
        guard value.count % 4 == 0 else { return [] }
        return stride(from: 0, to: value.count, by: 4).map { start in
            value[start..<start + 4].reduce(0) { $0 << 8 | UInt32($1) }
        }
    }

    /// Returns the texts in a property, each of which ends with a zero.
    private static func texts(_ value: [UInt8]?) -> [String] {
        guard let value, value.last == 0 else { return [] }
        return value.dropLast().split(separator: 0, omittingEmptySubsequences: false).map {
            printable(String(decoding: $0, as: UTF8.self))
        }
    }
}
