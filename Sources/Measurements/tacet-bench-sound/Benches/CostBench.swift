import Glibc

/// What playing costs, and what it costs not to play.
enum CostBench {
    struct Cost {
        /// Share of a core in per cent, MiB, and waits per second, in each of some stretches of time.
        var processor: [Double] = []
        var memory: [Double] = []
        var wakeUps: [Double] = []
    }

    static func run(_ contestant: Contestant, on stage: Stage) throws -> (playing: Cost, paused: Cost) {
        let peer = try contestant.perform(stage.music.prefix(2).map(\.path), on: stage)
        defer { peer.quit() }
        // Until what is read ahead is read, and all code has run once.
        try Stage.pass(.seconds(8))
        let playing = try measure(peer.pid, stretches: 10, of: .seconds(3))
        _ = try peer.pause()
        try peer.waitForRest()
        return (playing, try measure(peer.pid, stretches: 10, of: .seconds(2)))
    }

    private static func measure(_ pid: pid_t, stretches: Int, of duration: Duration) throws -> Cost {
        let figures = ProcessFigures(pid: pid)
        var cost = Cost()
        for _ in 0..<stretches {
            let start = ContinuousClock.now
            let (time, waits) = (try figures.processorTime(), try figures.waits())
            try Stage.pass(duration)
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
