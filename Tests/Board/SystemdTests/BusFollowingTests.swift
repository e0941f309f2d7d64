import BusLab
import Clocks
import Glibc
import Testing

@testable import Systemd

/// Signals on a real dbus-daemon. Some come from the program that is followed. Others are forgeries, which any other
/// program can send directly to a connection.
@Suite(.serialized) struct BusFollowingTests {
    private static let interface = "org.ofono.VoiceCall"
    private static let service = "org.ofono"

    /// The events that a follower has received.
    private final class Diary {
        var signals: [[BusValue]] = []
        var owners: [String?] = []
        var ends: [String] = []
        var owned = 0
        var taken = 0
    }

    private let daemon: MessageBus
    private let loop: EventLoop
    private let diary = Diary()
    private let bus: Bus
    private let genuine: BusClient
    private let forger: BusClient

    init() throws {
        daemon = try MessageBus()
        loop = try EventLoop()
        let diary = diary
        bus = try Bus(.user, at: daemon.address, in: loop) { diary.ends.append($0) }
        genuine = try BusClient(address: daemon.address)
        forger = try BusClient(address: daemon.address)
        try genuine.own(Self.service)
    }

    private func follow(_ sender: String, signature: String = "s") throws -> BusSubscription {
        try bus.follow(from: sender, interface: Self.interface, member: "Rang", signature: signature) {
            [diary] values, _ in diary.signals.append(values)
        }
    }

    private func followOwner() throws -> BusSubscription {
        try bus.followOwner(of: Self.service) { [diary] in diary.owners.append($0) }
    }

    private func name(of client: BusClient) throws -> String {
        let driver = BusSender.driver
        let answer = try client.call(
            "GetNameOwner", of: driver, at: "/org/freedesktop/DBus", on: driver, [.string(Self.service)])
        guard case .string(let name)? = answer.first else { throw Missing(description: "no owner") }
        return name
    }

    private func turn(until condition: @autoclosure () -> Bool, or what: String) throws {
        let limit = SystemClock.monotonic.now + .seconds(20)
        while !condition() {
            guard SystemClock.monotonic.now < limit else { throw Missing(description: "no \(what)") }
            try loop.turn(within: .seconds(1))
        }
    }

    private struct Missing: Error { let description: String }

    /// Sends from the forger and then from the genuine program. The follower receives the signals in this order.
    private func send(_ word: String, _ values: [BusValue], by client: BusClient, alone: Bool) throws {
        let mine = try #require(bus.uniqueName)
        try client.emit("Rang", of: Self.interface, from: "/call", values, to: alone ? mine : nil)
        try client.sync()
    }

    @Test(arguments: [false, true]) func onlySignalsOfTheFollowedProgramAreAccepted(byUniqueName: Bool) throws {
        let sender = byUniqueName ? try name(of: genuine) : Self.service
        let subscriptions = [try follow(sender), try followOwner()]
        try turn(until: diary.owners.count == 1, or: "owner")
        for alone in [true, false] {
            try send("forged", [.string("forged \(alone)")], by: forger, alone: alone)
            try send("genuine", [.string("genuine \(alone)")], by: genuine, alone: alone)
        }
        try turn(until: diary.signals.last == [.string("genuine false")], or: "signal")
        #expect(diary.signals == [[.string("genuine true")], [.string("genuine false")]])
        withExtendedLifetime(subscriptions) {}
    }

    /// Before the first owner of the name appears, and after its last one has left, no signal is genuine.
    @Test func signalsAreAcceptedOnlyFromTheCurrentOwnerOfTheName() throws {
        let name = "org.freedesktop.login1"
        let subscriptions = [
            try bus.follow(from: name, interface: Self.interface, member: "Rang", signature: "s") { [diary] values, _ in
                diary.signals.append(values)
            }, try bus.followOwner(of: name) { [diary] in diary.owners.append($0) },
        ]
        try turn(until: diary.owners == [nil], or: "answer")
        try send("forged", [.string("early")], by: forger, alone: true)
        var first: BusClient? = try BusClient(address: daemon.address)
        try first?.own(name)
        try turn(until: diary.owners.count == 2, or: "owner")
        try first?.emit("Rang", of: Self.interface, from: "/call", [.string("first")])
        try turn(until: diary.signals == [[.string("first")]], or: "signal")
        first = nil
        try turn(until: diary.owners.count == 3, or: "loss")
        try send("forged", [.string("late")], by: forger, alone: true)
        let second = try BusClient(address: daemon.address)
        try second.own(name)
        try turn(until: diary.owners.count == 4, or: "owner")
        try second.emit("Rang", of: Self.interface, from: "/call", [.string("second")])
        try turn(until: diary.signals.count > 1, or: "signal")
        #expect(diary.signals == [[.string("first")], [.string("second")]])
        #expect(diary.owners[2] == nil && diary.owners[3] != nil)
        withExtendedLifetime(subscriptions) {}
    }

