import Glibc

func complain(_ text: String) {
    let line = Array((text + "\n").utf8)
    _ = write(STDERR_FILENO, line, line.count)
}

let arguments = Array(CommandLine.arguments.dropFirst())
let soak = arguments.count == 3 ? Int(arguments[2]) : nil
let isControl = arguments.count == 3 && arguments[0] == "--control"
guard arguments.count == 2 || isControl || soak.map({ $0 > 0 }) == true else {
    complain("Usage: tacet-bench-sound PLAYER MUSIC [SOAK] (tacet-bench-player, some FLACs at 44.1 kHz, minutes)")
    complain("       tacet-bench-sound --control TACETD TACET")
    exit(64)
}
// A player that has died shall be an error and not the end.
signal(SIGPIPE, SIG_IGN)
Stage.holdSignals()
do {
    if isControl {
        try ControlBench(stage: Stage(), tacetd: arguments[1], tacet: arguments[2]).run()
    } else {
        try Comparison(Stage(player: arguments[0], music: arguments[1]), soak: soak).run()
    }
} catch {
    complain("\(error)")
    exit(1)
}
