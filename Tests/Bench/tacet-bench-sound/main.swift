import Glibc

func complain(_ text: String) {
    let line = Array((text + "\n").utf8)
    _ = write(STDERR_FILENO, line, line.count)
}

let arguments = Array(CommandLine.arguments.dropFirst())
let soak = arguments.count == 3 ? Int(arguments[2]) : nil
let liveSeconds = arguments.count == 2 && arguments[0] == "--live" ? Int(arguments[1]) : nil
let isControl = arguments.count == 3 && arguments[0] == "--control"
guard arguments.count == 2 || isControl || soak.map({ $0 > 0 }) == true else {
    complain("Usage: tacet-bench-sound PLAYER MUSIC [SOAK] (tacet-bench-player, some FLACs at 44.1 kHz, minutes)")
    complain("       tacet-bench-sound --control TACETD TACET")
    complain("       tacet-bench-sound --live SECONDS")
    exit(64)
}
// Writing to a player that has died must be an error and must not kill this process.
signal(SIGPIPE, SIG_IGN)
SoundRig.blockSignals()
do {
    if let liveSeconds {
        try LiveBench(rig: SoundRig(), seconds: liveSeconds).run()
    } else if isControl {
        try ControlBench(rig: SoundRig(), tacetd: arguments[1], tacet: arguments[2]).run()
    } else {
        let comparison = try Comparison(rig: SoundRig(playerProgram: arguments[0], music: arguments[1]))
        if let soak { try comparison.runSoak(minutes: soak) } else { try comparison.run() }
    }
} catch {
    complain("\(error)")
    exit(1)
}
