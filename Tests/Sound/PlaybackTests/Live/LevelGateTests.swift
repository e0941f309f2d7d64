import ALSA
import Testing

@testable import Playback

/// The gate of a capture device on a virtual clock. Times are in milliseconds.
@Suite struct LevelGateTests {
    private struct Bench {
        var gate = LevelGate(threshold: 0.1)
        var now = 0
        var changes: [String] = []

        /// Passes blocks of 10 ms with this peak.
        mutating func pass(_ peak: Float, _ milliseconds: Int) {
            for _ in 0..<milliseconds / 10 {
                now += 10
                let change = gate.pass(peak: peak, from: (now - 10) * 1_000_000, to: now * 1_000_000)
                if let change { changes.append("\(change) \(now)") }
            }
        }
    }

    @Test func opensWithTheFirstBlockThatReachesTheThreshold() {
        var bench = Bench()
        bench.pass(0.099, 500)
        bench.pass(0.1, 10)
        #expect(bench.changes == ["opens 510"])
    }

    @Test func staysOpenUntilTheLevelIsSixDecibelsBelowTheThreshold() {
        var bench = Bench()
        bench.pass(0.2, 500)
        bench.pass(0.051, 5000)
        #expect(bench.changes == ["opens 10"])
        bench.pass(0.049, 1000)
        #expect(bench.changes == ["opens 10", "closes 5750"])
        bench.pass(0.09, 1000)
        #expect(bench.changes.count == 2)
        #expect(bench.gate.loudUntil == 5_500_000_000)
    }

    @Test func aPauseInMusicDoesNotCloseIt() {
        var bench = Bench()
        for _ in 0..<10 {
            bench.pass(0.5, 300)
            bench.pass(0, 240)
        }
        #expect(bench.changes == ["opens 10"])
    }

    @Test func aClickCountsOnlyBriefly() {
        var bench = Bench()
        bench.pass(0.9, 10)
        bench.pass(0, 500)
        #expect(bench.changes == ["opens 10", "closes 40"])
    }

    @Test func closesWhenNothingIsCapturedAnyMore() {
        var bench = Bench()
        bench.pass(0.9, 1000)
        #expect(bench.gate.wait(until: 1_249_000_000) == nil)
        #expect(bench.gate.wait(until: 1_250_000_000) == .closes)
        #expect(bench.gate.wait(until: 9_000_000_000) == nil)
    }

    @Test func digitalSilenceCountsOnlyIfTheThresholdIsZero() {
        var gate = LevelGate(threshold: 0)
        #expect(gate.pass(peak: 0, from: 0, to: 1) == .opens)
        #expect(gate.pass(peak: 0, from: 1, to: 1_000_000_000) == nil)
    }
}
