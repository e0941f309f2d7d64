import BusLab
import CSystemd
import Clocks
import Glibc
import Testing

@testable import Systemd

/// Objects on a real dbus-daemon and clients that call them.
@Suite(.serialized) struct BusTests {
    private static let name = "org.mpris.MediaPlayer2.tacet"
    private static let path = "/lamp"
    private static let lampInterface = "org.example.Lamp"
    private static let properties = "org.freedesktop.DBus.Properties"

    /// The state of the served object.
    private final class Lamp {
        var level = 1.0
        /// The number of times that the level was read.
        var reads = 0
        var switched: [Bool] = []
        var callers: [BusCaller?] = []
        var replies: [BusReply] = []
    }

    /// A connection that serves the lamp.
    private final class Server {
        let lamp = Lamp()
        let object: BusObject
        let bus: Bus
        private let events: Events

        final class Events {
            var owned = 0
            var taken = 0
            var ends: [String] = []
        }

        var owned: Int { events.owned }
        var taken: Int { events.taken }
        /// The reasons why the connection has ended, one for each report.
        var ends: [String] { events.ends }

        init(_ address: String, in loop: EventLoop) throws {
            let (lamp, events) = (lamp, Events())
            self.events = events
            // The object belongs to this server. A method can read its caller from the object.
            weak var reference: BusObject?
            object = BusObject(
                BusTests.path,
                [
                    BusInterface(
                        BusTests.lampInterface,
                        methods: [
                            BusMethod("Switch", [BusArgument("on", "b")], answers: [BusArgument("was", "b")]) {
                                guard case .bool(let isOn) = $0[0] else { return [] }
                                lamp.callers.append(reference?.caller)
                                lamp.switched.append(isOn)
                                return [.bool(!isOn)]
                            },
                            BusMethod("Glow", answersLater: [BusArgument("heat", "d")]) { lamp.replies.append($1) },
                            BusMethod("Ponder", answersLater: [BusArgument("thought", "ay")], isQuestion: true) {
                                lamp.replies.append($1)
                            },
                            BusMethod("Burn") { _ throws(BusError) in
                                throw BusError("org.example.Error.Broken", "it is broken")
                            },
                        ],
                        properties: [
                            BusProperty(
                                "Level", "d",
                                get: {
                                    lamp.reads += 1; return .double(lamp.level)
                                }
                            ) { value throws(BusError) in
                                guard case .double(let level) = value, level >= 0 else {
                                    throw .invalidArguments("too dark")
                                }
                                lamp.level = level
                            }
                        ])
                ])
            reference = object
            bus = try Bus(.user, at: address, in: loop) { events.ends.append($0) }
            try bus.serve(object)
            try bus.own(BusTests.name, whenOwned: { events.owned += 1 }, whenTaken: { events.taken += 1 })
        }
    }

    /// A client in the loop of the server, because all of them are on the test's thread.
    private final class Client {
        let client: BusClient
        private var source: EventSource?
        private var answers: [UInt64: Result<[BusValue], BusError>] = [:]
        private(set) var signals: [(member: String, values: [BusValue])] = []
        private let loop: EventLoop

        init(_ address: String, in loop: EventLoop) throws {
            self.loop = loop
            client = try BusClient(address: address)
            source = try loop.whenReadable(client.descriptor) { [unowned self] in read() }
        }

        private func read() {
            do {
                while let news = try client.next() {
                    switch news {
                    case .answer(let number, let result): answers[number] = result
                    // The bus itself reports the name of the client.
                    case .signal(let signal) where signal.path == BusTests.path:
                        signals.append((signal.member, signal.values))
                    case .signal: break
                    }
                }
            } catch { source = nil }
        }

        func start(_ member: String, of interface: String = BusTests.lampInterface, _ arguments: [BusValue] = [])
            throws -> UInt64
        {
            try client.start(member, of: interface, at: BusTests.path, on: BusTests.name, arguments)
        }

        /// Calls a method, and turns the loop until the answer arrives.
        func call(_ member: String, of interface: String = BusTests.lampInterface, _ arguments: [BusValue] = []) throws
            -> Result<[BusValue], BusError>
        {
            try answer(to: start(member, of: interface, arguments))
        }

        func answer(to number: UInt64) throws -> Result<[BusValue], BusError> {
            try loop.turn(until: answers[number] != nil, or: "answer")
            return try #require(answers[number])
        }

        /// Calls the bus itself.
        func callBus(_ member: String, _ arguments: [BusValue]) throws -> Result<[BusValue], BusError> {
            let driver = "org.freedesktop.DBus"
            return try answer(
                to: client.start(member, of: driver, at: "/org/freedesktop/DBus", on: driver, arguments))
        }
    }

    private let daemon: MessageBus
    private let loop: EventLoop
    private let server: Server

