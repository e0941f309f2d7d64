import AudioSession
import Signals
import Systemd
import Testing

@testable import Appliance
@testable import Configuration

/// Leases on a bus that may be too busy to deliver a renewal.
@Suite struct ProgramLevelsTests {
    private static let alarm: SignalID = "alarm"

    private final class Bus {
        var isThere = true
        var questions = 0
        var changes: [LevelChange<WireID>] = []
    }

    private let loop: EventLoop
    private let levels: ProgramLevels
    private let bus = Bus()

    init() throws {
        loop = try EventLoop()
        levels = try ProgramLevels(in: loop)
        levels.adopt([Self.alarm: ProgramLease()])
        levels.ask = { [bus] in
            bus.questions += 1
            return bus.isThere
        }
        levels.onNews = { [bus, unowned levels] in bus.changes += levels.readChanges() }
    }

    private func renew(for time: Duration) {
        levels.set(Self.alarm, true, for: .time(time), by: ":1.7", called: "panel")
    }

    private var level: Bool? { levels.level(of: .signal(Self.alarm)) }

    @Test func aLeaseEndsOnceTheBusHasDeliveredEverything() throws {
        renew(for: .milliseconds(1))
        try loop.turn(until: bus.questions > 0, or: "question")
        #expect(level == true && bus.changes.count == 1)
        levels.noteAnswer()
        #expect(level == nil && bus.changes.count == 2 && bus.questions == 1)
    }

    @Test func aRenewalThatArrivesBeforeTheBussAnswerCounts() throws {
        renew(for: .milliseconds(1))
        try loop.turn(until: bus.questions > 0, or: "question")
        renew(for: .seconds(3600))
        levels.noteAnswer()
        #expect(level == true && bus.changes.count == 1 && bus.questions == 1)
    }

    @Test func withoutABusALeaseEndsAtOnce() throws {
        bus.isThere = false
        renew(for: .milliseconds(1))
        try loop.turn(until: level == nil, or: "end of the lease")
        #expect(bus.questions == 1)
    }

    /// The answer to the query could not arrive any more.
    @Test func pendingBusQueryEndsWithItsConnection() throws {
        renew(for: .milliseconds(1))
        try loop.turn(until: bus.questions > 0, or: "question")
        levels.leaveBus()
        levels.noteAnswer()
        #expect(level == true)
        levels.returnToBus(isSame: true)
        // A program has a few seconds to renew its lease.
        #expect(level == true && bus.questions == 1)
    }
}
