import Foundation
import GPIO
import Testing

@testable import Configuration

/// The advice about a line that cannot be found.
@Suite struct LineAdviceTests {
    private func advice(_ name: String, on chips: [ChipInfo], model: String? = nil) -> String? {
        do throws(GPIOError) {
            _ = try Board(chips: chips, model: model).find(.named(name, chip: nil), advice: Wiring.advice)
            return nil
        } catch { return error.advice }
    }

    private func chip(_ number: Int, _ label: String, _ names: String...) -> ChipInfo {
        ChipInfo(
            path: "/dev/gpiochip\(number)", name: "gpiochip\(number)", label: label,
            lines: names.enumerated().map { LineInfo(offset: $0, name: $1) })
    }

    @Test(
        arguments: [
            (
                "raspberrypi,4-model-b",
                "load the overlay that names it: /usr/share/tacet/overlays/tacet-rpi-4-b.dtbo"
            ),
            (
                "raspberrypi,model-zero-2-w",
                "load an overlay that names it, such as the one that /usr/share/doc/tacet/examples/draft writes"
            ),
            ("linux,dummy-virt", "did you mean ‘ALARM2’?"), (nil, "did you mean ‘ALARM2’?"),
        ] as [(String?, String)]) func missingOverlayIsNamed(model: String?, words: String)
    {
        let bare = [chip(0, "pinctrl", "GPIO12", "ALARM2")]
        #expect(advice("ALARM", on: bare, model: model) == words)
        #expect(advice("ZEBRA", on: bare, model: model)?.contains("overlay") == false)
    }

    @Test func everyNamedOverlayExists() throws {
        let overlays = URL(filePath: #filePath).deletingLastPathComponent().appending(
            path: "../../../hardware/overlays")
        for file in Overlay.files.values {
            let text = try String(contentsOf: overlays.appending(path: "\(file).dtso"), encoding: .utf8)
            #expect(text.contains("PHONE_CALL"))
        }
    }

    @Test func ambiguousNameNeedsTheKeysThatDistinguish() {
        #expect(advice("A", on: [chip(0, "odd", "A", "A")]) == "specify Offset= instead of the name")
        #expect(advice("A", on: [chip(0, "x", "A"), chip(1, "y", "A")]) == "specify Chip=, preferably by label")
        #expect(
            advice("A", on: [chip(0, "x", "A"), chip(1, "x", "A")]) == "specify Chip=gpiochip0 or one of the others")
        #expect(
            advice("A", on: [chip(0, "x", "A"), chip(1, "x", "A"), chip(2, "y", "A")])
                == "specify Chip= and, if that is not enough, Offset=")
    }
}
