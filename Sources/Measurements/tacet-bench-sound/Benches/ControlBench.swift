import CRealTime
import Glibc
import SoundLab

/// Steering Tacet: from a command to what is heard, beside MPD; and more commands than anybody gives.
struct ControlBench {
    let stage: Stage
    let tacetd: String
    let tacet: String
    private static let times = 25

    func run() throws {
        Table.head("`tacetd` and MPD on a PulseAudio null sink, each command a program that is started for it")
        let seismograph = Seismograph()
        let daemon = try Daemon(tacetd, on: stage)
        let tacet = try react(
            daemon, [self.tacet, "pause", "--bus=user"], [self.tacet, "play", "--bus=user"])
        let playerctl = try react(
            daemon, ["playerctl", "--player=tacet", "pause"], ["playerctl", "--player=tacet", "play"])
        daemon.quit()
        let mpd = try MPDPeer([stage.numbers], on: stage)
        let mpc = try react(
            nil, ["mpc", "--quiet", "--host=\(mpd.socket)", "pause"],
            [
                "mpc", "--quiet", "--host=\(mpd.socket)", "play",
            ])
        mpd.quit()
        Table.heading("From the start of a command to the first changed sample, ms; \(Self.times) times each")
        Table.row("tacet pause, mpc pause", Sample(tacet.pause), Sample(mpc.pause))
        Table.row("playerctl pause, mpc pause", Sample(playerctl.pause), Sample(mpc.pause))
        Table.row("tacet play, mpc play", Sample(tacet.resume), Sample(mpc.resume))
        Table.row("playerctl play, mpc play", Sample(playerctl.resume), Sample(mpc.resume))
        noteMachine(seismograph)
        try flood()
    }

    private func react(
        _ daemon: Daemon?, _ pause: [String], _ resume: [String]
    ) throws -> InterruptionBench.Findings {
        let environment = daemon?.environment ?? stage.server.environment
        func give(_ command: [String]) throws -> Int {
            daemon?.listen()
            let time = Int(realtime_now())
            let status = try Subprocess(command, environment: environment, errors: STDERR_FILENO).wait()
            guard status == 0 else { throw BenchError("‘\(command.joined(separator: " "))’ fails") }
            return time
        }
        let recording = try Recording(stage.server)
        return try InterruptionBench.interrupt(Self.times, recording, { try give(pause) }, { try give(resume) })
    }

    private func flood() throws {
        let seismograph = Seismograph()
        let daemon = try Daemon(tacetd, on: stage)
        defer { daemon.quit() }
        let findings = try Flood(daemon).run()
        Table.heading("\(Flood.rate) commands a second for \(Flood.seconds) s, by one client of the bus")
        Table.note("commands, a second", "\(findings.answered), \(findings.answered * 1000 / findings.milliseconds)")
        Table.note("answers out of order, or wrong", "\(findings.outOfOrder), \(findings.wrong)")
        Table.note("the state is the last commands'", findings.isInTheEndAsAsked ? "yes" : "no: \(findings.end)")
        Table.row("answer after, ms", Sample(findings.delays), nil, digits: 2)
        Table.note("underruns told", "\(findings.underruns)")
        let memory = findings.memory.map { "\(Table.decimals(Double($0) / 0x1p20, 1))" }
        Table.note("memory (PSS), MiB, every 15 s", memory.joined(separator: ", "))
        Table.note(
            "watchdog fed at least every",
            "\(Int(findings.longestHunger / .milliseconds(1))) ms (of \(Int(Daemon.patience / .milliseconds(1))) ms)")
        noteMachine(seismograph)
    }

    private func noteMachine(_ seismograph: Seismograph) {
        let worst = Int(seismograph.worst / .milliseconds(1))
        Table.note("a processor stood still > 8 ms", "\(seismograph.count) times, for \(worst) ms at worst")
        let load = (try? TextFile.read("/proc/loadavg"))?.split(separator: " ").first
        Table.note("load average", load.map(String.init) ?? "–")
    }
}
