import CrashLab
import Glibc
import Testing

/// Power cuts at random points. `TACET_SEED=` replays one run, and prints all its events.
@Suite struct CrashTests {
    private static let lives = 20
    private static let runs = 530

    private static var seed: UInt64? { getenv("TACET_SEED").flatMap { UInt64(String(cString: $0)) } }

    @Test func bootAfterARandomPowerCutBreaksNoRule() {
        if let seed = Self.seed {
            let outcome = CrashRun(seed: seed) { print($0) }.run(lives: Self.lives)
            #expect(outcome.violations.isEmpty, "\(outcome.violations)")
            return
        }
        // As a proof, others each time.
        let first = getenv("TACET_PROOF") == nil ? 1 : UInt64.random(in: 1...1 << 40)
        var (cuts, inWrites, kills) = (0, 0, 0)
        for seed in first..<first + UInt64(Self.runs) {
            let outcome = CrashRun(seed: seed).run(lives: Self.lives)
            cuts += outcome.cuts
            inWrites += outcome.cutsInWrites
            kills += outcome.kills
            #expect(outcome.violations.isEmpty, "\(outcome.violations)")
        }
        print(
            "Power cuts: \(cuts), of which \(inWrites) in the midst of a write, and \(kills) kills;"
                + " seeds \(first) to \(first + UInt64(Self.runs) - 1)")
        #expect(cuts >= 10_000 && inWrites >= 1_000)
    }

    /// Tests the test: without `fdatasync` it must fail.
    @Test func detectsADiskThatIgnoresSync() {
        let found = (1...20 as ClosedRange<UInt64>).filter {
            !CrashRun(seed: $0, lies: true).run(lives: Self.lives).violations.isEmpty
        }
        #expect(found.count > 10)
    }
}
