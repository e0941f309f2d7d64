import SoundLab

/// Pauses and resumes, in the recording of a track whose frames carry their own numbers.
enum InterruptionBench {
    struct Findings {
        /// Milliseconds from a command to the first sample at the monitor that is another for it.
        var pause: [Double] = []
        var resume: [Double] = []
        /// Frames lost (more than 0) or repeated (less) by a pause and a resume.
        var lost: [Double] = []
        /// Underruns that Tacet told of itself: its queue, and so the time a command takes, grows with each.
        var told = 0
    }

    /// Tacet fades out, and resumes without a fade-in, for the first number that is heard to be known.
    static func run(_ contestant: Contestant, _ count: Int, on stage: Stage) throws -> Findings {
        let recording = try Recording(stage.server)
        let peer = try contestant.perform([stage.numbers], on: stage)
        defer { peer.quit() }
        var findings = try interrupt(count, recording, peer.pause, peer.resume)
        findings.told = try (peer as? TacetPeer)?.underruns() ?? 0
        return findings
    }

    /// Pauses and resumes what is heard.
    /// - Parameters pause, resume: give the command, and say when.
    static func interrupt(
        _ count: Int, _ recording: Recording, _ pause: () throws -> Int, _ resume: () throws -> Int
    ) throws -> Findings {
        try recording.waitForSound()
        var commands: [(pause: Int, resume: Int)] = []
        for turn in 0..<count {
            // Never in step with anybody's periods.
            try Stage.pass(.milliseconds(500 + turn * 37 % 101))
            let paused = try pause()
            try Stage.pass(.milliseconds(300 + turn * 53 % 97))
            commands.append((paused, try resume()))
        }
        try Stage.pass(.milliseconds(1500))
        let runs = NumberedRun.all(in: recording.finish())
        return evaluate(commands, runs, recording)
    }

    private static func evaluate(
        _ commands: [(pause: Int, resume: Int)], _ runs: [NumberedRun], _ recording: Recording
    ) -> Findings {
        let ends = runs.map { recording.time(ofFrame: $0.end) ?? 0 }
        let starts = runs.map { recording.time(ofFrame: $0.start) ?? 0 }
        var findings = Findings()
        for command in commands {
            guard let before = ends.firstIndex(where: { $0 >= command.pause }),
                let after = starts.firstIndex(where: { $0 >= command.resume })
            else { continue }
            findings.pause.append(Double(ends[before] - command.pause) / 1e6)
            findings.resume.append(Double(starts[after] - command.resume) / 1e6)
            findings.lost.append(Double(runs[after].number - runs[before].next))
        }
        return findings
    }
}
