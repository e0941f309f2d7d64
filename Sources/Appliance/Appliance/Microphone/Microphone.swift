import ALSA
import Synchronization
import Threads

/// Mutes what the sound card records, on a thread of its own, as a mixer may take its time; the newest wish wins.
final class Microphone: Sendable {
    enum Outcome: Hashable, Sendable {
        case turned(isMuted: Bool)
        /// It could not be: why.
        case failed(String)

        var isFailure: Bool { trouble != nil }

        /// In words; nil where there is none.
        var trouble: String? {
            if case .failed(let reason) = self { "The microphone cannot be muted or turned on: \(reason)" } else { nil }
        }
    }

    private struct Desk {
        /// The mixer's control.
        var address: PCMAddress
        /// What it is to be; nil before it is told.
        var wish: Bool?
        /// Whether the thread has something to do.
        var isNew = false
        var outcome: Outcome?
        var quits = false
    }

    private let desk: Mutex<Desk>
    private let bell = WakeUp()
    private let news = WakeUp()

    /// - Parameter address: of the control to try, until the card is known.
    init(_ address: PCMAddress) {
        desk = Mutex(Desk(address: address))
        if NativeThread("tacet-mixer", { [self] in run() }) == nil { post(.failed("the system has no more threads")) }
    }

    // MARK: For control

    /// Readable when there is an outcome.
    var descriptor: Int32 { news.descriptor }

    func set(isMuted: Bool) {
        change { $0.wish = isMuted }
    }

    /// The sound comes out of this card, if it is one: its mixer has the microphone. What it was told it is told again, as
    /// it may be another one, or have been away.
    func use(card: Int?) {
        change { desk in
            if let card { desk.address = PCMAddress("hw:\(card)") }
        }
    }

    func takeOutcome() -> Outcome? {
        news.wait(.zero)
        return desk.withLock { desk in
            defer { desk.outcome = nil }
            return desk.outcome
        }
    }

    /// Ends the thread when it has done what it was told.
    func quit() {
        desk.withLock { $0.quits = true }
        bell.ring()
    }

    private func change(_ body: (inout sending Desk) -> Void) {
        desk.withLock { desk in
            body(&desk)
            desk.isNew = desk.wish != nil
        }
        bell.ring()
    }

    // MARK: The thread

    private func run() {
        while true {
            let (address, wish, quits) = desk.withLock { desk in
                defer { desk.isNew = false }
                return (desk.address, desk.isNew ? desk.wish : nil, desk.quits)
            }
            if let wish {
                post(turn(address, isMuted: wish))
            } else if quits {
                return
            } else {
                bell.wait(nil)
            }
        }
    }

    private func post(_ outcome: Outcome) {
        desk.withLock { $0.outcome = outcome }
        news.ring()
    }

    private func turn(_ address: PCMAddress, isMuted: Bool) -> Outcome {
        do throws(PCMError) {
            let count = try CaptureSwitches.open(address).turn(on: !isMuted)
            return count > 0
                ? .turned(isMuted: isMuted) : .failed("the mixer of \(address.name) has no capture switch")
        } catch {
            return .failed("\(error)")
        }
    }
}
