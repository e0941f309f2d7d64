import AudioSession
import Testing
import Verification

/// Rule 12, which holds for the real outputs. Each test breaks the outputs on purpose, and the exploration must detect
/// it.
@Suite struct AmplifierTests {
    private func found(_ behaviour: OutputBehaviour) -> ExplorationReport.Violation? {
        AmplifierExplorer(behaviour: behaviour).explore().violation(announcing: "gong")
    }

    @Test func everyStateKeepsTheRule() {
        let report = AmplifierExplorer().explore()
        #expect(report.violation(announcing: "gong") == nil)
        // A much lower number would mean that nothing was explored.
        #expect(report.states > 1_000, "\(report.states) states")
    }

    @Test func catchesAnAmplifierThatIgnoresSounds() throws {
        let violation = try #require(
            found(
                OutputBehaviour(
                    prepare: { outputs, facts, now in
                        outputs.prepare(facts.subtracting([.sounding]), at: now)
                    },
                    settle: { outputs, facts, quietAt, now in
                        outputs.settle(facts.subtracting([.sounding]), quietAt: quietAt, at: now)
                    })))
        #expect(violation.rule == 12 && violation.path == ["boot", "command pause", "command announce gong"])
    }

    @Test func catchesAnAmplifierThatIsTurnedOnOnlyAfterTheSoundIsOrdered() throws {
        let violation = try #require(found(OutputBehaviour(prepare: { _, _, _ in })))
        #expect(violation.rule == 12 && violation.what.contains("Lead="), "\(violation.what)")
    }

    @Test func catchesAnAmplifierThatIsOffDuringTheFadeOut() throws {
        let violation = try #require(
            found(
                OutputBehaviour(settle: { outputs, facts, _, now in outputs.settle(facts, quietAt: now, at: now) })))
        #expect(violation.what == "something is played while the amplifier is off")
        // It waits for the other amplifier first.
        #expect(violation.path == ["boot", "command pause", "command playPause", "# a moment", "command playPause"])
    }

    @Test func catchesAnAmplifierThatStaysOn() throws {
        let violation = try #require(
            found(
                OutputBehaviour(settle: { outputs, facts, quietAt, now in
                    outputs.settle(facts, quietAt: quietAt + .seconds(1), at: now)
                })))
        #expect(violation.what.contains("stays on"))
    }

    @Test func catchesALagThatEndsALeadTooEarly() throws {
        // This faulty version omits the lead when the amplifier turns on again within the lag.
        let violation = found(
            OutputBehaviour(prepare: { outputs, facts, now in
                if outputs.deadline != nil, facts.isAudible {
                    outputs.rebase(to: now + .seconds(10))
                    outputs.prepare(facts, at: now)
                } else {
                    outputs.prepare(facts, at: now)
                }
            }))
        #expect(violation?.rule == 12)
    }
}
