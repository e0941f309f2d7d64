// A kiosk screen that freezes during an interruption and dims while the music is ducked.
import Glibc
import SessionClient

/// Prints a line at once, even into a pipe.
func show(_ line: String) {
    print(line)
    fflush(nil)
}

guard CommandLine.arguments.count == 1 else {
    show("Usage: kiosk-screen\n\nPrints what the screen of a kiosk would do while Tacet interrupts or ducks the music.")
    exit(CommandLine.arguments.dropFirst() == ["--help"] ? 0 : 64)
}
show("Waiting for notifications from Tacet. Press Ctrl-C to stop.")
let session = SessionClient()
for await notification in session.notifications() {
    switch notification {
    case .began: show("screen frozen")
    case .ended: show("screen running")
    case .duckBegan(let level), .duckChanged(let level): show("screen dimmed: music ducked to \(level) dB")
    case .duckEnded: show("screen bright")
    case .mediaServicesWereLost: show("screen shows “no sound”")
    default: break
    }
}
