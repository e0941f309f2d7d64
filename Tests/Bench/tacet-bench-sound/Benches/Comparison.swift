import SoundLab

/// Compares Tacet's real-time engine and MPD, which play to the same sink one after the other.
struct Comparison {
    private static let interruptions = 25
    private static let deaths = 10

    let rig: SoundRig

    /// Measures everything, including a minute on a busy machine.
    func run() throws {
        Table.head("Tacet's engine and MPD on a PulseAudio null sink")
        try interrupt()
        try jump()
        try weigh()
        try soak(minutes: 1)
        try die()
    }

    /// Plays on a busy machine and measures nothing else.
    func runSoak(minutes: Int) throws {
        Table.head("Tacet's engine and MPD on a PulseAudio null sink")
        try soak(minutes: minutes)
    }

    private func interrupt() throws {
        let stalls = StallDetector()
        let tacet = try InterruptionBench.run(.tacet, Comparison.interruptions, on: rig)
        let mpd = try InterruptionBench.run(.mpd, Comparison.interruptions, on: rig)
        Table.heading("From a command to the first changed sample, ms")
        Table.row(
            "pause, \(Comparison.interruptions) times", Sample(tacet.pause), Sample(mpd.pause),
            goal: "≤ 18 (queue + period)")
        Table.row("resume", Sample(tacet.resume), Sample(mpd.resume), goal: "≤ 18 (queue + period)")
        Table.note("underruns reported by Tacet", "\(tacet.underruns)")
        let worst = Int(stalls.worst / .milliseconds(1))
        Table.note("a processor stalled for > 8 ms", "\(stalls.count) times, for \(worst) ms at worst")
        Table.heading("Frames lost (+) or repeated (-)")
        Table.row("by a pause and a resume", Sample(tacet.lost), Sample(mpd.lost), digits: 0, goal: "0")
    }

    private func jump() throws {
        let tacet = try JumpBench.run(.tacet, 10, on: rig)
        let mpd = try JumpBench.run(.mpd, 10, on: rig)
        Table.heading("Largest jump between two samples of a sine, as a share of its own largest")
        Table.row("at a pause or a resume, 20 times", Sample(tacet), Sample(mpd), digits: 4, goal: "≤ 1")
    }

    private func weigh() throws {
        let tacet = try CostBench.run(.tacet, on: rig)
        let mpd = try CostBench.run(.mpd, on: rig)
        Table.heading("Playing FLAC, 44.1 kHz to 48 kHz; 10 times 3 s")
        Table.row(
            "processor time, % of a core", Sample(tacet.playing.processor), Sample(mpd.playing.processor), digits: 2,
            goal: "≤ 0.8 of MPD's")
        Table.row(
            "memory (PSS), MiB", Sample(tacet.playing.memory), Sample(mpd.playing.memory), goal: "≤ 1/3 of MPD's")
        Table.row("wake-ups per second", Sample(tacet.playing.wakeUps), Sample(mpd.playing.wakeUps), goal: "≤ MPD's")
        Table.heading("Paused (Tacet has closed the device); 10 times 2 s")
        Table.row("wake-ups per second", Sample(tacet.paused.wakeUps), Sample(mpd.paused.wakeUps), goal: "about 0")
        Table.row(
            "processor time, % of a core", Sample(tacet.paused.processor), Sample(mpd.paused.processor), digits: 3)
        Table.row("memory (PSS), MiB", Sample(tacet.paused.memory), Sample(mpd.paused.memory))
    }

    private func soak(minutes: Int) throws {
        let tacet = try SoakBench.run(.tacet, minutes: minutes, on: rig)
        let mpd = try SoakBench.run(.mpd, minutes: minutes, on: rig)
        Table.heading("Gaps in the recording, beside two busy loops, \(minutes) min")
        Table.row("per minute", Sample(tacet.gaps), Sample(mpd.gaps), digits: 0, goal: "0")
        Table.note("underruns reported by Tacet", "\(tacet.underruns)")
    }

    private func die() throws {
        let tacet = try DeathBench.run(Comparison.deaths, on: rig)
        Table.heading("The sound server is killed and started again")
        Table.row(
            "frames lost; resumed \(tacet.count) of \(Comparison.deaths) times", Sample(tacet), nil, digits: 0,
            goal: "0")
        Table.note("MPD", try DeathBench.watchMPD(on: rig))
    }
}
