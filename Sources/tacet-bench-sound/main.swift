import Glibc

func complain(_ text: String) {
    let line = Array((text + "\n").utf8)
    _ = write(STDERR_FILENO, line, line.count)
}

let arguments = CommandLine.arguments
let soak = arguments.count == 4 ? Int(arguments[3]) : nil
guard arguments.count == 3 || soak.map({ $0 > 0 }) == true else {
    complain("Usage: tacet-bench-sound PLAYER MUSIC [SOAK] (tacet-bench-player, some FLACs at 44.1 kHz, minutes)")
    exit(64)
}
// A player that has died shall be an error and not the end.
signal(SIGPIPE, SIG_IGN)
Stage.holdSignals()
do {
    try Comparison(Stage(player: arguments[1], music: arguments[2]), soak: soak).run()
} catch {
    complain("\(error)")
    exit(1)
}
