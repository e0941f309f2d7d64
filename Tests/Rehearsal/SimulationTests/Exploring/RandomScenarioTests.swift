import Configuration
import Effort
import Foundation
import SessionModel
import Simulation
import Testing

@testable import random_scenarios

/// Comparisons of the supervisor with a model that shares no code with it, in random scenarios.
@Suite struct RandomScenarioTests {
    private static let isProof = ProcessInfo.processInfo.environment["TACET_PROOF"] != nil
    private static let count: UInt64 = isProof ? 10_000 : Effort.isExhaustive ? 2_000 : 40

    /// The seeds are fixed, except with `TACET_PROOF`, which draws new ones. `TACET_SEED=` replays one.
    @Test func tracesMatchTheSessionModel() throws {
        let lab = try Lab()
        for track in RandomScenario.tracks { try lab.addTrack(track.name, frames: track.length * 48) }
        try "3.wav\n1.wav\n".write(toFile: lab.path("music/list.m3u"), atomically: true, encoding: .utf8)
        for sound in RandomScenario.sounds { try lab.addSound(sound.name, frames: sound.length * 48) }
        let seed = ProcessInfo.processInfo.environment["TACET_SEED"].flatMap(UInt64.init)
        let first = Self.isProof ? UInt64.random(in: 0...1 << 40) : 0
        for seed in seed.map({ $0..<$0 + 1 }) ?? Effort.seeds(Self.count, from: first) {
            let random = RandomScenario(seed: seed)
            lab.configuration = random.configuration
            let rehearsal = try lab.rehearsal(random.scenario)
            var model = SessionModel(
                rehearsal.configuration, tracks: RandomScenario.tracks.map { ($0.name, .milliseconds($0.length)) },
                sounds: RandomScenario.sounds.map { ($0.name, .milliseconds($0.length)) })
            model.idleTracks = RandomScenario.chosen("list.m3u")
            let rows = try rehearsal.run().rows
            guard let contradiction = model.contradiction(in: rows, of: rehearsal.scenario, after: random.initial)
            else { continue }
            let trace = rows.map(\.json).joined(separator: "\n")
            Issue.record("TACET_SEED=\(seed): \(contradiction)\n\(random.configuration)\n\(random.scenario)\n\(trace)")
            return
        }
    }
}
