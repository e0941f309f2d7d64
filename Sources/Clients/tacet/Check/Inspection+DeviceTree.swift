import Configuration
import Files
import GPIO

extension Inspection {
    /// Warns about lines that the device tree of this board assigns to another device, such as the mute line of an audio
    /// board.
    ///
    /// The kernel reports the user of a line only after a driver has requested it, and `tacet lines` shows that. The
    /// device tree also contains the lines of a driver that is not loaded yet or has failed, and pins that have another
    /// function, such as those of a bus. The kernel lets Tacet open such a line, and both then use the same pin.
    mutating func inspectClaims() {
        let wires = Wire.all(of: configuration).compactMap { wire in
            (try? board.find(wire.selector, advice: Wiring.advice)).map { (wire: wire, found: $0) }
        }
        guard !wires.isEmpty, let tree = DeviceTree.read(treeFolder) else { return }
        var claims: [ChipInfo: [LineClaim]] = [:]
        for (wire, found) in wires {
            let known = claims[found.chip] ?? self.claims(of: found.chip, in: tree)
            claims[found.chip] = known
            guard let claim = known.first(where: { $0.offset == found.line.offset }) else { continue }
            warn(
                loaded.warning(
                    about: "Line", "Offset", "Chip", in: wire.section,
                    "\(found): the device tree assigns this line to \(claim), which may drive it or keep it for itself",
                    advice: Overlay.isKeys(claim.node)
                        ? "write Enabled=no in this section, because the overlay tacet-keys turns this line into a key"
                        : "connect the wire to another pin, or remove the overlay of that device if the board does not "
                            + "have it"))
        }
        if tree.isTruncated { note("the device tree is too large, so only a part of it was searched for used lines") }
    }

    private func claims(of chip: ChipInfo, in tree: DeviceTree) -> [LineClaim] {
        let root = Folder.realPath(treeFolder)
        let node = Folder.realPath("\(chipFolder)/\(chip.name)/of_node")
        guard node.hasPrefix(root + "/") else { return [] }
        return tree.claims(ofChip: String(node.dropFirst(root.count)), except: Overlay.groups)
    }
}
