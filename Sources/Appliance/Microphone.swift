import ALSA
import Synchronization
import Threads

/// Mutes what the sound card records, on a thread of its own, as a mixer may take its time; the newest wish wins.
final class Microphone: Sendable {
    private struct Desk {
        var isMuted: Bool?
        var quits = false
    }

    private let address: PCMAddress
    private let desk = Mutex(Desk())
    private let bell = WakeUp()

    /// - Parameter address: of the card's control.
    init(_ address: PCMAddress) {
        self.address = address
        if NativeThread("tacet-mixer", { [self] in run() }) == nil { tell("the system has no more threads") }
    }

    func set(isMuted: Bool) {
        desk.withLock { $0.isMuted = isMuted }
        bell.ring()
    }

    /// Ends the thread when it has done what it was told.
    func quit() {
        desk.withLock { $0.quits = true }
        bell.ring()
    }

    private func run() {
        var last = false
        while true {
            let (wish, quits) = desk.withLock { desk in
                defer { desk.isMuted = nil }
                return (desk.isMuted, desk.quits)
            }
            if let wish {
                let hasDone = turn(isMuted: wish)
                // Every start sets it: that is no news.
                if hasDone, wish != last {
                    JournalWriter.write(JournalEntry(.microphone, "The microphone is \(wish ? "mute" : "on again")."))
                }
                last = wish
            } else if quits {
                return
            } else {
                bell.wait(nil)
            }
        }
    }

    private func turn(isMuted: Bool) -> Bool {
        do throws(PCMError) {
            let count = try CaptureSwitches.open(address).turn(on: !isMuted)
            if count == 0 { tell("the mixer of \(address.name) has no capture switch") }
            return count > 0
        } catch {
            tell("\(error)")
            return false
        }
    }

    private func tell(_ reason: String) {
        JournalWriter.write(
            JournalEntry(.microphone, "The microphone cannot be muted or turned on: \(reason).", priority: .error))
    }
}
