import Foundation
import Testing

@testable import GPIO

@Suite struct BoardTests {
    private let board = Board(chips: [
        .fake(0, "pinctrl-bcm2711", ["PHONE_CALL", nil, "ALARM"]),
        .fake(1, "expander", ["SPARE", "ALARM"]),
        .fake(4, "expander", ["DOOR"]),
    ])

    private func find(_ selector: LineSelector, on board: Board? = nil) throws(GPIOError) -> String {
        "\(try (board ?? self.board).find(selector) { $0 == "/dev/gpiochip9" ? "/dev/gpiochip4" : $0 })"
    }

    private func error(_ selector: LineSelector, on board: Board? = nil) -> GPIOError? {
        do throws(GPIOError) {
            _ = try find(selector, on: board)
            return nil
        } catch {
            return error
        }
    }

    @Test(arguments: [
        (LineSelector.named("PHONE_CALL", chip: nil), "PHONE_CALL (line 0 of gpiochip0)"),
        (.named("ALARM", chip: "gpiochip1"), "ALARM (line 1 of gpiochip1)"),
        (.named("ALARM", chip: "pinctrl-bcm2711"), "ALARM (line 2 of gpiochip0)"),
        (.named("ALARM", chip: "/dev/gpiochip0"), "ALARM (line 2 of gpiochip0)"),
        (.offset(1, chip: "gpiochip0"), "line 1 of gpiochip0"),
        (.offset(2, chip: "/dev/gpiochip0"), "ALARM (line 2 of gpiochip0)"),
        // A shared label is sufficient if only one of the chips has the line.
        (.named("DOOR", chip: "expander"), "DOOR (line 0 of gpiochip4)"),
        (.offset(1, chip: "expander"), "ALARM (line 1 of gpiochip1)"),
        // A link can be given by its path or its name.
        (.named("DOOR", chip: "/dev/gpiochip9"), "DOOR (line 0 of gpiochip4)"),
        (.offset(0, chip: "gpiochip9"), "DOOR (line 0 of gpiochip4)"),
    ]) func findsLineByNameOffsetLabelAndLink(selector: LineSelector, line: String) throws {
        #expect(try find(selector) == line)
    }

    struct Miss: Sendable {
        let selector: LineSelector
        let reason: GPIOError.Reason
        let words: String

        init(_ selector: LineSelector, _ reason: GPIOError.Reason, _ words: String) {
            self.selector = selector
            self.reason = reason
            self.words = words
        }
    }

    @Test func ownAdviceReplacesTheSuggestionOfASimilarLine() {
        let bare = Board(chips: [.fake(0, "pinctrl", ["ALARM2"])], model: "toaster")
        let advice: LineMiss.Advice = { miss in
            if case .unnamed(let name, let model?) = miss { "\(name) of a \(model)" } else { nil }
        }
        do throws(GPIOError) { _ = try bare.find(.named("ALARM", chip: nil), advice: advice) } catch {
            #expect(error.advice == "ALARM of a toaster")
        }
        #expect(self.error(.named("ALARM", chip: nil), on: bare)?.advice == "did you mean ‘ALARM2’?")
    }

    @Test func scanReadsTheModel() throws {
        let tree = URL.temporaryDirectory.appending(path: "tree-\(UInt64.random(in: 0 ... .max))")
        try FileManager.default.createDirectory(at: tree, withIntermediateDirectories: true)
        defer { try? FileManager.default.removeItem(at: tree) }
        #expect(Board.scan(tree.path, tree: tree.path).model == nil)
        let compatible = tree.appending(path: "compatible")
        try Data("raspberrypi,4-model-b\0brcm,bcm2711\0".utf8).write(to: compatible)
        #expect(Board.scan(tree.path, tree: tree.path).model == "raspberrypi,4-model-b")
        // A text without a terminating zero is not a name.
        try Data(repeating: 65, count: 200).write(to: compatible)
        #expect(Board.scan(tree.path, tree: tree.path).model == nil)
    }

