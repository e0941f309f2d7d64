import CRealTime
import Glibc
import SoundLab

/// Measures the control of Tacet. It compares the latency from a command to the audible change with that of MPD, and
/// sends a flood of commands.
struct ControlBench {
    let rig: SoundRig
    let tacetd: String
    let tacet: String
    private static let times = 25

    func run() throws {
        Table.head("`tacetd` and MPD on a PulseAudio null sink; each command starts a program")
        let stalls = StallDetector()
        let daemon = try TacetDaemon(tacetd, on: rig)
        let tacet = try react(
            daemon, [self.tacet, "pause", "--bus=user"], [self.tacet, "play", "--bus=user"])
        let playerctl = try react(
            daemon, ["playerctl", "--player=tacet", "pause"], ["playerctl", "--player=tacet", "play"])
        daemon.quit()
        let mpd = try MPDPlayer([rig.numbers], on: rig)
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
        noteMachine(stalls)
        try flood()
    }

    private func react(
        _ daemon: TacetDaemon?, _ pause: [String], _ resume: [String]
    ) throws -> InterruptionBench.Findings {
        let environment = daemon?.environment ?? rig.server.environment
        func give(_ command: [String]) throws -> Int {
            daemon?.listen()
            let time = Int(realtime_now())
            let status = try Subprocess(command, environment: environment, errors: STDERR_FILENO).wait()
            guard status == 0 else { throw RigError("‘\(command.joined(separator: " "))’ failed") }
            return time
        }
        let recording = try Recording(rig.server)
        return try InterruptionBench.interrupt(Self.times, recording, { try give(pause) }, { try give(resume) })
    }

    private func flood() throws {
        let stalls = StallDetector()
        let daemon = try TacetDaemon(tacetd, on: rig)
        defer { daemon.quit() }
        let findings = try Flood(daemon).run()
        Table.heading("\(Flood.rate) commands per second for \(Flood.seconds) s, from one client on the bus")
        Table.note("answers, per second", "\(findings.answered), \(findings.answered * 1000 / findings.milliseconds)")
        Table.note("answers out of order, or wrong", "\(findings.outOfOrder), \(findings.wrong)")
        Table.note("final state matches the commands", findings.endsAsRequested ? "yes" : "no: \(findings.end)")
        Table.row("answer after, ms", Sample(findings.delays), nil, digits: 2)
        Table.note("underruns reported", "\(findings.underruns)")
        let memory = findings.memory.map { "\(Table.decimals(Double($0) / 0x1p20, 1))" }
        Table.note("memory (PSS), MiB, every 15 s", memory.joined(separator: ", "))
        let gap = Int(findings.longestWatchdogGap / .milliseconds(1))
        let interval = Int(TacetDaemon.watchdogInterval / .milliseconds(1))
        Table.note("watchdog fed at least every", "\(gap) ms (of \(interval) ms)")
        noteMachine(stalls)
    }

    private func noteMachine(_ stalls: StallDetector) {
        let worst = Int(stalls.worst / .milliseconds(1))
        Table.note("a processor stalled for > 8 ms", "\(stalls.count) times, for \(worst) ms at worst")
        let load = (try? TextFile.read("/proc/loadavg"))?.split(separator: " ").first
        Table.note("load average", load.map(String.init) ?? "–")
    }
}
