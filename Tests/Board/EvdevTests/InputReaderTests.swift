import Signals
import Testing

@testable import Evdev

@Suite struct InputReaderTests {
    private let machine = FakeInputs()

    private func reader(_ wanted: InputReader<String>.Wanted...) -> InputReader<String> {
        InputReader(wanted, system: machine)
    }

    @Test func initialStateAndEdgesAreRead() throws {
        let lid = machine.plug(3, "Lid Switch", ["SW_LID": true])
        let reader = reader(("lid", InputSelector(device: "Lid Switch", code: "SW_LID")))
        #expect(reader.level(of: "lid") == nil && reader.isIncomplete)
        #expect(reader.acquire().map(\.state) == [.found(true)])
        #expect(reader.place(of: "lid") == "Lid Switch, /dev/input/event3")
        try lid.turn("SW_LID", false, at: .seconds(1))
        try lid.turn("SW_LID", true, at: .seconds(2))
        let changes = reader.readChanges()
        #expect(
            changes == [
                LevelChange("lid", .turned(false), at: .seconds(1)), LevelChange("lid", .turned(true), at: .seconds(2)),
            ])
        #expect(reader.level(of: "lid") == true)
    }

    @Test func lossOfEventsDoesNotRepeatAKnownState() throws {
        let lid = machine.plug(3, "Lid Switch", ["SW_LID": false])
        let reader = reader(("lid", InputSelector(device: "Lid Switch", code: "SW_LID")))
        _ = reader.acquire()
        // After SYN_DROPPED, libevdev reports the changes since the last state that it read.
        try lid.turn("SW_LID", false, at: .seconds(1))
        #expect(reader.readChanges().isEmpty)
    }

    @Test func deviceReturnsUnderAnotherNumber() throws {
        let headset = machine.plug(3, "Headset", ["KEY_PLAYPAUSE": false])
        let reader = reader(("key", InputSelector(device: "Headset", code: "KEY_PLAYPAUSE")))
        _ = reader.acquire()
        headset.unplug()
        machine.inputs[3] = nil
        let losses = reader.readChanges()
        #expect(losses.map(\.id) == ["key"] && reader.level(of: "key") == nil && reader.descriptors.isEmpty)
        #expect(reader.problems["key"]?.description.contains("cannot read KEY_PLAYPAUSE of Headset") == true)
        #expect(reader.acquire().isEmpty && reader.problems["key"]?.reason == .notFound)
        machine.plug(7, "Headset", ["KEY_PLAYPAUSE": true])
        #expect(reader.acquire().map(\.state) == [.found(true)])
        #expect(reader.place(of: "key") == "Headset, /dev/input/event7" && reader.problems.isEmpty)
    }

    @Test func sameNameIsAmbiguousOnlyIfSeveralHaveTheCode() {
        machine.plug(1, "Headset", ["KEY_PHONE": false])
        // A headset often has a second node of the same name without the key.
        machine.plug(2, "Headset", ["KEY_VOLUMEUP": false])
        let reader = reader(("key", InputSelector(device: "Headset", code: "KEY_PHONE")))
        #expect(reader.acquire().count == 1)
        let second = InputReader([("key", InputSelector(device: "Headset", code: "KEY_PHONE"))], system: machine)
        machine.plug(3, "Headset", ["KEY_PHONE": false])
        #expect(second.acquire().isEmpty)
        let problem = second.problems["key"]
        #expect(problem?.reason == .ambiguous)
        #expect(problem?.message == "2 devices have this name: /dev/input/event1, /dev/input/event3")
        // A path identifies the device, even if it is a link.
        machine.links["/dev/input/by-path/usb-event"] = "/dev/input/event3"
        let third = InputReader(
            [("key", InputSelector(device: "/dev/input/by-path/usb-event", code: "KEY_PHONE"))], system: machine)
        #expect(third.acquire().count == 1 && third.place(of: "key") == "Headset, /dev/input/event3")
    }

    @Test func mistakesAndPermissionsAreExplained() {
        machine.plug(1, "Keys", ["KEY_A": false])
        machine.plug(2, "Secret", ["KEY_B": false]).isForbidden = true
        let reader = reader(
            ("unknown", InputSelector(device: "Keys", code: "KEY_NONSENSE")),
            ("missing", InputSelector(device: "Keys", code: "SW_LID")),
            ("secret", InputSelector(device: "Secret", code: "KEY_B")),
            ("path", InputSelector(device: "/dev/input/event9", code: "KEY_B")),
            ("good", InputSelector(device: "Keys", code: "KEY_A")))
        #expect(reader.acquire().map(\.id) == ["good"])
        #expect(
            reader.problems.mapValues(\.reason) == [
                "unknown": .unknownCode, "missing": .noSuchCode, "secret": .permission, "path": .gone,
            ])
        #expect(reader.problems["secret"]?.advice.contains("group input") == true)
    }

    @Test func devicesAreGrabbedOnlyIfRequested() {
        let keys = machine.plug(1, "Keys", ["KEY_A": false, "KEY_B": false])
        let reader = reader(("a", InputSelector(device: "Keys", code: "KEY_A")))
        _ = reader.acquire()
        #expect(keys.grabs == 0)
        let other = InputReader(
            [
                ("a", InputSelector(device: "Keys", code: "KEY_A", isGrabbed: true)),
                ("b", InputSelector(device: "Keys", code: "KEY_B", isGrabbed: true)),
            ], system: machine)
        _ = other.acquire()
        #expect(keys.grabs == 1 && other.descriptors.count == 1)
        keys.isBusy = true
        let third = InputReader([("a", InputSelector(device: "Keys", code: "KEY_A", isGrabbed: true))], system: machine)
        #expect(third.acquire().isEmpty && third.problems["a"]?.reason == .busy)
    }

    @Test func kernelEventNamesAreParsed() throws {
        #expect(InputCode("SW_LID")?.isSwitch == true && InputCode("KEY_PLAYPAUSE")?.isSwitch == false)
        #expect(InputCode("BTN_0") != nil)
        for name in ["", "SW_", "REL_X", "LED_NUML", "sw_lid", "KEY_\u{1F514}", "EV_KEY"] {
            #expect(InputCode(name) == nil)
        }
        let names = InputCode.allNames
        #expect(names.contains("SW_LID") && names.contains("KEY_PHONE") && names.count > 300)
        #expect(try names.allSatisfy { try #require(InputCode($0)).name == $0 })
    }
}
