import SoundLab

/// Measures pauses and resumes in the recording of a track whose frames carry their own numbers.
enum InterruptionBench {
    struct Findings {
        /// The time in milliseconds from a command to the first changed sample at the monitor.
        var pause: [Double] = []
        var resume: [Double] = []
        /// The frames lost (more than 0) or repeated (less than 0) by a pause and a resume.
        var lost: [Double] = []
        /// The underruns that Tacet reported. Each lengthens its queue and therefore the latency of a command.
        var underruns = 0
    }

    /// Measures a contestant. Tacet fades out but resumes without a fade-in, so that the first frame number that is
    /// played can be read.
    static func run(_ contestant: Contestant, _ count: Int, on rig: SoundRig) throws -> Findings {
        let recording = try Recording(rig.server)
        let player = try contestant.start([rig.numbers], on: rig)
        defer { player.quit() }
        var findings = try interrupt(count, recording, player.pause, player.resume)
        findings.underruns = try (player as? TacetPlayer)?.underruns() ?? 0
        return findings
    }

    /// Pauses and resumes repeatedly while recording.
    /// - Parameters:
    ///   - pause: Sends the command and returns the time.
    ///   - resume: The same as `pause`.
    static func interrupt(
        _ count: Int, _ recording: Recording, _ pause: () throws -> Int, _ resume: () throws -> Int
    ) throws -> Findings {
        try recording.waitForSound()
        var commands: [(pause: Int, resume: Int)] = []
        for turn in 0..<count {
            // The waiting times vary, so that the commands are never in step with the device's periods.
            try SoundRig.sleep(.milliseconds(500 + turn * 37 % 101))
            let paused = try pause()
            try SoundRig.sleep(.milliseconds(300 + turn * 53 % 97))
            commands.append((paused, try resume()))
        }
        try SoundRig.sleep(.milliseconds(1500))
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
