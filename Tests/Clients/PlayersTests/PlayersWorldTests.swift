import Effort
import Foundation
import Testing

@testable import Players

/// Random sequences of calls, touches, starts, ends and kills, in which no rule may be broken.
@Suite struct PlayersWorldTests {
    private static let count: UInt64 = Effort.isExhaustive ? 10_000 : 1_000

    /// The seeds are fixed. `TACET_SEED=` replays one.
    @Test func nothingIsResumedThatTacetHasNotPausedAndNothingIsLeftPaused() {
        let seed = ProcessInfo.processInfo.environment["TACET_SEED"].flatMap(UInt64.init)
        let seeds = seed.map { $0..<$0 + 1 } ?? Effort.seeds(Self.count, from: 1)
        var resumptions = 0
        for seed in seeds {
            var world = PlayersWorld(seed: seed)
            for _ in 0..<120 { world.step() }
            world.settle()
            resumptions += world.resumptions
            if let violation = world.violations.first {
                Issue.record("TACET_SEED=\(seed): \(violation)\n\(world.log.suffix(60).joined(separator: "\n"))")
                return
            }
        }
        // The sequences do not avoid the difficult situations.
        #expect(seed != nil || resumptions > seeds.count / 4)
    }

    @Test func nothingIsResumedIfTheEndOfTheCallDoesNotRecommendIt() {
        for seed in UInt64(1)...Self.count / 10 {
            var world = PlayersWorld(seed: seed, resume: .manual)
            for _ in 0..<120 { world.step() }
            world.settle()
            guard world.violations.isEmpty, world.resumptions == 0 else {
                Issue.record("seed \(seed): \(world.violations)\n\(world.log.suffix(60).joined(separator: "\n"))")
                return
            }
        }
    }
}