    init() throws {
        daemon = try MessageBus()
        loop = try EventLoop()
        server = try Server(daemon.address, in: loop)
        try loop.turn(until: server.bus.isOwner, or: "name")
    }

    private func client() throws -> Client { try Client(daemon.address, in: loop) }

    private func error(_ result: Result<[BusValue], BusError>) -> String? {
        if case .failure(let error) = result { error.name } else { nil }
    }

    @Test func answersCallsInOrderAndIdentifiesTheirCaller() throws {
        let client = try client()
        let numbers = try [true, false, false].map { try client.start("Switch", [.bool($0)]) }
        let answers = try numbers.map { try client.answer(to: $0) }
        #expect(answers == [false, true, true].map { .success([.bool($0)]) })
        #expect(server.lamp.switched == [true, false, false])
        #expect(server.lamp.callers == Array(repeating: BusCaller(user: getuid(), process: getpid()), count: 3))
        #expect(server.object.caller == nil)
    }

    @Test func carriesOutOtherCallsBeforeItAnswersOne() throws {
        let client = try client()
        let glow = try client.start("Glow")
        #expect(try client.call("Switch", [.bool(true)]) == .success([.bool(false)]))
        #expect(server.lamp.replies.count == 1)
        server.lamp.replies[0].answer([.double(451)])
        #expect(try client.answer(to: glow) == .success([.double(451)]))
        let dropped = try client.start("Glow")
        try loop.turn(until: server.lamp.replies.count == 2, or: "call")
        server.lamp.replies = []
        #expect(try client.answer(to: dropped) == .failure(.failed("the call was dropped")))
    }

    @Test func answersThatComeAfterTheClientOrTheBusHasLeftDoNoHarm() throws {
        var vanishing: Client? = try client()
        for _ in 0..<3 { _ = try vanishing?.start("Glow") }
        try loop.turn(until: server.lamp.replies.count == 3, or: "calls")
        vanishing = nil
        let next = try client()
        server.lamp.replies[0].answer([.double(1)])
        #expect(try next.call("Switch", [.bool(true)]) == .success([.bool(false)]))
        daemon.die()
        try loop.turn(until: !server.ends.isEmpty, or: "end")
        server.lamp.replies[1].answer([.double(2)])
        server.lamp.replies = []
        #expect(server.ends.count == 1)
    }

    /// The connection itself is released first.
    @Test func answerThatComesAfterTheServerHasEndedDoesNoHarm() throws {
        let daemon = try MessageBus()
        var short: Server? = try Server(daemon.address, in: loop)
        try loop.turn(until: short?.bus.isOwner == true, or: "name")
        let client = try Client(daemon.address, in: loop)
        let glow = try client.start("Glow")
        let lamp = try #require(short?.lamp)
        try loop.turn(until: lamp.replies.count == 1, or: "call")
        short = nil
        lamp.replies[0].answer([.double(1)])
        lamp.replies = []
        // The bus answers for the server that has left.
        if case .success = try client.answer(to: glow) { Issue.record("an answer after the end") }
    }

