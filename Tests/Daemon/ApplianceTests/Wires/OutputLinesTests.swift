import AudioSession
import Configuration
import Systemd
import Testing

@testable import Appliance
@testable import GPIO

@Suite struct OutputLinesTests {
    private let board = FakeOutputs(["AMP", "LAMP"])
    private let loop: EventLoop
    private let amplifier = Output(
        OutputPolicy(id: "amplifier", meaning: .follows(.playing)), wiring: Wiring(line: .named("AMP", chip: nil)))
    private let lamp = Output(
        OutputPolicy(id: "lamp", meaning: .follows(.interrupted)), wiring: Wiring(line: .named("LAMP", chip: nil)),
        isActiveLow: true)
    private let unwired = Output(OutputPolicy(id: "unwired", meaning: .follows(.ducked)))

    init() throws { loop = try EventLoop() }

    private func lines(_ outputs: Output...) throws -> OutputLines {
        let lines = try OutputLines(LineWriter(consumer: "test", system: board), in: loop)
        lines.use(outputs)
        return lines
    }

    @Test func outputsBeginDeassertedAndFollowTheirOrders() throws {
        let lines = try lines(amplifier, lamp, unwired)
        #expect(board.levels == ["AMP": false, "LAMP": true])
        lines.drive(["amplifier", "lamp", "unwired"])
        #expect(board.levels == ["AMP": true, "LAMP": false])
        #expect(lines.held.map(\.title) == ["output amplifier", "output lamp"] && lines.problems.isEmpty)
        lines.release()
        #expect(board.levels.isEmpty && board.history == ["AMP": [false, true, false], "LAMP": [true, false, true]])
    }

    @Test func aReloadKeepsTheLevelsOfUnchangedLines() throws {
        let lines = try lines(amplifier, lamp)
        lines.drive(["amplifier", "lamp"])
        lines.use([amplifier])
        #expect(board.levels == ["AMP": true] && board.history["AMP"] == [false, true])
    }

    @Test func aLineThatAnotherProgramHoldsIsDrivenOnceItIsFree() throws {
        board.holders = ["AMP": "gpioset"]
        let lines = try lines(amplifier, lamp)
        var changes = 0
        lines.onChange = { changes += 1 }
        lines.drive(["amplifier"])
        #expect(OutputFault.all(of: lines).map(\.advice) == ["output amplifier is lost (in use by ‘gpioset’)"])
        board.holders = [:]
        while changes == 0 { try loop.turn(within: nil) }
        #expect(board.levels["AMP"] == true && OutputFault.all(of: lines).isEmpty)
    }

    @Test func aLineThatDisappearsIsReportedOutsideOfTheEvent() throws {
        let lines = try lines(amplifier)
        var changes = 0
        lines.onChange = { changes += 1 }
        board.hasChip = false
        lines.drive(["amplifier"])
        // The supervisor is still handling an event.
        #expect(changes == 0)
        while changes == 0 { try loop.turn(within: nil) }
        #expect(lines.missing.map(\.policy.id) == ["amplifier"])
        board.hasChip = true
        lines.chipsMayHaveChanged()
        while changes == 1 { try loop.turn(within: nil) }
        #expect(lines.missing.isEmpty && board.levels["AMP"] == true)
    }

    @Test func aLossIsNoticedAlthoughNothingChanges() throws {
        let lines = try lines(amplifier)
        var changes = 0
        lines.onChange = { changes += 1 }
        board.hasChip = false
        lines.chipsMayHaveChanged()
        while changes == 0 { try loop.turn(within: nil) }
        #expect(lines.missing.map(\.policy.id) == ["amplifier"])
    }

    @Test func faultIsShownWithARemedy() throws {
        board.hasChip = false
        let fault = try #require(OutputFault.all(of: lines(amplifier)).first)
        #expect(fault.advice == "output amplifier is lost (is Line= right? see ‘tacet lines’)")
        #expect(fault.entry.event == .fault && fault.entry.priority == .warning)
        #expect(fault.entry[.output] == ["amplifier"] && fault.entry[.fault] == ["lost"])
        #expect(fault.clearedEntry.message == "The output amplifier (AMP) is no longer lost.")
    }
}
