import AudioSession
import Simulation
import Testing

/// Outputs that a sound server or a mixer mutes or turns down.
@Suite struct OutputFaultTests {
    private func rows(_ scenario: String) throws -> [TraceRow] {
        let lab = try Lab()
        try lab.addTrack("one.wav", frames: 480_000)
        return try lab.rehearsal(scenario).run().rows
    }

    @Test func muteIsAFaultAfterASecondAndUntilItEnds() throws {
        let rows = try rows("1s output muted\n1.5s output audible\n2s output muted\n4s output audible\n5s end")
        #expect(
            rows.map(\.event) == [
                "boot", "output muted", "output audible", "output muted", "fault output muted", "output audible",
                "cleared output muted", "end",
            ])
        #expect(rows[4].time == .seconds(3) && rows[4].state?.faults.map(\.description) == ["output:muted"])
        #expect(rows[6].time == .seconds(4) && rows[6].state?.faults.isEmpty == true)
        // The music continues, because nothing else would know where the listener would miss it.
        #expect(rows[4].state?.position == .seconds(3))
    }

    @Test func anotherObstacleIsAnotherFault() throws {
        let rows = try rows("1s output quiet\n3s output muted\n4s power-cut\n5s boot\n7s end")
        #expect(
            rows.map(\.event) == [
                "boot", "output quiet", "fault output quiet", "output muted", "cleared output quiet",
                "fault output muted", "power-cut", "boot", "fault output muted", "end",
            ])
        #expect(rows[5].time == .seconds(3) && rows[8].time == .seconds(6))
    }

    @Test func wrongWordIsExplained() throws {
        var words = ""
        do { _ = try rows("1s output loud") } catch { words = "\(error)" }
        #expect(words.contains("write whether the output can be heard (audible, muted or quiet)"), "\(words)")
        #expect(throws: ScenarioError.self) { try rows("1s asleep 5s\n2s output muted") }
    }
}
