// Fuzzes the search for used lines in a device tree with libFuzzer. `make fuzz` compiles this together with `DeviceTree`.
// The kernel shows a tree as folders and files, so each input is a list of steps that build such a tree.

@_cdecl("LLVMFuzzerTestOneInput")
public func fuzz(_ data: UnsafePointer<UInt8>, _ count: Int) -> CInt {
    var input = Array(UnsafeBufferPointer(start: data, count: count))[...]
    var limits = DeviceTree.Limits()
    limits.depth = 8
    limits.nodes = 200
    var tree = DeviceTree(limits: limits)
    guard let soc = tree.addNode("soc", under: 0), let chip = tree.addNode("gpio", under: soc) else { return 0 }
    tree.setProperty("phandle", [0, 0, 0, 1], of: chip)
    tree.setProperty("#gpio-cells", [0, 0, 0, 2], of: chip)
    var path = [0, soc]
    while let step = input.popFirst() { build(&tree, &path, step, chip, &input) }
    check(tree)
    tree.setProperty("status", Array("disabled\0".utf8), of: 0)
    precondition(tree.claims(ofChip: "/soc/gpio").isEmpty)
    return 0
}

private let names = [
    "phandle", "status", "#gpio-cells", "gpio-hog", "brcm,pins", "pins", "pinctrl-0", "pinctrl-1", "gpios", "gpio",
    "reset-gpios", "nr-gpios", "compatible", "unknown",
]

/// Adds a node or a property to the tree, or leaves a node.
private func build(
    _ tree: inout DeviceTree, _ path: inout [Int], _ step: UInt8, _ chip: Int, _ input: inout ArraySlice<UInt8>
) {
    guard let node = path.last else { return }
    switch step % 8 {
    case 0: path.append(chip)
    case 1 where path.count > 1: path.removeLast()
    case 2, 3:
        let name = String(decoding: take(&input), as: UTF8.self)
        if let child = tree.addNode(name, under: node) { path.append(child) }
    case 4:
        let name = String(decoding: take(&input), as: UTF8.self)
        tree.setProperty(name, take(&input), of: node)
    case 5:
        tree.setProperty(names[Int(step / 8) % names.count], take(&input), of: node)
    default:
        // Small numbers, because the fuzzer would rarely find the zeros before them.
        let cells = take(&input).flatMap { $0 == 255 ? [255, 255, 255, 255] : [0, 0, 0, $0] }
        tree.setProperty(names[Int(step / 8) % names.count], cells, of: node)
    }
}

/// Removes bytes from the input. The first one is their number.
private func take(_ input: inout ArraySlice<UInt8>) -> [UInt8] {
    let count = Int(input.popFirst() ?? 0)
    defer { input = input.dropFirst(count) }
    return Array(input.prefix(count))
}

private func check(_ tree: DeviceTree) {
    let claims = tree.claims(ofChip: "/soc/gpio")
    precondition(claims.count <= DeviceTree.maximum && claims == tree.claims(ofChip: "/soc/gpio"))
    let paths = Set(tree.nodes.map(\.path))
    for claim in claims {
        precondition((0...Int(UInt32.max)).contains(claim.offset) && paths.contains(claim.node))
        precondition(claim.description.utf8.allSatisfy { (0x20...0x7e).contains($0) })
    }
    // A group that is left out removes its claims, and does not add any.
    let fewer = tree.claims(ofChip: "/soc/gpio", except: ["a", ""])
    precondition(claims.count == DeviceTree.maximum || fewer.count <= claims.count)
    for node in tree.nodes.dropFirst() {
        precondition(node.depth <= 8 && node.parent.map { tree.nodes[$0].depth + 1 } == node.depth)
    }
}
