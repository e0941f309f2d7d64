import Testing

@testable import Evdev

@Suite struct InputReaderTests {
    private let machine = FakeInputs()

    private func reader(_ wanted: WantedInput<String>...) -> InputReader<String> {
        InputReader(wanted, system: machine)
    }

    @Test func initialStateAndEdgesAreRead() throws {
        let lid = machine.plug(3, "Lid Switch", ["SW_LID": true])
        let reader = reader(.init("lid", device: "Lid Switch", code: "SW_LID"))
        #expect(reader.level(of: "lid") == nil && reader.isIncomplete)
        #expect(reader.acquire().map(\.level) == [true])
        #expect(reader.place(of: "lid") == InputNode(path: "/dev/input/event3", name: "Lid Switch"))
        try lid.turn("SW_LID", false, at: .seconds(1))
        try lid.turn("SW_LID", true, at: .seconds(2))
        let reading = reader.readEdges()
        #expect(
            reading.edges.map(\.level) == [false, true] && reading.edges.map(\.time) == [.seconds(1), .seconds(2)])
        #expect(reader.level(of: "lid") == true && reading.losses.isEmpty)
    }

    @Test func lossOfEventsDoesNotRepeatAKnownState() throws {
        let lid = machine.plug(3, "Lid Switch", ["SW_LID": false])
        let reader = reader(.init("lid", device: "Lid Switch", code: "SW_LID"))
        _ = reader.acquire()
        // After SYN_DROPPED, libevdev reports the difference to what it knew.
        try lid.turn("SW_LID", false, at: .seconds(1))
        #expect(reader.readEdges().edges.isEmpty)
    }

    @Test func deviceReturnsUnderAnotherNumber() throws {
        let headset = machine.plug(3, "Headset", ["KEY_PLAYPAUSE": false])
        let reader = reader(.init("key", device: "Headset", code: "KEY_PLAYPAUSE"))
        _ = reader.acquire()
        headset.unplug()
        machine.inputs[3] = nil
        let reading = reader.readEdges()
        #expect(reading.losses.map(\.id) == ["key"] && reader.level(of: "key") == nil && reader.descriptors.isEmpty)
        #expect(reader.problems["key"]?.description.contains("cannot read KEY_PLAYPAUSE of Headset") == true)
        #expect(reader.acquire().isEmpty && reader.problems["key"]?.reason == .notFound)
        machine.plug(7, "Headset", ["KEY_PLAYPAUSE": true])
        #expect(reader.acquire().map(\.level) == [true])
        #expect(reader.place(of: "key")?.path == "/dev/input/event7" && reader.problems.isEmpty)
    }

    @Test func sameNameIsAmbiguousOnlyIfSeveralHaveTheCode() {
        machine.plug(1, "Headset", ["KEY_PHONE": false])
        // A headset often has a second node of the same name, without the key.
        machine.plug(2, "Headset", ["KEY_VOLUMEUP": false])
        let reader = reader(.init("key", device: "Headset", code: "KEY_PHONE"))
        #expect(reader.acquire().count == 1)
        let second = InputReader([WantedInput("key", device: "Headset", code: "KEY_PHONE")], system: machine)
        machine.plug(3, "Headset", ["KEY_PHONE": false])
        #expect(second.acquire().isEmpty)
        let problem = second.problems["key"]
        #expect(problem?.reason == .ambiguous)
        #expect(problem?.message == "2 devices have this name: /dev/input/event1, /dev/input/event3")
        // A path decides, also a link.
        machine.links["/dev/input/by-path/usb-event"] = "/dev/input/event3"
        let third = InputReader(
            [WantedInput("key", device: "/dev/input/by-path/usb-event", code: "KEY_PHONE")], system: machine)
        #expect(third.acquire().count == 1 && third.place(of: "key")?.path == "/dev/input/event3")
    }

    @Test func mistakesAndPermissionsAreExplained() {
        machine.plug(1, "Keys", ["KEY_A": false])
        machine.plug(2, "Secret", ["KEY_B": false]).isForbidden = true
        let reader = reader(
            .init("unknown", device: "Keys", code: "KEY_NONSENSE"), .init("missing", device: "Keys", code: "SW_LID"),
            .init("secret", device: "Secret", code: "KEY_B"), .init("path", device: "/dev/input/event9", code: "KEY_B"),
            .init("good", device: "Keys", code: "KEY_A"))
        #expect(reader.acquire().map(\.id) == ["good"])
        #expect(
            reader.problems.mapValues(\.reason) == [
                "unknown": .unknownCode, "missing": .noSuchCode, "secret": .permission, "path": .notFound,
            ])
        #expect(reader.problems["secret"]?.advice.contains("group input") == true)
    }

    @Test func devicesAreGrabbedOnlyIfRequested() {
        let keys = machine.plug(1, "Keys", ["KEY_A": false, "KEY_B": false])
        let reader = reader(.init("a", device: "Keys", code: "KEY_A"))
        _ = reader.acquire()
        #expect(keys.grabs == 0)
        let other = InputReader(
            [
                WantedInput("a", device: "Keys", code: "KEY_A", grabs: true),
                WantedInput("b", device: "Keys", code: "KEY_B", grabs: true),
            ], system: machine)
        _ = other.acquire()
        #expect(keys.grabs == 1 && other.descriptors.count == 1)
        keys.isBusy = true
        let third = InputReader([WantedInput("a", device: "Keys", code: "KEY_A", grabs: true)], system: machine)
        #expect(third.acquire().isEmpty && third.problems["a"]?.reason == .busy)
    }

    @Test func namesOfTheKernelAreKnown() throws {
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