    /// Otherwise, a program that follows logind would lose it when the bus is short of memory.
    @Test func ownerIsLostOnlyWhenTheBusReportsIt() {
        let refusal = { BusError("org.freedesktop.DBus.Error." + $0, "") }
        for error in ["NoReply", "Disconnected", "LimitsExceeded", "AccessDenied", "NoMemory"] {
            #expect(BusOwner.owner(by: .failure(refusal(error)), known: ":1.7") == ":1.7")
        }
        #expect(BusOwner.owner(by: .failure(refusal("NameHasNoOwner")), known: ":1.7") == nil)
        #expect(BusOwner.owner(by: .success([.string(":1.8")]), known: ":1.7") == ":1.8")
    }

    /// Otherwise, any program could fake the loss of another program's name, or the end of logind.
    @Test func onlyTheBusItselfReportsOwners() throws {
        let driver = BusSender.driver
        let name = "org.mpris.MediaPlayer2.tacet"
        try bus.own(name, whenOwned: { [diary] in diary.owned += 1 }, whenTaken: { [diary] in diary.taken += 1 })
        let subscriptions = [try follow(Self.service), try followOwner()]
        try turn(until: bus.isOwner && diary.owners.count == 1, or: "name and owner")
        let mine = try #require(bus.uniqueName)
        for (member, values) in [
            ("NameLost", [.string(name)]),
            ("NameOwnerChanged", [.string(Self.service), .string(""), .string(":1.999")]),
            ("NameOwnerChanged", [.string(Self.service), .string(":1.1"), .string("")]),
        ] as [(String, [BusValue])] {
            try forger.emit(member, of: driver, from: "/org/freedesktop/DBus", values, to: mine)
        }
        try forger.sync()
        try send("genuine", [.string("genuine")], by: genuine, alone: true)
        try turn(until: !diary.signals.isEmpty, or: "signal")
        #expect(bus.isOwner && diary.owned == 1 && diary.taken == 0 && diary.owners.count == 1)
        #expect(diary.ends.isEmpty)
        withExtendedLifetime(subscriptions) {}
    }

    @Test func signalsOfOtherTypesAndHugeOnesAreDropped() throws {
        let subscriptions = [try follow(Self.service), try follow(Self.service, signature: "ay"), try followOwner()]
        try turn(until: diary.owners.count == 1, or: "owner")
        let bytes = [UInt8](repeating: 7, count: 8 << 20)
        for values in [
            [.uint32(7)], [.string("one"), .string("two")], [.bytes(bytes)],
            [.string(String(repeating: "x", count: 1 << 20))], [.bytes([1, 2, 3])], [.string("end")],
        ] as [[BusValue]] { try send("genuine", values, by: genuine, alone: true) }
        try turn(until: diary.signals.last == [.string("end")], or: "end")
        #expect(diary.signals == [[.bytes([1, 2, 3])], [.string("end")]])
        withExtendedLifetime(subscriptions) {}
    }

    @Test func endedSubscriptionReceivesNothingAndOthersOfTheNameContinue() throws {
        var first: BusSubscription? = try follow(Self.service)
        let second = try bus.follow(from: Self.service, interface: Self.interface, member: "Rang", signature: "s") {
            [diary] values, _ in diary.signals.append(values + [.bool(true)])
        }
        var owner: BusSubscription? = try followOwner()
        try turn(until: diary.owners.count == 1, or: "owner")
        withExtendedLifetime(first) {}
        (first, owner) = (nil, nil)
        withExtendedLifetime(owner) {}
        try send("genuine", [.string("a")], by: genuine, alone: true)
        try turn(until: !diary.signals.isEmpty, or: "signal")
        #expect(diary.signals == [[.string("a"), .bool(true)]])
        withExtendedLifetime(second) {}
    }

    /// A client that reads with `next` also decides by the header.
    @Test func clientReadsOnlySignalsWithAnExpectedHead() throws {
        let client = try BusClient(address: daemon.address)
        let driver = BusSender.driver
        let answer = try client.call(
            "GetNameOwner", of: driver, at: "/org/freedesktop/DBus", on: driver, [.string(Self.service)])
        guard case .string(let owner)? = answer.first else { return }
        _ = try client.call(
            "AddMatch", of: driver, at: "/org/freedesktop/DBus", on: driver,
            [.string("type='signal',interface='\(Self.interface)'")])
        try send("forged", [.string("forged")], by: forger, alone: false)
        try send("genuine", [.string("genuine")], by: genuine, alone: false)
        var heads: [BusEvent.Head] = []
        var signal: BusEvent.Signal?
        while signal == nil {
            let event = try client.next { head in
                heads.append(head)
                return head.interface == Self.interface && BusSender.isGenuine(head.sender, from: owner, ownedBy: nil)
            }
            if case .signal(let read)? = event { signal = read } else { _ = try client.wait(.seconds(10)) }
        }
        #expect(signal?.values == [.string("genuine")])
        #expect(heads.filter { $0.member == "Rang" && $0.signature == "s" && $0.path == "/call" }.count == 2)
    }
}
