import AudioSession
import Configuration
import Foundation
import Signals
import Systemd
import Testing

@testable import Appliance
@testable import GPIO

@Suite struct LevelsTests {
    private let board = FakeBoard()
    private let loop: EventLoop
    private let remote: RemoteLevels

    init() throws {
        loop = try EventLoop()
        remote = try RemoteLevels(in: loop)
    }

    private func configuration(_ text: String) throws -> Configuration {
        try ConfigurationAttempt([ConfigurationText(path: "tacet.conf", bytes: Array(text.utf8))]).get().configuration
    }

    private func levels(
        _ text: String = "[Signal phone-call]\nLine=CALL\n[Button play]\nLine=PLAY\nCommand=play\n"
    ) throws -> Levels {
        var host = HostSystem()
        let board = board
        host.reader = { LineReader($0, consumer: "test", system: board) }
        return try Levels(try configuration(text), timeout: .zero, in: loop, on: host, remote: remote)
    }

    @Test func edgesAreReportedInTheirOrder() throws {
        let levels = try levels()
        var changes: [LevelChange<WireID>.State] = []
        levels.onChanges = { changes += $0.map(\.state) }
        #expect(levels.signals["phone-call"] == false)
        for level in [true, false, true] { board.edge(level) }
        try loop.turn(until: changes.count >= 3, or: "edges")
        #expect(changes == [.turned(true), .turned(false), .turned(true)] && levels.signals["phone-call"] == true)
        #expect(levels.heldLines.map(\.title) == ["signal phone-call"])
        #expect(levels.problem(of: .button("play")) != nil && levels.problem(of: .signal("phone-call")) == nil)
    }

    @Test func lostLineIsReportedAndFoundAgain() throws {
        let levels = try levels()
        var changes: [LevelChange<WireID>] = []
        levels.onChanges = { changes += $0 }
        board.unplug()
        try loop.turn(until: !changes.isEmpty, or: "loss")
        guard case .missing(let reason)? = changes.first?.state else {
            Issue.record("\(changes)")
            return
        }
        #expect(changes.map(\.id) == [.signal("phone-call")] && !reason.isEmpty)
        #expect(levels.signals["phone-call"] == nil)
        board.hasChip = true
        board.edge(true)
        levels.lookAgain()
        try loop.turn(until: changes.count > 1, or: "return")
        #expect(changes.last?.state == .found(true) && levels.signals["phone-call"] == true)
    }

    @Test func releasedLinesCanBeRequestedByASuccessor() throws {
        let levels = try levels()
        #expect(board.held != nil)
        levels.letGo()
        #expect(board.held == nil && levels.heldLines.isEmpty)
    }

    @Test func missingInputDeviceAndJackAreMissingLevels() throws {
        let levels = try levels(
            """
            [Signal cover-closed]
            Input=No such device of this test
            Code=SW_LID
            [Signal alarm]
            Jack=No such Jack
            """)
        #expect(levels.signals == ["phone-call": false])
        #expect(levels.problem(of: .signal("cover-closed"))?.contains("no input device has this name") == true)
        #expect(levels.problem(of: .signal("alarm"))?.contains("cannot read No such Jack") == true)
    }

    // MARK: Programs

    private let bus = "[Signal alarm]\nSource=bus\nLease=1s\n"

    @Test func programAssertsAndReleases() throws {
        let levels = try levels(bus)
        var changes: [LevelChange<WireID>] = []
        levels.onChanges = { changes += $0 }
        #expect(levels.signals["alarm"] == false)
        remote.programs.set("alarm", true, for: .infinite, by: ":1.5", called: "baresip, process 8")
        #expect(
            levels.signals["alarm"] == true && levels.place(of: .signal("alarm")) == "asserted by baresip, process 8")
        // A renewal is not a change.
        remote.programs.set("alarm", true, for: .asConfigured, by: ":1.5", called: "baresip, process 8")
        remote.programs.set("alarm", false, for: nil, by: ":1.5", called: "")
        #expect(changes.map(\.state) == [.turned(true), .turned(false)])
    }

    @Test func expiredLeaseIsALoss() throws {
        let levels = try levels(bus)
        var changes: [LevelChange<WireID>] = []
        levels.onChanges = { changes += $0 }
        remote.programs.set("alarm", true, for: .time(.milliseconds(5)), by: ":1.5", called: "baresip")
        try loop.turn(until: changes.count == 2, or: "expiry")
        #expect(changes.last?.state == .missing("the lease of baresip has expired"))
        #expect(levels.signals["alarm"] == nil)
        #expect(levels.problem(of: .signal("alarm")) == "the lease of baresip has expired")
        remote.programs.set("alarm", true, for: .infinite, by: ":1.5", called: "baresip")
        #expect(changes.last?.state == .turned(true))
    }

    @Test func levelsOfProgramsSurviveAReload() throws {
        let first = try levels(bus)
        remote.programs.set("alarm", true, for: .infinite, by: ":1.5", called: "baresip")
        first.letGo()
        let second = try levels(bus)
        #expect(second.signals["alarm"] == true)
        second.letGo()
        // A signal with another source is released, but its program has not withdrawn it.
        let third = try levels()
        #expect(third.signals["alarm"] == false && remote.programs.clients == [":1.5"])
        third.letGo()
        let last = try levels(bus)
        #expect(last.signals["alarm"] == true)
        last.letGo()
        remote.programs.left(":1.5")
        #expect(remote.programs.clients.isEmpty)
    }

    @Test func signalOfTheLastRunHasOneLease() throws {
        let levels = try levels("[Signal alarm]\nSource=bus\nLease=100ms\n")
        var changes: [LevelChange<WireID>] = []
        levels.onChanges = { changes += $0 }
        levels.resume(["alarm", "phone-call"])
        #expect(levels.signals["alarm"] == true)
        try loop.turn(until: !changes.isEmpty, or: "expiry")
        #expect(changes.map(\.state) == [.missing("no program has renewed its lease since Tacet started")])
    }
}