    static let misses = [
        Miss(
            .named("PHONE_CAL", chip: nil), .lineNotFound,
            "cannot find line PHONE_CAL: no chip has a line of that name. Did you mean ‘PHONE_CALL’?"
        ),
        Miss(
            .named("ZEBRA", chip: nil), .lineNotFound,
            "cannot find line ZEBRA: no chip has a line of that name. Specify one that `gpioinfo` lists, "
                + "or a line without a name by its chip and offset"
        ),
        Miss(
            .named("DOOR", chip: "gpiochip0"), .lineNotFound,
            "cannot find line DOOR of gpiochip0: that chip does not have a line of that name. "
                + "Did you mean gpiochip4 (expander), which has one?"
        ),
        Miss(
            .offset(3, chip: "gpiochip0"), .lineNotFound,
            "cannot find line 3 of gpiochip0: there is no such line: gpiochip0 (pinctrl-bcm2711) has 0 to 2. "
                + "Count from 0, as `gpioinfo` does"
        ),
        Miss(
            .named("ALARM", chip: nil), .ambiguous,
            "cannot find line ALARM: it matches line 2 of gpiochip0 (pinctrl-bcm2711) and line 1 of gpiochip1 "
                + "(expander). Specify the chip and the number of one of them"
        ),
        Miss(
            .offset(0, chip: "expander"), .ambiguous,
            "cannot find line 0 of expander: it matches line 0 of gpiochip1 (expander) and line 0 of gpiochip4 "
                + "(expander). Specify the chip and the number of one of them"
        ),
        Miss(
            .offset(0, chip: "pinctrl-bcm2835"), .chipNotFound,
            "cannot find line 0 of pinctrl-bcm2835: there is no such chip, only gpiochip0 (pinctrl-bcm2711), "
                + "gpiochip1 (expander), gpiochip4 (expander). Did you mean ‘pinctrl-bcm2711’?"
        ),
        Miss(
            .offset(0, chip: "/dev/gpiochip7"), .chipNotFound,
            "cannot find line 0 of /dev/gpiochip7: there is no such chip, only gpiochip0 (pinctrl-bcm2711), "
                + "gpiochip1 (expander), gpiochip4 (expander). Specify one of those by its label, which stays the same "
                + "when the numbers change"
        ),
    ]

    @Test(arguments: misses) func reportsWhyALineIsNotFound(miss: Miss) {
        let error = error(miss.selector)
        #expect(error?.reason == miss.reason)
        #expect(error?.description == miss.words)
    }

    @Test func reportsAMachineWithoutChips() {
        let error = error(.named("ALARM", chip: nil), on: Board(chips: []))
        #expect(error?.reason == .noChips)
        #expect(error?.description.hasPrefix("cannot find a GPIO chip: the system has none. Check that") == true)
    }

    @Test func mentionsChipsWithoutPermissionWhenALineIsNotFound() {
        let denied = GPIOError.system(13, "open", "/dev/gpiochip0")
        let all = error(.named("ALARM", chip: nil), on: Board(chips: [], problems: [denied]))
        #expect(all?.reason == .permission)
        #expect(
            all?.description.hasPrefix("cannot open /dev/gpiochip0: Permission denied. Run as root, or join") == true)
        #expect(all?.advice.contains("gpio") == true)

        let some = error(.named("DOOR", chip: nil), on: Board(chips: [.fake(1, "x", [])], problems: [denied]))
        #expect(some?.reason == .lineNotFound)
        #expect(some?.message.hasSuffix("(not inspected: /dev/gpiochip0, Permission denied)") == true)
    }

    @Test func errnoDeterminesReasonAndAdvice() {
        let busy = GPIOError.system(16, "request", "ALARM (line 2 of gpiochip0)", consumer: "gpiomon")
        #expect(busy.reason == .busy(consumer: "gpiomon"))
        #expect(
            busy.description
                == "cannot request ALARM (line 2 of gpiochip0): Device or resource busy: in use by ‘gpiomon’. "
                + "Stop that program, or the kernel's driver that took it, or use another line")
        #expect(GPIOError.system(16, "request", "x").message.hasSuffix("in use by another program or the kernel"))
        #expect(GPIOError.system(19, "read", "x").reason == .unavailable)
        #expect(GPIOError.system(22, "request", "x").reason == .system)
    }
}
