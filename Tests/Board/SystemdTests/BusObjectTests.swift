import Testing

@testable import Systemd

/// The answers of an object to its callers, without a bus.
@Suite struct BusObjectTests {
    private final class Lamp {
        var level = 1.0
        var switched: [Bool] = []
        var replies: [BusReply] = []
    }

    private let lamp = Lamp()

    private var object: BusObject {
        let lamp = lamp
        return BusObject(
            "/lamp",
            [
                BusInterface(
                    "org.example.Lamp",
                    methods: [
                        BusMethod("Switch", [BusArgument("on", "b")], answers: [BusArgument("was", "b")]) { arguments in
                            guard case .bool(let isOn) = arguments[0] else { return [] }
                            lamp.switched.append(isOn)
                            return [.bool(!isOn)]
                        },
                        BusMethod("Ask", isQuestion: true) { _ in [] },
                        BusMethod("Glow", [BusArgument("time", "d")], answersLater: [BusArgument("heat", "d")]) {
                            arguments, reply throws(BusError) in
                            guard case .double(let time) = arguments[0], time > 0 else {
                                throw .invalidArguments("too short")
                            }
                            lamp.replies.append(reply)
                        },
                    ],
                    properties: [
                        BusProperty("Level", "d", get: { .double(lamp.level) }) { value throws(BusError) in
                            guard case .double(let level) = value, level >= 0 else {
                                throw .invalidArguments("too dark")
                            }
                            lamp.level = level
                        },
                        BusProperty("Name", "s", change: .constant, get: { .string("lamp") }),
                        BusProperty("Switched", "u", change: .invalidates) { .uint32(UInt32(lamp.switched.count)) },
                    ], signals: [BusSignal("Broken", [BusArgument("why", "s")])])
            ])
    }

    private let properties = "org.freedesktop.DBus.Properties"

    private func error(_ body: () throws(BusError) -> [BusValue]) -> String? {
        do throws(BusError) {
            _ = try body()
            return nil
        } catch { return error.name.split(separator: ".").last.map(String.init) }
    }

    @Test func methodsReceiveOnlyTheDeclaredTypes() throws {
        let object = object
        #expect(try object.answer("Switch", of: "org.example.Lamp", [.bool(true)]) == [.bool(false)])
        #expect(try object.answer("Switch", of: nil, [.bool(true)]) == [.bool(false)])
        #expect(error { () throws(BusError) in try object.answer("Switch", of: nil, [.string("on")]) } == "InvalidArgs")
        #expect(error { () throws(BusError) in try object.answer("Switch", of: nil, []) } == "InvalidArgs")
        #expect(error { () throws(BusError) in try object.answer("Burn", of: nil, []) } == "UnknownMethod")
        #expect(error { () throws(BusError) in try object.answer("Switch", of: "x.y", []) } == "UnknownInterface")
        #expect(lamp.switched == [true, true])
    }

    /// Calls `Glow` and collects its answers.
    private final class Answers {
        var results: [Result<[BusValue], BusError>] = []
    }

    private func glow(_ object: BusObject, for time: Double) -> Answers {
        let answers = Answers()
        object.answer("Glow", of: nil, [.double(time)], BusReply { answers.results.append($0) })
        return answers
    }

    @Test func methodAnswersLaterAndOnce() {
        let object = object
        let (first, second) = (glow(object, for: 1), glow(object, for: 2))
        #expect(first.results.isEmpty && lamp.replies.count == 2)
        lamp.replies[1].answer([.double(20)])
        lamp.replies[1].answer([.double(21)])
        lamp.replies[0].refuse(.failed("it went out"))
        lamp.replies = []
        #expect(first.results == [.failure(.failed("it went out"))] && second.results == [.success([.double(20)])])
    }

    @Test func callThatIsDroppedOrRejectedIsAnsweredWithAnError() {
        let object = object
        let dropped = glow(object, for: 1)
        lamp.replies = []
        #expect(dropped.results == [.failure(.failed("the call was dropped"))])
        #expect(glow(object, for: -1).results == [.failure(.invalidArguments("too short"))])
    }

