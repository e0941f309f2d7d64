// A kiosk's screen: it freezes during an interruption and dims while the music is ducked.
import SessionClient

let session = SessionClient()
for await notification in session.notifications() {
    switch notification {
    case .began: print("screen frozen")
    case .ended: print("screen running")
    case .duckBegan(let level), .duckChanged(let level): print("screen dimmed: music ducked to \(level) dB")
    case .duckEnded: print("screen bright")
    case .mediaServicesWereLost: print("screen shows “no sound”")
    default: break
    }
}
