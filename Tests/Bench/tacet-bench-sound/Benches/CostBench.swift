import Glibc

/// Measures the cost of playback and of a pause.
enum CostBench {
    struct Cost {
        /// The processor time in percent of a core, with one value per measured interval. `memory` is in MiB, and
        /// `wakeUps` are waits per second.
        var processor: [Double] = []
        var memory: [Double] = []
        var wakeUps: [Double] = []
    }

    static func run(_ contestant: Contestant, on rig: SoundRig) throws -> (playing: Cost, paused: Cost) {
        let player = try contestant.start(rig.music.prefix(2).map(\.path), on: rig)
        defer { player.quit() }
        // Before the measurement, the player fills the read-ahead buffer and executes all code once.
        try SoundRig.sleep(.seconds(8))
        let playing = try measure(player.pid, stretches: 10, of: .seconds(3))
        _ = try player.pause()
        try player.waitUntilIdle()
        return (playing, try measure(player.pid, stretches: 10, of: .seconds(2)))
    }

    private static func measure(_ pid: pid_t, stretches: Int, of duration: Duration) throws -> Cost {
        let figures = ProcessFigures(pid: pid)
        var cost = Cost()
        for _ in 0..<stretches {
            let start = ContinuousClock.now
            let (time, waits) = (try figures.processorTime(), try figures.waits())
            try SoundRig.sleep(duration)
            let (newTime, newWaits) = (try figures.processorTime(), try figures.waits())
            let seconds = (ContinuousClock.now - start) / .seconds(1)
            cost.processor.append(Double(newTime - time) / seconds / 1e7)
            let woken = newWaits.reduce(0) { $0 + $1.value - (waits[$1.key] ?? 0) }
            cost.wakeUps.append(Double(woken) / seconds)
            cost.memory.append(Double(try figures.memory()) / 0x1p20)
        }
        return cost
    }
}
