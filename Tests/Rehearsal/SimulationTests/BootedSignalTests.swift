import AudioSession
import Simulation
import Testing

/// Signals across a power cut, and lines that cannot be read at boot.
@Suite struct BootedSignalTests {
    private func lab(_ configuration: String) throws -> Lab {
        let lab = try Lab(configuration)
        try lab.addNumberedTrack("one.wav", seconds: 60)
        return lab
    }

    @Test func bootBetweenTwoRingsIsSilent() throws {
        let rows = try lab("[Signal phone-call]\nReleaseDelay=5s\nDebounce=30ms").run(
            """
            1s line phone-call 1
            2s line phone-call 0
            3s power-cut
            4s boot
            6s line phone-call 1
            7s line phone-call 0
            20s end
            """)
        #expect(
            rows.events == [
                "0.0 boot", "1.0 line phone-call 1", "1.03 assert phone-call", "2.0 line phone-call 0",
                "3.0 power-cut", "4.0 boot", "6.0 line phone-call 1", "7.0 line phone-call 0",
                "12.03 deassert phone-call", "20.0 end",
            ])
        #expect(rows.notifications == ["began(default)", "began(appWasSuspended)", "ended(shouldResume)"])
        #expect(try rows.at("boot", occurrence: 1).directive == .silent)
    }

    @Test func callThatEndedDuringAPowerCutEndsAReleaseDelayAfterTheBoot() throws {
        let rows = try lab("[Signal phone-call]\nReleaseDelay=5s\n[Signal alarm]\nReleaseDelay=1s").run(
            """
            1s assert phone-call
            1s assert alarm
            3s power-cut
            3.5s deassert phone-call
            3.5s deassert alarm
            4s boot
            20s end
            """)
        #expect(rows.events.suffix(4) == ["4.0 boot", "5.0 deassert alarm", "9.0 deassert phone-call", "20.0 end"])
        #expect(try rows.at("boot", occurrence: 1).active == ["alarm", "phone-call"])
    }

    @Test func secondPowerCutDuringTheReleaseDelayRestartsIt() throws {
        let rows = try lab("[Signal phone-call]\nReleaseDelay=5s").run(
            """
            1s assert phone-call
            2s power-cut
            2s deassert phone-call
            3s boot
            7s power-cut
            8s boot
            20s end
            """)
        #expect(rows.events.suffix(2) == ["13.0 deassert phone-call", "20.0 end"])
    }

    @Test func deassertEndsASignalHeldByABootAtOnce() throws {
        let rows = try lab("[Signal phone-call]\nReleaseDelay=5s").run(
            """
            1s assert phone-call
            2s power-cut
            2s deassert phone-call
            3s boot
            4s deassert phone-call
            20s end
            """)
        #expect(rows.events.suffix(2) == ["4.0 deassert phone-call", "20.0 end"])
        #expect(rows.notifications.last == "ended(shouldResume)")
        #expect(try rows.at("end").directive == .play(.full))
    }

    @Test func stuckAfterCountsAcrossAPowerCut() throws {
        let rows = try lab("[Signal phone-call]\nReleaseDelay=5s\nStuckAfter=10s").run(
            """
            1s assert phone-call
            2s power-cut
            2s deassert phone-call
            8s boot
            20s end
            """)
        #expect(
            rows.events.suffix(5) == [
                "8.0 boot", "11.0 fault phone-call stuck", "13.0 deassert phone-call", "13.0 cleared phone-call stuck",
                "20.0 end",
            ])
    }

    @Test func droppedSignalIsNotHeldByABoot() throws {
        let rows = try lab("[Signal phone-call]\nReleaseDelay=5s\nStuckAfter=2s\nWhenStuck=release").run(
            """
            1s assert phone-call
            4s power-cut
            5s deassert phone-call
            6s boot
            20s end
            """)
        #expect(rows.events.suffix(2) == ["6.0 boot", "20.0 end"])
        #expect(try rows.at("boot", occurrence: 1).faults == [])
    }

    @Test func droppedSignalWhoseLineIsStillAssertedStaysDropped() throws {
        let rows = try lab("[Signal phone-call]\nStuckAfter=2s\nWhenStuck=release").run(
            """
            1s assert phone-call
            4s power-cut
            6s boot
            8s deassert phone-call
            9s assert phone-call
            10s end
            """)
        #expect(
            rows.events.suffix(5) == [
                "6.0 boot", "8.0 deassert phone-call", "8.0 cleared phone-call stuck", "9.0 assert phone-call",
                "10.0 end",
            ])
        let boot = try rows.at("boot", occurrence: 1)
        #expect(boot.directive == .play(.full) && boot.faults.map(\.description) == ["phone-call:stuck"])
        #expect(try rows.at("end").isInterrupted)
    }

    @Test func lostLineIsAssertedAfterItsGraceAndEndsWhenItReturnsLow() throws {
        let rows = try lab("[Signal phone-call]\nLostGrace=2s\nWhenLost=assert\nDebounce=30ms").run(
            """
            1s line phone-call lost
            5s line phone-call 0
            9s end
            """)
        #expect(
            rows.events == [
                "0.0 boot", "1.0 line phone-call lost", "1.0 fault phone-call lost", "3.0 assert phone-call",
                "5.0 line phone-call 0", "5.0 cleared phone-call lost", "5.03 deassert phone-call", "9.0 end",
            ])
        #expect(rows.notifications == ["began(default)", "ended(shouldResume)"])
    }

    @Test func firstBootWithAnUnreadableLineIsInterrupted() throws {
        let rows = try lab("[Signal phone-call]\nWhenLost=assert").run(
            """
            1s power-cut
            2s line phone-call lost
            3s boot
            8s line phone-call 0
            9s end
            """)
        #expect(
            rows.events.suffix(5) == [
                "3.0 boot", "8.0 line phone-call 0", "8.0 cleared phone-call lost", "8.03 deassert phone-call",
                "9.0 end",
            ])
        let boot = try rows.at("boot", occurrence: 1)
        #expect(boot.isInterrupted && boot.active == ["phone-call"])
        #expect(boot.faults.map(\.description) == ["phone-call:lost"])
        #expect(boot.notifications == [.began(.appWasSuspended)])
    }

    @Test func onlyTheLastOfSeveralLevelsAtOneInstantCounts() throws {
        let rows = try lab("[Signal phone-call]\nDebounce=0s").run(
            """
            1s line phone-call 1
            1s line phone-call 0
            2s line phone-call 1
            2s line phone-call 0
            2s line phone-call 1
            3s end
            """)
        #expect(rows.events.filter { !$0.contains("line") } == ["0.0 boot", "2.0 assert phone-call", "3.0 end"])
    }

    @Test func linesThatSettleTogetherAssertFirstThenFollowConfigurationOrder() throws {
        let lab = try lab(
            """
            [Signal zebra]
            Effect=pause
            Debounce=30ms
            [Signal alarm]
            Debounce=30ms
            [Signal phone-call]
            Debounce=30ms
            """)
        let rows = try lab.run(
            """
            1s assert phone-call
            2s line phone-call 0
            2s line alarm 1
            2s line zebra 1
            2.03s command pause
            3s end
            """)
        let order = try lab.load().session.signals.map(\.id.rawValue).filter { ["zebra", "alarm"].contains($0) }
        #expect(
            rows.events.suffix(5) == [
                "2.03 command pause", "2.03 assert \(order[0])", "2.03 assert \(order[1])",
                "2.03 deassert phone-call", "3.0 end",
            ])
    }
}
