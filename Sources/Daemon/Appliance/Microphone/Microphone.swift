import ALSA
import Threads

/// Mutes the capture of the sound card on a separate thread, because a mixer may block. Use it on the control thread
/// only.
final class Microphone {
    enum Outcome: Hashable, Sendable {
        case turned(isMuted: Bool)
        /// The operation failed for this reason.
        case failed(String)

        var isFailure: Bool { trouble != nil }

        /// A description of the problem, or nil after a success.
        var trouble: String? {
            if case .failed(let reason) = self { "The microphone cannot be muted or turned on: \(reason)" } else { nil }
        }
    }

    private struct Mixer: MailboxWorker {
        struct Request {
            let address: PCMAddress
            let isMuted: Bool
        }

        let turn: @Sendable (PCMAddress, Bool) -> Outcome

        func handle(_ request: Request) -> MailboxReply<Outcome> { .done(turn(request.address, request.isMuted)) }
    }

    /// The address of the mixer's control.
    private var address: PCMAddress
    /// True if the microphone must be muted, or nil before the first call to `set`.
    private var isMuted: Bool?
    private let mixer: MailboxThread<Mixer.Request, Outcome>

    /// - Parameters:
    ///   - address: The address of the control to use until the card is known.
    ///   - turn: Mutes (`true`) or unmutes the capture of a card. It is called on the microphone's thread.
    init(_ address: PCMAddress, turn: @escaping @Sendable (PCMAddress, Bool) -> Outcome = Microphone.turn) {
        self.address = address
        mixer = MailboxThread(
            "tacet-mixer", unavailable: .failed("the system cannot start another thread: raise TasksMax=")
        ) { Mixer(turn: turn) }
    }

    /// A descriptor that is readable when an outcome is available.
    var descriptor: Int32 { mixer.descriptor }

    func set(isMuted: Bool) {
        self.isMuted = isMuted
        send()
    }

    /// Uses the mixer of the card on which the music is played.
    ///
    /// The switch is set again, because this may be another card or one that was removed in the meantime.
    /// - Parameter card: The number of the card, or nil if the device is not a card.
    func use(card: Int?) {
        if let card { address = PCMAddress("hw:\(card)") }
        send()
    }

    func takeOutcome() -> Outcome? { mixer.takeOutcome() }

    private func send() {
        if let isMuted { mixer.send(Mixer.Request(address: address, isMuted: isMuted)) }
    }

    private static func turn(_ address: PCMAddress, isMuted: Bool) -> Outcome {
        do throws(PCMError) {
            let count = try CardMixer.open(address).turnCapture(on: !isMuted)
            return count > 0
                ? .turned(isMuted: isMuted) : .failed("the mixer of \(address.name) has no capture switch")
        } catch {
            return .failed("\(error)")
        }
    }
}
