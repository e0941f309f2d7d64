import ALSA
import Configuration
import Foundation
import GPIO
import Systemd
import Testing

@testable import tacet

/// The output of `tacet inputs`, and the warnings of `tacet check` about input devices and jacks.
@Suite struct InputListingTests {
    private static let listing: InputListing = {
        let letters = (0..<26).map { InputListing.Code(name: "KEY_\($0)", isSwitch: false, level: $0 == 3) }
        var listing = InputListing(
            devices: [
                .init(
                    path: "/dev/input/event0", name: "Lid Switch",
                    codes: [.init(name: "SW_LID", isSwitch: true, level: true)]),
                .init(path: "/dev/input/event1", name: "Keyboard", codes: letters),
                .init(
                    path: "/dev/input/event2", name: "Headset",
                    codes: [.init(name: "KEY_PLAYPAUSE", isSwitch: false, level: false)]),
                .init(
                    path: "/dev/input/event3", name: "Headset",
                    codes: [.init(name: "KEY_PLAYPAUSE", isSwitch: false, level: false)]),
                .init(path: "/dev/input/event4", name: "Secret", codes: nil),
            ],
            cards: [
                .init(number: 0, id: "PCH", jacks: [JackInfo(name: "Headphone Jack", number: 4, isPlugged: true)]),
                .init(number: 1, id: "USB", jacks: []),
                .init(number: 2, id: "HDMI", jacks: [JackInfo(name: "Headphone Jack", number: 4, isPlugged: false)]),
            ])
        listing.problems = ["cannot read /dev/input/event4"]
        return listing
    }()

