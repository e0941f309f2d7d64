import Configuration
import Foundation
import GPIO
import Testing

@testable import tacet

/// The warnings about lines that the device tree assigns to another device.
@Suite struct ClaimedLinesTests {
    private let folder: Folder
    private let board = Board(chips: [
        ChipInfo(
            path: "/dev/gpiochip0", name: "gpiochip0", label: "soc",
            lines: (0..<28).map { LineInfo(offset: $0, name: "GPIO\($0)") })
    ])

    init() throws {
        folder = try Folder()
        try write("music/a.flac", [])
        try write("tree/soc/gpio/phandle", [0, 0, 0, 7])
        try write("tree/soc/gpio/#gpio-cells", [0, 0, 0, 2])
        try write("chips/gpiochip0/name", [])
        try FileManager.default.createSymbolicLink(
            at: folder.url.appendingPathComponent("chips/gpiochip0/of_node"),
            withDestinationURL: folder.url.appendingPathComponent("tree/soc/gpio"))
    }

    private func write(_ name: String, _ bytes: [UInt8]) throws {
        let url = folder.url.appendingPathComponent(name)
        try FileManager.default.createDirectory(at: url.deletingLastPathComponent(), withIntermediateDirectories: true)
        try Data(bytes).write(to: url)
    }

    /// Returns the warnings about lines, and the notes.
    private func inspect(tree: String = "tree") throws -> (warnings: [Diagnostic], notes: [String]) {
        try write(
            "c.conf",
            Array(
                """
                [Playback]
                Library=music
                [Signal phone-call]
                Line=GPIO17
                [Output amplifier]
                Means=amplifier
                Chip=soc
                Offset=26
                """.utf8))
        let path = folder.url.path
        let inspection = Inspection(
            try Configuration.load(.file(path + "/c.conf")), account: nil, board: board, deviceProblem: { _ in nil },
            deviceHolder: { _ in nil }, reportsEdges: { _ in true }, keptLevels: { [] }, treeFolder: path + "/" + tree,
            chipFolder: path + "/chips")
        return (inspection.warnings, inspection.notes)
    }

    @Test func linesOfAnAudioBoardAreWarnings() throws {
        #expect(try inspect().warnings == [])
        try write("tree/soc/sound/compatible", Array("hifiberry,hifiberry-dacplus\0".utf8))
        try write("tree/soc/sound/reset-gpio", [0, 0, 0, 7, 0, 0, 0, 17, 0, 0, 0, 0])
        try write("tree/soc/sound/mute-gpio", [0, 0, 0, 7, 0, 0, 0, 4, 0, 0, 0, 0])
        let warning = try #require(try inspect().warnings.first)
        #expect(
            warning.line == 4
                && warning.message
                    == "GPIO17 (line 17 of gpiochip0): the device tree assigns this line to /soc/sound "
                    + "(hifiberry,hifiberry-dacplus, in reset-gpio), which may drive it or keep it for itself"
        )
        #expect(warning.advice?.hasPrefix("connect the wire to another pin") == true)
        #expect(try inspect().warnings.count == 1)
        try write("tree/soc/lamp/gpios", [0, 0, 0, 7, 0, 0, 0, 26, 0, 0, 0, 0])
        #expect(try inspect().warnings.map(\.line) == [4, 8])
    }

    @Test func theGroupOfTheOverlayIsNotAWarning() throws {
        try write("tree/soc/gpio/pinctrl-0", [0, 0, 0, 8])
        try write("tree/soc/gpio/tacet-lines/phandle", [0, 0, 0, 8])
        try write("tree/soc/gpio/tacet-lines/up/pins", Array("gpio17\0gpio26\0".utf8))
        #expect(try inspect().warnings == [])
    }

    @Test func keysOfTheOverlayHoldTheirLines() throws {
        try write("tree/tacet-keys/cover/gpios", [0, 0, 0, 7, 0, 0, 0, 17, 0, 0, 0, 0])
        let warnings = try inspect().warnings
        #expect(warnings.count == 1 && warnings.first?.advice?.hasPrefix("write Enabled=no") == true)
    }

    @Test func machinesWithoutADeviceTreeHaveNoWarnings() throws {
        try write("tree/soc/lamp/gpios", [0, 0, 0, 7, 0, 0, 0, 26, 0, 0, 0, 0])
        #expect(try inspect(tree: "none").warnings == [])
        try FileManager.default.removeItem(at: folder.url.appendingPathComponent("chips/gpiochip0/of_node"))
        #expect(try inspect().warnings == [])
    }

    @Test func anEnormousPropertyIsANote() throws {
        try write("tree/soc/lamp/gpios", Array(repeating: 0, count: 5_000))
        let found = try inspect()
        #expect(found.warnings == [] && found.notes.contains { $0.hasPrefix("the device tree is too large") })
    }
}
