import CrashLab
import Effort
import Glibc
import Testing

/// Power cuts at random points. `TACET_SEED=` replays one run and prints all its events.
@Suite struct CrashTests {
    private static let lives = 20
    private static let runs: UInt64 = 530

    private static var seed: UInt64? { getenv("TACET_SEED").flatMap { UInt64(String(cString: $0)) } }

    @Test func bootAfterARandomPowerCutBreaksNoRule() {
        if let seed = Self.seed {
            let outcome = CrashRun(seed: seed) { print($0) }.run(lives: Self.lives)
            #expect(outcome.violations.isEmpty, "\(outcome.violations)")
            return
        }
        // With `TACET_PROOF`, the seeds are different each time.
        let first = getenv("TACET_PROOF") == nil ? 1 : UInt64.random(in: 1...1 << 40)
        var (cuts, inWrites, kills) = (0, 0, 0)
        let seeds = Effort.seeds(Self.runs, from: first)
        for seed in seeds {
            let outcome = CrashRun(seed: seed).run(lives: Self.lives)
            cuts += outcome.cuts
            inWrites += outcome.cutsInWrites
            kills += outcome.kills
            #expect(outcome.violations.isEmpty, "\(outcome.violations)")
        }
        print(
            "Power cuts: \(cuts), of which \(inWrites) in the midst of a write, and \(kills) kills;"
                + " seeds \(first) to \(first + Self.runs - 1)")
        // All runs together have 10,000 cuts, of which 1,000 occur during a write.
        #expect(cuts * Int(Self.runs) >= 10_000 * seeds.count && inWrites * Int(Self.runs) >= 1_000 * seeds.count)
    }

    /// This checks the test itself, which must fail if `fdatasync` has no effect.
    @Test func detectsADiskThatIgnoresSync() {
        let found = (1...20 as ClosedRange<UInt64>).filter {
            !CrashRun(seed: $0, lies: true).run(lives: Self.lives).violations.isEmpty
        }
        #expect(found.count > 10)
    }
}
