import Configuration
import Effort
import Foundation
import Simulation
import Testing

/// Determines from recordings of random scenarios alone which frames are played and when, and checks the rules about
/// them.
@Suite struct HeardTests {
    private static let isProof = ProcessInfo.processInfo.environment["TACET_PROOF"] != nil
    private static let count: UInt64 = isProof ? 10_000 : Effort.isExhaustive ? 400 : 10

    /// The seeds are fixed, except with `TACET_PROOF`, which draws new ones. `TACET_SEED=` replays one.
    @Test func recordedFramesFollowTheRules() throws {
        let lab = try Lab()
        try lab.write(
            "music/music.wav", frames: HeardScenario.trackFrames, rate: HeardScenario.rate,
            samples: HeardScenario.playback)
        for (index, file) in HeardScenario.files.enumerated() {
            try lab.write(file + ".wav", frames: HeardScenario.frames(file), rate: HeardScenario.rate) {
                HeardScenario.sound(index, $0)
            }
        }
        let seed = ProcessInfo.processInfo.environment["TACET_SEED"].flatMap(UInt64.init)
        let first = Self.isProof ? UInt64.random(in: 0...1 << 40) : 0
        for seed in seed.map({ $0..<$0 + 1 }) ?? Effort.seeds(Self.count, from: first) {
            let random = HeardScenario(seed: seed)
            lab.configuration = random.configuration
            var rehearsal = try lab.rehearsal(random.scenario)
            rehearsal.wav = lab.path("heard.wav")
            let rows = try rehearsal.run().rows
            var heard: Recording?
            do {
                let recording = try Recording(lab.channels(lab.path("heard.wav")))
                heard = recording
                var listener = Listener(random, rows, recording)
                try listener.check()
            } catch {
                let trace = rows.map(\.json).joined(separator: "\n")
                Issue.record(
                    """
                    TACET_SEED=\(seed): \(error)
                    \(random.configuration)
                    \(random.scenario)
                    \(trace)
                    \(heard?.description ?? "")
                    """)
                return
            }
        }
    }
}