    @Test func listsStatesAndHidesTheKeysOfAKeyboard() {
        #expect(
            Self.listing.text(all: false) == [
                "/dev/input/event0 “Lid Switch”", "  SW_LID  on", "/dev/input/event1 “Keyboard”", "  KEY_3  held",
                "  25 more keys are not held; --all lists them", "/dev/input/event2 “Headset”",
                "  KEY_PLAYPAUSE  released", "/dev/input/event3 “Headset”", "  KEY_PLAYPAUSE  released",
                "/dev/input/event4 “Secret”: no permission", "card 0 “PCH”", "  Headphone Jack  plugged in",
                "card 1 “USB”: reports no jacks", "card 2 “HDMI”", "  Headphone Jack  empty",
            ])
        #expect(Self.listing.text(all: true).count == 39)
    }

    @Test func jsonHasEverything() throws {
        let object = try JSONSerialization.jsonObject(with: Data(Self.listing.json.utf8)) as? [String: Any]
        let devices = try #require(object?["devices"] as? [[String: Any]])
        #expect(devices.count == 5 && devices[4]["codes"] is NSNull)
        let lid = try #require((devices[0]["codes"] as? [[String: Any]])?.first)
        #expect(lid["name"] as? String == "SW_LID" && lid["kind"] as? String == "switch" && lid["on"] as? Bool == true)
        let cards = try #require(object?["cards"] as? [[String: Any]])
        #expect(cards.count == 3 && object?["problems"] as? [String] == ["cannot read /dev/input/event4"])
    }

    @Test func audioInputsShowWhatArrives() throws {
        func input(_ name: String, _ role: String, _ state: String, _ level: Double) -> BusValue {
            .structure([.string(name), .string("pipe:/p"), .string(role), .string(state), .double(level)])
        }
        var listing = InputListing(devices: [], cards: [])
        listing.audio = InputListing.Audio.all(
            .array(
                of: "(ssssd)",
                [input("airplay", "programme", "selected", -11.7), input("page", "page", "silent", -120), .string("?")])
        )
        #expect(
            listing.text(all: false) == [
                "audio inputs of tacetd", "  airplay  pipe:/p  selected  -12 dBFS", "  page  pipe:/p  page  silent",
            ])
        let object = try JSONSerialization.jsonObject(with: Data(listing.json.utf8)) as? [String: Any]
        let audio = try #require(object?["audio"] as? [[String: Any]])
        #expect(audio[0]["level_dbfs"] as? Double == -11.7 && audio[1]["level_dbfs"] is NSNull)
        #expect(InputListing.Audio.all(nil).isEmpty)
    }

    private func inspect(_ text: String) throws -> Inspection {
        let folder = try Folder(["c.conf": text])
        let loaded = try Configuration.load(.file(folder.url.path + "/c.conf"), checksLibrary: false)
        return Inspection(
            loaded, account: nil, board: Board(chips: []), deviceProblem: { _ in nil }, inputs: { Self.listing })
    }

    @Test(arguments: [("/bin/sh", 0), ("/nonexistent/tacet-stream", 1)])
    func streamThatNothingReceivesIsAWarningWithoutThePassword(program: String, count: Int) throws {
        let text = "[Input radio]\nFrom=stream:https://user:secret@radio.example/\n"
        let folder = try Folder(["c.conf": text])
        let loaded = try Configuration.load(.file(folder.url.path + "/c.conf"), checksLibrary: false)
        let inspection = Inspection(
            loaded, account: nil, board: Board(chips: []), deviceProblem: { _ in nil }, streamReceivers: [program])
        let warnings = inspection.warnings.filter { $0.message.contains("tacet-stream") }
        #expect(warnings.count == count, "\(inspection.warnings)")
        #expect(warnings.allSatisfy { $0.line == 2 && !$0.message.contains("secret") })
    }

    @Test func streamsAfterTheEighthAreWarnings() throws {
        let sections = (0..<10).map { "[Input s\($0)]\nFrom=stream:http://radio.example/\($0)\n" }
        let folder = try Folder(["c.conf": sections.joined()])
        let loaded = try Configuration.load(.file(folder.url.path + "/c.conf"), checksLibrary: false)
        for program in ["/bin/sh", "/nonexistent/tacet-stream"] {
            let inspection = Inspection(
                loaded, account: nil, board: Board(chips: []), deviceProblem: { _ in nil }, streamReceivers: [program])
            let warnings = inspection.warnings.filter { $0.message.contains("only the first 8 streams") }
            #expect(warnings.map(\.line) == [18, 20], "\(inspection.warnings)")
        }
    }

    private func problem(_ keys: String) throws -> String {
        let inspection = try inspect("[Signal x]\nEffect=ignore\n\(keys)\n")
        let warnings = inspection.warnings.filter { $0.line > 0 }
        #expect(warnings.count <= 1, "\(warnings)")
        return warnings.first.map { "\($0.line): \($0.message) (\($0.advice ?? ""))" } ?? ""
    }

    @Test func checkNamesWhatThisMachineLacks() throws {
        #expect(try problem("Input=Lid Switch\nCode=SW_LID") == "")
        #expect(try problem("Jack=Headphone Jack\nCard=PCH") == "")
        #expect(try problem("Jack=Headphone Jack\nCard=2") == "")
        for (keys, words) in [
            (
                "Input=Lid Swich\nCode=SW_LID",
                "3: Input=Lid Swich: this machine has no such input device (did you mean ‘Lid Switch’?"
            ),
            (
                "Input=/dev/input/event9\nCode=SW_LID",
                "3: Input=/dev/input/event9: this machine has no such input device"
            ),
            (
                "Input=Lid Switch\nCode=SW_LIDD",
                "4: Code=SW_LIDD: the kernel has no switch or key of this name (did you mean ‘SW_LID’?)"
            ),
            ("Input=Lid Switch\nCode=KEY_PHONE", "4: Code=KEY_PHONE: Lid Switch has no such switch or key"),
            (
                "Input=Headset\nCode=KEY_PLAYPAUSE",
                "3: Input=Headset: 2 devices have this name: /dev/input/event2, /dev/input/event3"
            ),
            (
                "Jack=Headphone Jack",
                "3: Jack=Headphone Jack: 2 sound cards have such a jack (add Card= with one of: PCH, HDMI)"
            ),
            (
                "Jack=Headphones Jack\nCard=PCH",
                "3: Jack=Headphones Jack: no sound card has a jack of this name (did you mean ‘Headphone Jack’?"
            ),
            ("Jack=Headphone Jack\nCard=5", "4: Card=5: this machine has no such sound card"),
        ] {
            let found = try problem(keys)
            #expect(found.hasPrefix(words), "\(found)")
        }
        #expect(
            try inspect("[Signal x]\nEffect=ignore\nInput=Secret\nCode=KEY_A\n").notes.contains {
                $0.contains("Secret: this user cannot read the input device")
            })
    }
}
