// A kiosk's screen: it stands still while something interrupts, and is dimmed while something is louder.
import SessionClient

let session = SessionClient()
for await notification in session.notifications() {
    switch notification {
    case .began: print("the screen stands still")
    case .ended: print("the screen moves on")
    case .duckBegan(let level), .duckChanged(let level): print("the screen is dimmed, as music is at \(level) dB")
    case .duckEnded: print("the screen is bright")
    case .mediaServicesWereLost: print("the screen shows that there is no sound")
    default: break
    }
}
