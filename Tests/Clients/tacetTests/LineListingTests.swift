import Configuration
import Foundation
import GPIO
import Systemd
import Testing

@testable import tacet

@Suite struct LineListingTests {
    private let board = Board(
        chips: [
            ChipInfo(
                path: "/dev/gpiochip0", name: "gpiochip0", label: "soc",
                lines: [
                    LineInfo(offset: 0, name: "PHONE_CALL", bias: .pullUp), LineInfo(offset: 1),
                    LineInfo(offset: 2, name: "LED", direction: .output),
                    LineInfo(offset: 3, isUsed: true, consumer: "spi0 CS0"), LineInfo(offset: 4, isUsed: true),
                    LineInfo(offset: 5), LineInfo(offset: 6, name: "SDA"),
                ]),
            ChipInfo(path: "/dev/gpiochip1", name: "gpiochip1", label: "", lines: [LineInfo(offset: 0)]),
        ])
    private let wires = [
        Wire(
            title: "signal phone-call", section: "Signal phone-call", selector: .named("PHONE_CALL", chip: nil),
            isActiveLow: true, bias: .pullUp),
        Wire(title: "button play", section: "Button play", selector: .offset(5, chip: "soc"), isActiveLow: false),
        Wire(title: "signal alarm", section: "Signal alarm", selector: .named("ALARM", chip: nil), isActiveLow: false),
    ]

    private func listing(levels all: Bool = false) -> LineListing {
        var listing = LineListing(board, wires: wires)
        listing.readLevels(all: all) { chip, line in chip.name == "gpiochip0" ? line.offset == 6 : nil }
        return listing
    }

    @Test func textListsLinesWithANameAUserOrAWire() {
        #expect(
            listing().text(all: false).joined(separator: "\n") == """
                gpiochip0 (soc), 7 lines
                  LINE  NAME        DIRECTION  BIAS     LEVEL  USER      FOR
                  0     PHONE_CALL  input      pull-up  low    –         signal phone-call (asserted)
                  2     LED         output     –        –      –
                  3     –           input      –        –      spi0 CS0
                  4     –           input      –        –      unknown
                  5     –           input      –        low    –         button play (not asserted)
                  6     SDA         input      –        –      –
                gpiochip1, 1 line
                  no line has a name or a user; --all lists all lines
                """)
        #expect(listing().text(all: true).count == 12)
    }

    /// Only the service itself can read the lines that it holds.
    @Test func levelsOfHeldLinesComeFromTheService() {
        var listing = LineListing(board, wires: wires)
        let lines = [("/dev/gpiochip0", UInt32(4), true), ("/dev/gpiochip0", 0, false), ("/dev/gpiochip7", 0, true)]
        listing.take(
            LineListing.Held.all(
                .array(
                    of: "(ssub)",
                    lines.map { .structure([.string("signal x"), .string($0), .uint32($1), .bool($2)]) })))
        #expect(listing.chips[0].rows.map(\.level) == [false, nil, nil, nil, true, nil, nil])
        #expect(listing.text(all: false)[2].hasSuffix("low    –         signal phone-call (asserted)"))
        #expect(LineListing.Held.all(nil).isEmpty)
    }

    /// Requesting and releasing a line may disturb whatever is connected to it, even if the line looks free.
    @Test func readsOnlyWiredInputsUnlessAllLevelsAreRequested() {
        #expect(listing().chips[0].rows.filter { $0.level != nil }.map(\.line.offset) == [0, 5])
        #expect(listing(levels: true).chips[0].rows.filter { $0.level != nil }.map(\.line.offset) == [0, 1, 5, 6])
    }

    /// An open contact to ground reads high only with the configured pull-up.
    @Test func levelsAreReadWithTheConfiguredBias() {
        var biases: [Int: LineBias] = [:]
        var listing = LineListing(board, wires: wires)
        listing.readLevels(all: true) { chip, line in
            if chip.name == "gpiochip0" { biases[line.offset] = line.bias }
            return nil
        }
        #expect(biases == [0: .pullUp, 1: .asIs, 5: .asIs, 6: .asIs])
    }

    @Test func missingLineIsAProblem() {
        #expect(listing().problems.count == 1)
        #expect(
            listing().problems[0].hasPrefix("signal alarm: cannot find line ALARM: no chip has a line of that name"))
        // A missing chip is reported once, elsewhere.
        #expect(LineListing(Board(chips: []), wires: wires).problems.isEmpty)
    }

    @Test func jsonListsEveryLine() throws {
        let object = try JSONSerialization.jsonObject(with: Data(listing().json.utf8)) as? [String: Any]
        #expect((object?["problems"] as? [String])?.count == 1)
        let chips = try #require(object?["chips"] as? [[String: Any]])
        #expect(chips.map { $0["path"] as? String } == ["/dev/gpiochip0", "/dev/gpiochip1"])
        let lines = try #require(chips[0]["lines"] as? [[String: Any]])
        #expect(lines.count == 7)
        #expect(lines[0]["name"] as? String == "PHONE_CALL" && lines[0]["bias"] as? String == "pull-up")
        #expect(lines[0]["level"] as? Int == 0 && lines[0]["used"] as? Bool == false)
        let purpose = try #require(lines[0]["for"] as? [[String: Any]])
        #expect(purpose[0]["name"] as? String == "signal phone-call" && purpose[0]["asserted"] as? Bool == true)
        #expect(lines[3]["user"] as? String == "spi0 CS0" && lines[3]["level"] is NSNull)
    }

    @Test func configuredSignalsAndButtonsAreWires() throws {
        let folder = try Folder([
            "c.conf": """
            [Signal phone-call]
            Line=PHONE_CALL
            ActiveLow=yes
            [Button play]
            Chip=soc
            Offset=5
            Command=play
            """
        ])
        let loaded = try Configuration.load(.file(folder.url.path + "/c.conf"))
        let wires = Wire.all(of: loaded.configuration)
        #expect(wires.map(\.title) == ["signal phone-call", "button play"])
        #expect(wires.map(\.selector) == [.named("PHONE_CALL", chip: nil), .offset(5, chip: "soc")])
        #expect(wires.map(\.isActiveLow) == [true, false])
    }
}
