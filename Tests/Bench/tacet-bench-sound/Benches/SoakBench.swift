import SoundLab

/// Measures playback on a busy machine.
enum SoakBench {
    struct Findings {
        /// The number of positions in the recording where a frame is not followed by its successor, for each minute.
        var gaps: [Double] = []
        /// The underruns that Tacet reported.
        var underruns = 0
    }

    static func run(_ contestant: Contestant, minutes: Int, on rig: SoundRig) throws -> Findings {
        let player = try contestant.start(Array(repeating: rig.numbers, count: minutes / 2 + 1), on: rig)
        defer { player.quit() }
        let loops = try (0..<2).map { _ in try Subprocess(["sh", "-c", "while :; do :; done"]) }
        defer { loops.forEach { $0.end() } }
        var findings = Findings()
        // There is one recording per minute, because ten minutes of samples would take too much memory.
        for _ in 0..<minutes {
            let recording = try Recording(rig.server)
            try SoundRig.sleep(.seconds(60))
            findings.gaps.append(Double(gaps(in: recording.finish())))
        }
        findings.underruns = try (player as? TacetPlayer)?.underruns() ?? 0
        return findings
    }

    /// Returns the number of gaps. A track's last frame followed by its first is not a gap.
    private static func gaps(in samples: [Int32]) -> Int {
        let runs = NumberedRun.all(in: samples)
        return zip(runs, runs.dropFirst()).filter { before, after in
            before.end != after.start || before.next != SoundRig.trackFrames + 1 || after.number != 1
        }.count
    }
}
