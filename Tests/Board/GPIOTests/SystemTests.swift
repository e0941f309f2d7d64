import Files
import Foundation
import Testing

@testable import GPIO

/// The errors that the real library reports without a chip.
@Suite struct SystemTests {
    private func error(_ body: () throws -> Void) -> GPIOError? {
        do {
            try body()
            return nil
        } catch {
            return error as? GPIOError
        }
    }

    @Test func reportsAChipThatDoesNotExist() {
        let open = error { _ = try Chip(path: "/dev/gpiochip-none") }
        #expect(open?.reason == .unavailable)
        #expect(open?.description.hasPrefix("cannot open /dev/gpiochip-none: No such file or directory. ") == true)
        let request = error {
            _ = try LineRequest(edgesOf: [LineSetting(offset: 3)], of: "/dev/gpiochip-none", consumer: "test")
        }
        #expect(request?.description.hasPrefix("cannot request line 3 of /dev/gpiochip-none: ") == true)
        let both = [LineSetting(offset: 0), LineSetting(offset: 1)]
        let levels = error { _ = try LineRequest(levelsOf: both, of: "/dev/gpiochip-none", consumer: "test") }
        #expect(levels?.subject == "lines 0, 1 of /dev/gpiochip-none")
    }

    @Test func rejectsADeviceThatIsNotAChip() {
        let open = error { _ = try Chip(path: "/dev/null") }
        #expect(open != nil && open?.subject == "/dev/null")
    }

    @Test func scanListsDevicesByNumberWithoutLinks() throws {
        let folder = FileManager.default.temporaryDirectory.appendingPathComponent("gpio-\(UUID().uuidString)")
        try FileManager.default.createDirectory(at: folder, withIntermediateDirectories: true)
        defer { try? FileManager.default.removeItem(at: folder) }
        #expect(Board.scan(folder.path) == Board(chips: []))
        for name in ["gpiochip10", "gpiochip9", "gpiochipper", "null"] {
            try Data().write(to: folder.appendingPathComponent(name))
        }
        // Some boards keep a link with the old number of a chip. Both names are the same chip.
        try FileManager.default.createSymbolicLink(
            atPath: folder.path + "/gpiochip0", withDestinationPath: "gpiochip10")
        let board = Board.scan(folder.path)
        #expect(board.chips.isEmpty)
        #expect(board.problems.map(\.subject) == ["gpiochip9", "gpiochip10"].map { folder.path + "/" + $0 })
        #expect(Folder.realPath(folder.path + "/gpiochip0").hasSuffix("/gpiochip10"))
        #expect(Folder.realPath("/nowhere/at-all") == "/nowhere/at-all")

        let nowhere = Board.scan("/nowhere")
        #expect(nowhere.problems.first?.description.hasPrefix("cannot list /nowhere: No such file") == true)
    }

    @Test func describesSelectorsAndConvertsBias() {
        #expect("\(LineSelector.named("A", chip: "b"))" == "line A of b")
        #expect("\(LineSelector.offset(3, chip: "b"))" == "line 3 of b")
        for bias in LineBias.allCases { #expect(LineBias(code: bias.code) == bias) }
    }

    @Test func kernelClockIsMonotonic() {
        let kernel = Kernel()
        let before = kernel.now
        #expect(before > .zero && kernel.now >= before)
    }
}
