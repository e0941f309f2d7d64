import Glibc

let arguments = Array(CommandLine.arguments.dropFirst())
do {
    switch arguments.count {
    case 1: try StateBench(folder: arguments[0]).run()
    // The benchmark runs itself in this way under strace, which counts the flushes.
    case 3: try StateBench(folder: arguments[0]).save(Int(arguments[2]) ?? 0, by: arguments[1])
    default: throw StateBenchError("Usage: tacet-bench-state FOLDER (on the disk to be measured)")
    }
} catch {
    let line = Array("\(error)\n".utf8)
    _ = write(STDERR_FILENO, line, line.count)
    exit(1)
}
