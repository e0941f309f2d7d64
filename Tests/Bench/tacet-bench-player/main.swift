import ALSA
import Glibc
import Playback

let arguments = CommandLine.arguments
guard arguments.count == 6, let fadeIn = Int(arguments[4]), let fadeOut = Int(arguments[5]) else {
    say("Usage: tacet-bench-player DEVICE DEFINITION MUSIC FADE-IN FADE-OUT (milliseconds)", on: STDERR_FILENO)
    exit(64)
}
do {
    let player = BenchPlayer(
        try Library.load(arguments[3]).tracks, on: PCMAddress(arguments[1], definedBy: arguments[2]),
        fadeIn: .milliseconds(fadeIn), fadeOut: .milliseconds(fadeOut))
    player.run()
} catch {
    say("\(error)", on: STDERR_FILENO)
    exit(1)
}
