import Glibc

func complain(_ text: String) {
    let line = Array((text + "\n").utf8)
    _ = write(STDERR_FILENO, line, line.count)
}

let arguments = CommandLine.arguments.dropFirst()
guard let music = arguments.first, arguments.count == 1 else {
    complain("Usage: tacet-bench MUSIC (a folder or an M3U of at least an hour; `make bench` makes one)")
    exit(64)
}
do {
    try SoundBench.run()
    try VoiceBench.run()
    try ResamplerBench.run()
    try LiveBench.run()
    ExplorationBench.run()
    try RehearsalBench.run(music: music)
} catch {
    complain("\(error)")
    exit(1)
}
