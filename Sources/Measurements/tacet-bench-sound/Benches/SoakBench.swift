import SoundLab

/// Playing on a busy machine.
enum SoakBench {
    struct Findings {
        /// Places in the recording at which a frame is not followed by the next, for each minute.
        var gaps: [Double] = []
        /// Underruns that Tacet told of itself.
        var told = 0
    }

    static func run(_ contestant: Contestant, minutes: Int, on stage: Stage) throws -> Findings {
        let peer = try contestant.perform(Array(repeating: stage.numbers, count: minutes / 2 + 1), on: stage)
        defer { peer.quit() }
        let loops = try (0..<2).map { _ in try Subprocess(["sh", "-c", "while :; do :; done"]) }
        defer { loops.forEach { $0.end() } }
        var findings = Findings()
        // Each minute on a tape of its own: ten minutes of samples take more memory than they are worth.
        for _ in 0..<minutes {
            let recording = try Recording(stage.server)
            try Stage.pass(.seconds(60))
            findings.gaps.append(Double(gaps(in: recording.finish())))
        }
        findings.told = try (peer as? TacetPeer)?.underruns() ?? 0
        return findings
    }

    /// A track's end is followed by its start.
    private static func gaps(in samples: [Int32]) -> Int {
        let runs = NumberedRun.all(in: samples)
        return zip(runs, runs.dropFirst()).filter { before, after in
            before.end != after.start || before.next != Stage.trackFrames + 1 || after.number != 1
        }.count
    }
}
