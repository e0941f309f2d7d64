import Configuration
import Foundation
import GPIO
import Testing

@testable import tacet

@Suite struct KeptLevelsTests {
    private let folder: Folder
    private let output = "[Playback]\nLibrary=music\n[Output amplifier]\nMeans=amplifier\nLine=AMPLIFIER\n"

    init() throws {
        folder = try Folder()
        try write("music/a.flac")
    }

    private var path: String { folder.url.path }

    private func write(_ name: String, _ text: String = "") throws {
        let url = folder.url.appendingPathComponent(name)
        try FileManager.default.createDirectory(at: url.deletingLastPathComponent(), withIntermediateDirectories: true)
        try text.write(to: url, atomically: true, encoding: .utf8)
    }

    private func find() -> [KeptLevels] { KeptLevels.find(modules: path + "/module", tree: path + "/tree") }

    @Test func findsTheParameterThatKeepsLevels() throws {
        #expect(find().isEmpty)
        try write("module/pinctrl_bcm2835/parameters/persist_gpio_outputs", "N\n")
        try write("module/snd/parameters/slots", "Y\n")
        #expect(find().isEmpty)
        try write("module/pinctrl_rp1/parameters/persist_gpio_outputs", "Y\n")
        #expect(find().map(\.parameter) == ["pinctrl_rp1.persist_gpio_outputs"])
    }

    @Test func findsTheFormerNameOfTheParameter() throws {
        try write("module/pinctrl_bcm2835/parameters/strict_gpiod", "N\n")
        #expect(find().map { [$0.parameter, $0.otherValue] } == [["pinctrl_bcm2835.strict_gpiod", "1"]])
        try write("module/pinctrl_bcm2835/parameters/strict_gpiod", "Y\n")
        #expect(find().isEmpty)
    }

    @Test func adviceFitsTheFirmware() throws {
        try write("module/pinctrl_bcm2835/parameters/persist_gpio_outputs", "Y\n")
        #expect(
            try warnings(of: output).first?.advice?.hasPrefix(
                "add pinctrl_bcm2835.persist_gpio_outputs=0 to the kernel's command line and restart") == true)
        try write("tree/__overrides__/strict_gpiod")
        #expect(try warnings(of: output).first?.advice?.hasPrefix("add dtparam=strict_gpiod to config.txt") == true)
    }

    @Test func warnsOnceAndOnlyIfThereAreOutputs() throws {
        try write("module/pinctrl_bcm2835/parameters/persist_gpio_outputs", "Y\n")
        #expect(try warnings(of: "[Playback]\nLibrary=music\n").isEmpty)
        let found = try warnings(of: output + "[Output lamp]\nMeans=playing\nLine=LAMP\n")
        #expect(found.count == 1 && found.first?.line == 5, "\(found)")
        #expect(found.first?.message.contains("stays asserted until systemd has deasserted it") == true, "\(found)")
    }

    /// Returns the warnings about the kernel. There is no chip, so there is also a warning about that.
    private func warnings(of text: String) throws -> [Diagnostic] {
        try write("c.conf", text)
        let loaded = try Configuration.load(.file(path + "/c.conf"))
        return Inspection(
            loaded, account: nil, board: Board(chips: []), deviceProblem: { _ in nil }, deviceHolder: { _ in nil },
            keptLevels: { find() }
        ).warnings.filter { $0.message.hasPrefix("the kernel keeps the level") }
    }
}
