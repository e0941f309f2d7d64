import Foundation
import Testing

@testable import GPIO

/// A device tree that is written like the source of one.
private struct TreeNode {
    var name: String
    var properties: [String: [UInt8]] = [:]
    var children: [TreeNode] = []

    func add(to tree: inout DeviceTree, under parent: Int) {
        guard let node = tree.addNode(name, under: parent) else { return }
        for (key, value) in properties { tree.setProperty(key, value, of: node) }
        for child in children { child.add(to: &tree, under: node) }
    }

    /// Writes the node as the kernel shows it.
    func write(to folder: URL) throws {
        let url = folder.appendingPathComponent(name)
        try FileManager.default.createDirectory(at: url, withIntermediateDirectories: true)
        for (key, value) in properties { try Data(value).write(to: url.appendingPathComponent(key)) }
        for child in children { try child.write(to: url) }
    }
}

private func cells(_ values: UInt32...) -> [UInt8] {
    values.flatMap { value in (0..<4).map { UInt8(truncatingIfNeeded: value >> (24 - 8 * $0)) } }
}

private func texts(_ values: String...) -> [UInt8] { values.flatMap { Array($0.utf8) + [0] } }

@Suite struct DeviceTreeTests {
    private static let chipPath = "/soc/gpio@7e200000"

    /// Returns the nodes of a board with one chip, whose number is 7.
    private func board(
        _ nodes: [TreeNode], groups: [TreeNode] = [], chip properties: [String: [UInt8]] = [:]
    ) -> [TreeNode] {
        let chip = TreeNode(
            name: "gpio@7e200000",
            properties: ["phandle": cells(7), "#gpio-cells": cells(2)].merging(properties) { $1 }, children: groups)
        return [TreeNode(name: "soc", children: [chip] + nodes)]
    }

    private func tree(_ nodes: [TreeNode], limits: DeviceTree.Limits = .init()) -> DeviceTree {
        var tree = DeviceTree(limits: limits)
        for node in nodes { node.add(to: &tree, under: 0) }
        return tree
    }

    /// Returns the claims as `OFFSET NODE PROPERTY`.
    private func claims(_ tree: DeviceTree) -> [String] {
        tree.claims(ofChip: Self.chipPath, except: ["tacet-lines"]).map { "\($0.offset) \($0.node) \($0.property)" }
    }

    private func claims(of nodes: [TreeNode]) -> [String] { claims(tree(nodes)) }

