import AudioSession
import Simulation
import Testing

/// Changeover contacts, whose two lines watch each other.
@Suite struct ComplementTests {
    private func lab(_ keys: String = "") throws -> Lab {
        let lab = try Lab("[Signal door]\nLine=DOOR\nComplement=DOOR_NC\nEffect=pause\nDebounce=30ms\n\(keys)")
        try lab.addNumberedTrack("one.wav", seconds: 60)
        return lab
    }

    @Test func changeCountsWhenBothLinesHaveSettled() throws {
        let rows = try lab().run(
            """
            1s line door 1
            1.02s complement door 0
            2s complement door 1
            2.01s complement door 0
            2.02s complement door 1
            2.1s line door 0
            4s end
            """)
        #expect(
            rows.events == [
                "0.0 boot", "1.0 line door 1", "1.02 complement door 0", "1.05 assert door", "2.0 complement door 1",
                "2.01 complement door 0", "2.02 complement door 1", "2.1 line door 0", "2.13 deassert door",
                "4.0 end",
            ])
    }

    @Test func linesThatAgreeForLongerThanAMoveAreABrokenWire() throws {
        let rows = try lab("LostGrace=1s\nWhenLost=release").run(
            """
            1s assert door
            2s line door 0
            2.2s complement door 1
            3s line door 1
            3.201s complement door 0
            6s end
            """)
        // At exactly 200 ms, it is not yet longer.
        #expect(
            rows.events.dropFirst(2) == [
                "2.0 line door 0", "2.2 complement door 1", "2.23 deassert door", "3.0 line door 1",
                "3.2 fault door wire", "3.201 complement door 0", "3.231 assert door", "3.231 cleared door wire",
                "6.0 end",
            ])
        #expect(try rows.at("fault door wire").faults == [Fault("door", .wire)])
        // The fault clears after the change that it brings.
        #expect(try rows.at("assert door", occurrence: 1).faults == [Fault("door", .wire)])
        #expect(try rows.at("cleared door wire").faults == [])
    }

    @Test(arguments: [("hold", true), ("release", false), ("assert", true)]) func brokenWireIsALostSignal(
        whenLost: String, isActive: Bool
    ) throws {
        let rows = try lab("LostGrace=1s\nWhenLost=\(whenLost)").run(
            """
            1s assert door
            2s line door 0
            4s end
            """)
        #expect(try rows.at("fault door wire").active == ["door"])
        #expect(try rows.at("end").active == (isActive ? ["door"] : []))
        if !isActive { #expect(rows.events.contains("3.2 deassert door")) }
    }

    @Test(arguments: [false, true]) func linesThatAgreeAtABootHoldTheSavedEffect(wasAsserted: Bool) throws {
        let rows = try lab("LostGrace=1s\nWhenLost=release").run(
            """
            1s \(wasAsserted ? "assert" : "deassert") door
            2s power-cut
            2s \(wasAsserted ? "line door 0" : "complement door 0")
            3s boot
            5s end
            """)
        #expect(try rows.at("boot", occurrence: 1).active == (wasAsserted ? ["door"] : []))
        #expect(try rows.at("boot", occurrence: 1).faults == [])
        #expect(rows.events.contains("3.2 fault door wire"))
        #expect(rows.events.contains("4.2 deassert door") == wasAsserted)
    }

    @Test func linesThatAgreeAtABootAssertAFailSafeSignalAtOnce() throws {
        let rows = try lab("WhenLost=assert").run(
            """
            0s complement door 0
            0s boot
            1s end
            """)
        #expect(try rows.at("boot").active == ["door"])
        #expect(rows.events == ["0.0 boot", "0.2 fault door wire", "1.0 end"])
    }

    @Test func complementOnTheSameContactIsABrokenWire() throws {
        let rows = try lab().run(
            """
            1s line door 1
            1s complement door 1
            3s line door 0
            3s complement door 0
            5s end
            """)
        #expect(
            rows.events.contains("1.2 fault door wire") && !rows.events.contains { $0.hasSuffix("cleared door wire") })
    }

    @Test func lineThatDisappearsIsLost() throws {
        let rows = try lab().run(
            """
            1s complement door lost
            2s complement door 1
            3s end
            """)
        #expect(rows.events.contains("1.0 fault door lost") && rows.events.contains("2.0 cleared door lost"))
    }

    @Test func activeLowIsThatOfTheFirstLine() throws {
        let rows = try lab("ActiveLow=yes").run(
            """
            1s line door 0
            1.01s complement door 1
            2s end
            """)
        #expect(rows.events.contains("1.04 assert door"))
    }

    @Test func signalWithOneLineHasNoComplement() throws {
        let lab = try Lab()
        let reason = "scenario:1: alarm has no second contact: write Complement= in [Signal alarm]"
        #expect {
            try lab.rehearsal("1s complement alarm 1")
        } throws: { ($0 as? ScenarioError)?.description.hasSuffix(reason) == true }
    }
}