    @Test func rejectsCallsItCannotCarryOutWithTheErrorsName() throws {
        let client = try client()
        let standard = "org.freedesktop.DBus.Error."
        #expect(try error(client.call("Switch", [.string("on")])) == standard + "InvalidArgs")
        #expect(try error(client.call("Switch")) == standard + "InvalidArgs")
        #expect(try error(client.call("Explode")) == standard + "UnknownMethod")
        #expect(
            try error(client.call("Switch", of: "org.example.Torch", [.bool(true)])) == standard + "UnknownInterface")
        #expect(
            try client.call("Burn") == .failure(BusError("org.example.Error.Broken", "it is broken")))
        // None of the calls was executed or affected the next one.
        #expect(server.lamp.switched.isEmpty)
        #expect(try client.call("Switch", [.bool(true)]) == .success([.bool(false)]))
    }

    /// Such calls are refused even while all calls wait, because a call takes as much memory as its message until it is
    /// refused.
    @Test(arguments: [
        ("org.example.Lamp", "Explode", "UnknownMethod"),
        ("org.freedesktop.DBus.Introspectable", "Fill", "UnknownMethod"),
        ("org.freedesktop.DBus.Properties", "Fill", "UnknownMethod"),
        ("org.example.Torch", "Switch", "UnknownInterface"),
    ])
    func refusesHugeCallsOfUnknownMethodsBeforeTheyWait(interface: String, member: String, error name: String) throws {
        let client = try client()
        server.bus.callers.isHeld = true
        let bytes = [UInt8](repeating: 7, count: 8 << 20)
        #expect(
            try error(client.call(member, of: interface, [.bytes(bytes)])) == "org.freedesktop.DBus.Error." + name)
        server.bus.callers.isHeld = false
        #expect(try client.call("Switch", [.bool(true)]) == .success([.bool(false)]))
    }

    /// Every user may read a property, but no property has such a name.
    @Test(arguments: ["Get", "GetAll", "Set"]) func refusesLongNamesBeforeTheyWait(member: String) throws {
        let client = try client()
        let long = BusValue.string(String(repeating: "x", count: 256))
        server.bus.callers.isHeld = true
        let rest: [BusValue] = member == "Set" ? [.variant(.double(0.5))] : []
        let interface = try client.call(
            member, of: Self.properties, [long] + (member == "GetAll" ? [] : [.string("Level")]) + rest)
        #expect(error(interface) == "org.freedesktop.DBus.Error.UnknownInterface")
        if member != "GetAll" {
            let property = try client.call(member, of: Self.properties, [.string(Self.lampInterface), long] + rest)
            #expect(error(property) == "org.freedesktop.DBus.Error.UnknownProperty")
        }
        server.bus.callers.isHeld = false
        #expect(server.lamp.level == 1)
    }

    @Test func clientsReadAndSetPropertiesAndReceiveChanges() throws {
        let client = try client()
        let match = "type='signal',interface='\(Self.properties)',path='\(Self.path)'"
        #expect(try client.callBus("AddMatch", [.string(match)]) == .success([]))
        let level: [BusValue] = [.string(Self.lampInterface), .string("Level")]
        #expect(try client.call("Get", of: Self.properties, level) == .success([.variant(.double(1))]))
        #expect(
            try client.call("Set", of: Self.properties, level + [.variant(.double(0.5))]) == .success([]))
        #expect(server.lamp.level == 0.5)
        #expect(
            try client.call("GetAll", of: Self.properties, [.string(Self.lampInterface)])
                == .success([.dictionary(["Level": .double(0.5)])]))
        #expect(
            try client.call("Set", of: Self.properties, level + [.variant(.double(-1))])
                == .failure(.invalidArguments("too dark")))
        #expect(server.lamp.level == 0.5)

        try server.bus.emitChanges(of: server.object)
        try loop.turn(until: !client.signals.isEmpty, or: "signal")
        // The property has not changed since.
        try server.bus.emitChanges(of: server.object)
        // A signal sent before this answer would have arrived before it.
        #expect(try client.call("Switch", [.bool(true)]) == .success([.bool(false)]))
        #expect(client.signals.map(\.member) == ["PropertiesChanged"])
        #expect(
            client.signals.first?.values == [
                .string(Self.lampInterface), .dictionary(["Level": .double(0.5)]), .strings([]),
            ])
    }

    @Test func carriesOutTheCallsOfAKnownClientThatVanishesAndServesTheNextOne() throws {
        var vanishing: Client? = try client()
        #expect(try vanishing?.call("Switch", [.bool(true)]) == .success([.bool(false)]))
        for _ in 0..<50 { _ = try vanishing?.start("Switch", [.bool(false)]) }
        vanishing = nil
        let next = try client()
        #expect(try next.call("Switch", [.bool(true)]) == .success([.bool(false)]))
        // The calls that the client had sent arrived before it left, and their answers had no recipient.
        try loop.turn(until: server.lamp.switched.count >= 52, or: "calls of the first client")
        #expect(server.lamp.switched == [true] + Array(repeating: false, count: 50) + [true])
        #expect(server.ends.isEmpty)
    }

    /// The bus cannot say who the caller was.
    @Test func refusesTheOnlyCallOfAClientThatVanishesAtOnce() throws {
        var vanishing: Client? = try client()
        // The connection is complete, but the server has not seen it.
        _ = try vanishing?.callBus("GetId", [])
        _ = try vanishing?.start("Switch", [.bool(true)])
        vanishing = nil
        let next = try client()
        #expect(try next.call("Switch", [.bool(false)]) == .success([.bool(true)]))
        #expect(server.lamp.switched == [false])
        #expect(server.lamp.callers == [BusCaller(user: getuid(), process: getpid())])
    }

    @Test(arguments: [false, true])
    func workOfOtherThreadsAndLongAnswersCountTowardsTheLimitForQueries(isLong: Bool) throws {
        let client = try client()
        let ponder = try client.start("Ponder")
        try loop.turn(until: !server.lamp.replies.isEmpty, or: "query")
        let reply = server.lamp.replies.removeFirst()
        if !isLong { reply.charge(.seconds(5)) }
        reply.answer([.bytes([UInt8](repeating: 0, count: isLong ? 9 << 20 : 1))])
        _ = try client.answer(to: ponder)
        #expect(try error(client.call("Ponder")) == "org.freedesktop.DBus.Error.LimitsExceeded")
        #expect(try error(client.call("Switch", [.bool(true)])) == nil)
    }

    @Test func acquiresTheNameWhenItsOwnerDisconnects() throws {
        let daemon = try MessageBus()
        var first: Server? = try Server(daemon.address, in: loop)
        try loop.turn(until: first?.bus.isOwner == true, or: "name")
        let second = try Server(daemon.address, in: loop)
        try loop.turn(until: second.taken > 0, or: "report that the name is taken")
        #expect(!second.bus.isOwner && second.owned == 0)
        #expect(first?.owned == 1 && first?.taken == 0)
        first = nil
        try loop.turn(until: second.owned > 0, or: "name")
        #expect(second.bus.isOwner && second.owned == 1 && second.ends.isEmpty)
        let client = try Client(daemon.address, in: loop)
        #expect(try client.call("Switch", [.bool(true)]) == .success([.bool(false)]))
        #expect(second.lamp.switched == [true])
    }

    @Test func takesTheNameFromAnEarlierConnectionOnRequestOnly() throws {
        let daemon = try MessageBus()
        let first = try Server(daemon.address, in: loop)
        try loop.turn(until: first.bus.isOwner, or: "name")
        let second = try Server(daemon.address, in: loop)
        try loop.turn(until: second.taken > 0, or: "report that the name is taken")
        #expect(first.bus.isOwner && !second.bus.isOwner)
        try second.bus.takeName()
        try loop.turn(until: second.bus.isOwner && first.taken > 0, or: "change of the owner")
        #expect(second.owned == 1 && first.taken == 1 && !first.bus.isOwner)
        #expect(first.ends.isEmpty && second.ends.isEmpty)
    }

    // MARK: Questions

    private static let level: [BusValue] = [.string(lampInterface), .string("Level")]

    @Test func callsThatExpectNoReplyAreNotAnswered() throws {
        let asker = try client()
        let reads = server.lamp.reads
        for _ in 0..<100 {
            let question = try asker.client.make(
                "Get", BusTests.properties, BusTests.path, BusTests.name, BusTests.level)
            defer { sd_bus_message_unref(question) }
            sd_bus_message_set_expect_reply(question, 0)
            #expect(sd_bus_send(asker.client.bus, question, nil) >= 0)
        }
        #expect(try asker.call("Switch", [.bool(true)]) == .success([.bool(false)]))
        #expect(server.lamp.reads == reads)
        #expect(try asker.call("Get", of: BusTests.properties, BusTests.level) == .success([.variant(.double(1))]))
    }

    @Test func callerWithoutRationCanStillSendCommands() throws {
        let asker = try client()
        let reads = server.lamp.reads
        // These two calls use up the common share and the reserve.
        for _ in 0..<2 { server.bus.ration.note(.init(time: .seconds(60)), for: ":1.999") }
        let questions: [(interface: String, member: String, arguments: [BusValue])] = [
            (BusTests.properties, "Get", BusTests.level),
            (BusTests.properties, "GetAll", Array(BusTests.level.prefix(1))),
            ("org.freedesktop.DBus.Introspectable", "Introspect", []),
        ]
        for question in questions {
            // Each query is refused once a second.
            let answer = try client().call(question.member, of: question.interface, question.arguments)
            #expect(error(answer) == "org.freedesktop.DBus.Error.LimitsExceeded")
        }
        #expect(server.lamp.reads == reads)
        #expect(try asker.call("Switch", [.bool(true)]) == .success([.bool(false)]))
        #expect(try asker.call("Set", of: BusTests.properties, BusTests.level + [.variant(.double(2))]) == .success([]))
    }

    @Test func aNameThatTheBusForbidsEndsTheConnection() throws {
        var ends: [String] = []
        let bus = try Bus(.user, at: daemon.address, in: loop) { ends.append($0) }
        try bus.own("org.example.Forbidden", whenOwned: {}, whenTaken: {})
        try loop.turn(until: !ends.isEmpty, or: "end")
        #expect(ends.count == 1 && ends[0].contains("org.example.Forbidden"))
        #expect(!bus.isOwner)
    }

    @Test func reportsTheEndOfTheBusOnce() throws {
        daemon.die()
        try loop.turn(until: !server.ends.isEmpty, or: "end")
        while try loop.turn(within: .zero) {}
        #expect(server.ends.count == 1)
        // Signals to clients are lost, but do no harm.
        server.lamp.level = 0.5
        _ = try? server.bus.emitChanges(of: server.object)
        #expect(server.ends.count == 1)
    }
}

private struct Nothing: Error, CustomStringConvertible {
    let description: String
}

extension EventLoop {
    /// Turns the loop until a condition holds. The limit only ends a test that would hang.
    fileprivate func turn(until condition: @autoclosure () -> Bool, or what: String) throws {
        let limit = SystemClock.monotonic.now + .seconds(60)
        while !condition() {
            guard SystemClock.monotonic.now < limit else { throw Nothing(description: "no \(what)") }
            try turn(within: .seconds(1))
        }
    }
}