    @Test func propertiesAreReadAndSet() throws {
        let object = object
        #expect(
            try object.answer("Get", of: properties, [.string("org.example.Lamp"), .string("Level")]) == [
                .variant(.double(1))
            ])
        #expect(
            try object.answer("GetAll", of: properties, [.string("")])
                == [.dictionary(["Level": .double(1), "Name": .string("lamp"), "Switched": .uint32(0)])])
        let set: (String, BusValue) -> String? = { name, value in
            error { () throws(BusError) in
                try object.answer("Set", of: properties, [.string("org.example.Lamp"), .string(name), .variant(value)])
            }
        }
        #expect(set("Level", .double(0.5)) == nil && lamp.level == 0.5)
        #expect(set("Level", .string("much")) == "InvalidArgs")
        #expect(set("Level", .double(-1)) == "InvalidArgs")
        #expect(set("Name", .string("torch")) == "PropertyReadOnly")
        #expect(set("Colour", .string("red")) == "UnknownProperty")
        #expect(lamp.level == 0.5)
    }

    @Test func changesAreReportedOnce() {
        let object = object
        #expect(object.changes().isEmpty)
        lamp.level = 0.25
        let changes = object.changes()
        #expect(changes.count == 1 && changes.first?.values == ["Level": .double(0.25)])
        #expect(object.changes().isEmpty)
    }

    @Test func invalidatedPropertyIsNamedOnceWithoutItsValue() {
        let object = object
        lamp.switched = [true]
        let changes = object.changes()
        #expect(changes.map(\.interface) == ["org.example.Lamp"])
        #expect(changes.first?.values == [:] && changes.first?.invalidated == ["Switched"])
        #expect(object.changes().isEmpty)
    }

    @Test func questionsAreTheCallsThatCannotChangeAnything() {
        let object = object
        let lamp = "org.example.Lamp"
        #expect(object.isQuestion("Ask", of: lamp) && object.isQuestion("Ask", of: nil))
        #expect(object.isQuestion("Get", of: properties) && !object.isQuestion("Set", of: properties))
        for member in ["Switch", "Glow"] { #expect(!object.isQuestion(member, of: lamp), "\(member)") }
        // A call that only causes an error does not change anything either.
        #expect(object.isQuestion("Absent", of: lamp) && object.isQuestion("Switch", of: "org.example.Other"))
    }

    @Test(arguments: ["stories", "Zwei Stücke.m3u", "a/b", "..", "_", "1"])
    func pathNamesAText(text: String) {
        let path = BusValue.path("/org/example", to: text)
        #expect(BusValue.name(of: path, in: "/org/example") == text)
        #expect(BusValue.name(of: path, in: "/org/other") == nil)
    }

    @Test(arguments: [
        "/", "/org/example", "/org/example/a/b", "/org/example/_2", "/org/example/_73", "/org/example/_ff",
    ])
    func pathThatNamesNoTextIsRejected(path: String) {
        #expect(BusValue.name(of: path, in: "/org/example") == nil)
    }

    @Test func introspectionListsAllMembers() throws {
        guard
            case .string(let xml)? = try object.answer("Introspect", of: "org.freedesktop.DBus.Introspectable", [])
                .first
        else {
            Issue.record("no text")
            return
        }
        for part in [
            "<interface name=\"org.example.Lamp\">", "<arg name=\"on\" type=\"b\" direction=\"in\"/>",
            "<property name=\"Level\" type=\"d\" access=\"readwrite\">", "value=\"const\"", "value=\"invalidates\"",
            "<signal name=\"Broken\">",
        ] {
            #expect(xml.contains(part), "\(part)")
        }
    }

    @Test func valuesHaveTheirSignatures() {
        let value = BusValue.structure([.strings(["a"]), .dictionary(["k": .int64(1)]), .variant(.objectPath("/"))])
        #expect(value.signature == "(asa{sv}v)")
        #expect(BusValue.array(of: "(ssb)", []).signature == "a(ssb)")
    }
}