    @Test func findsTheLinesOfAnAudioBoard() {
        let sound = TreeNode(
            name: "sound",
            properties: [
                "compatible": texts("hifiberry,hifiberry-dacplus", "other"), "status": texts("okay"),
                "mute-gpio": cells(7, 4, 0), "reset-gpio": cells(7, 17, 0x11),
            ])
        let tree = tree(board([sound]))
        #expect(claims(tree) == ["4 /soc/sound mute-gpio", "17 /soc/sound reset-gpio"])
        #expect(
            tree.claims(ofChip: Self.chipPath).first?.description
                == "/soc/sound (hifiberry,hifiberry-dacplus, in mute-gpio)")
        #expect(tree.claims(ofChip: "/soc/gpio@other") == [])
    }

    @Test func ignoresDevicesThatAreDisabledThemselvesOrInADisabledNode() {
        let lines = ["reset-gpios": cells(7, 5, 0)]
        #expect(claims(of: board([TreeNode(name: "a", properties: lines)])) == ["5 /soc/a reset-gpios"])
        for status in [texts("disabled"), texts("fail"), texts(""), [], Array("okay".utf8)] {
            let disabled = lines.merging(["status": status]) { $1 }
            #expect(claims(of: board([TreeNode(name: "a", properties: disabled)])) == [])
            let inner = TreeNode(
                name: "bus", properties: ["status": status], children: [TreeNode(name: "a", properties: lines)])
            #expect(claims(of: board([inner])) == [])
        }
    }

    @Test func findsThePinsOfGroupsToWhichDevicesRefer() {
        let groups = [
            TreeNode(name: "spi0_pins", properties: ["phandle": cells(8), "brcm,pins": cells(9, 10, 11)]),
            TreeNode(
                name: "codec", properties: ["phandle": cells(9)],
                children: [TreeNode(name: "pins", properties: ["pins": texts("gpio22", "sda", "gpio-1", "gpio24")])]),
            TreeNode(name: "unused", properties: ["phandle": cells(10), "brcm,pins": cells(12)]),
        ]
        let devices = [
            TreeNode(name: "spi", properties: ["pinctrl-0": cells(8)]),
            TreeNode(name: "i2s", properties: ["pinctrl-1": cells(99, 9), "pinctrl-names": texts("default")]),
        ]
        #expect(
            claims(of: board(devices, groups: groups)) == [
                "9 /soc/spi pinctrl-0", "10 /soc/spi pinctrl-0", "11 /soc/spi pinctrl-0", "22 /soc/i2s pinctrl-1",
                "24 /soc/i2s pinctrl-1",
            ])
    }

    @Test func aGroupThatOnlySetsResistorsIsNotAClaim() {
        let up = TreeNode(name: "up", properties: ["pins": texts("gpio12")])
        func groups(_ name: String) -> [TreeNode] {
            [TreeNode(name: name, properties: ["phandle": cells(8)], children: [up])]
        }
        let hog = ["pinctrl-0": cells(8)]
        #expect(claims(of: board([], groups: groups("tacet-lines"), chip: hog)) == [])
        #expect(
            claims(of: board([], groups: groups("gpioout"), chip: hog)) == ["12 /soc/gpio@7e200000 pinctrl-0"])
    }

    @Test func findsLinesThatTheKernelSetsByItself() {
        let hog = TreeNode(
            name: "hog", properties: ["gpio-hog": [], "gpios": cells(26, 0, 27, 0, 28), "output-high": []])
        #expect(
            claims(of: board([], groups: [hog]))
                == ["26 /soc/gpio@7e200000/hog gpios", "27 /soc/gpio@7e200000/hog gpios"])
        #expect(claims(of: board([hog])) == [])
    }

    @Test func skipsTheLinesOfOtherChipsAndMissingOnes() {
        let expander = TreeNode(name: "expander", properties: ["phandle": cells(3), "#gpio-cells": cells(1)])
        let leds = TreeNode(name: "leds", properties: ["gpios": cells(3, 12, 0, 7, 13, 1, 0, 3, 5, 7, 16, 0)])
        #expect(claims(of: board([expander, leds])) == ["13 /soc/leds gpios", "16 /soc/leds gpios"])
    }

    @Test(
        arguments: [
            // The size of an entry of an unknown chip is not known, so what follows it is not read.
            (["a-gpios": cells(7, 1, 0, 99, 7, 2, 0)], ["1 /soc/a a-gpios"]),
            (["a-gpios": cells(7, 1, 0, 7, 2)], ["1 /soc/a a-gpios"]),
            (["a-gpios": cells(7)], []), (["a-gpios": []], []), (["a-gpios": Array(cells(7, 1, 0).dropLast())], []),
            (["a-gpio": cells(7, .max, .max)], ["4294967295 /soc/a a-gpio"]),
            (["nr-gpios": cells(7, 1, 0), "snps,nr-gpios": cells(7, 1, 0)], []),
            (["pinctrl-0": cells(7, 0)], []), (["pinctrl-x": cells(7)], []), (["interrupts": cells(7, 1, 0)], []),
        ] as [([String: [UInt8]], [String])])
    func malformedListsAreReadAsFarAsPossible(properties: [String: [UInt8]], expected: [String]) {
        let node = TreeNode(name: "a", properties: properties)
        #expect(claims(of: board([node])) == expected)
    }

    @Test(arguments: [cells(0), cells(3), cells(.max), [], [2], cells(2, 2)])
    func linesOfAChipWithUnusualCellsAreNotRead(size: [UInt8]) {
        let node = TreeNode(name: "a", properties: ["a-gpios": cells(7, 1, 0, 0)])
        #expect(claims(of: board([node], chip: ["#gpio-cells": size])) == [])
    }

    @Test func malformedGroupsAndNumbersAreIgnored() {
        let groups = [
            TreeNode(name: "short", properties: ["phandle": cells(8), "brcm,pins": [0, 0, 1]]),
            TreeNode(name: "open", properties: ["phandle": cells(10), "pins": Array("gpio56".utf8)]),
            TreeNode(name: "long", properties: ["phandle": [0, 0, 0, 0, 9], "brcm,pins": cells(6)]),
        ]
        let device = TreeNode(name: "a", properties: ["pinctrl-0": cells(8, 9, 10)])
        #expect(claims(of: board([device], groups: groups)) == [])
    }

    @Test func namesAreShownWithoutControlCharacters() {
        let node = TreeNode(
            name: "a\u{1b}[31mä", properties: ["compatible": texts("x\ny"), "\tb-gpios": cells(7, 1, 0)])
        #expect(
            tree(board([node])).claims(ofChip: Self.chipPath).map(\.description)
                == ["/soc/a?[31m?? (x?y, in ?b-gpios)"])
    }

    @Test func largeTreesAreTruncated() {
        let small = board([TreeNode(name: "a", properties: ["a-gpios": cells(7, 1, 0)])])
        var limits = DeviceTree.Limits()
        #expect(!tree(small, limits: limits).isTruncated)
        for (path, value) in [
            (\DeviceTree.Limits.nodes, 3), (\.depth, 1), (\.property, 11), (\.bytes, 19),
        ] as [(WritableKeyPath<DeviceTree.Limits, Int>, Int)] {
            limits = DeviceTree.Limits()
            limits[keyPath: path] = value
            let tree = tree(small, limits: limits)
            #expect(tree.isTruncated && claims(tree) == [], "\(value)")
            limits[keyPath: path] += 1
            #expect(!self.tree(small, limits: limits).isTruncated)
        }
    }

    @Test func readsTheFolderOfTheKernel() throws {
        let folder = FileManager.default.temporaryDirectory.appendingPathComponent("tree-\(UUID().uuidString)")
        defer { try? FileManager.default.removeItem(at: folder) }
        #expect(DeviceTree.read(folder.path) == nil)
        let sound = TreeNode(
            name: "sound", properties: ["reset-gpio": cells(7, 17, 0), "model": Array(repeating: 1, count: 9_999)])
        let symbols = TreeNode(name: "__symbols__", properties: ["gpio": cells(7, 18, 0)])
        for node in board([sound]) + [symbols] { try node.write(to: folder) }
        // Neither links nor pipes are followed, and a property that is too long is omitted.
        let soc = folder.appendingPathComponent("soc")
        try FileManager.default.createSymbolicLink(at: soc.appendingPathComponent("loop"), withDestinationURL: folder)
        #expect(mkfifo(soc.appendingPathComponent("a-gpios").path, 0o600) == 0)
        let tree = try #require(DeviceTree.read(folder.path))
        #expect(claims(tree) == ["17 /soc/sound reset-gpio"])
        #expect(!tree.isTruncated && tree.nodes.count == 4)
        try Data(repeating: 0, count: 4_097).write(to: soc.appendingPathComponent("b-gpios"))
        #expect(DeviceTree.read(folder.path)?.isTruncated == true)
    }
}
