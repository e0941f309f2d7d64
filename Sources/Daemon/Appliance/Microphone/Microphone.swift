import ALSA
import Threads

/// Mutes what the sound card records, on a thread of its own because a mixer can block. For control's thread.
final class Microphone {
    enum Outcome: Hashable, Sendable {
        case turned(isMuted: Bool)
        /// Contains the reason.
        case failed(String)

        var isFailure: Bool { trouble != nil }

        /// In words; nil after a success.
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

    /// Of the mixer's control.
    private var address: PCMAddress
    /// nil before the first call of `set`.
    private var isMuted: Bool?
    private let mixer: MailboxThread<Mixer.Request, Outcome>

    /// - Parameters:
    ///   - address: of the control to use until the card is known.
    ///   - turn: mutes (`true`) or unmutes what a card records; called on the microphone's thread.
    init(_ address: PCMAddress, turn: @escaping @Sendable (PCMAddress, Bool) -> Outcome = Microphone.turn) {
        self.address = address
        mixer = MailboxThread(
            "tacet-mixer", unavailable: .failed("the system has no more threads: raise TasksMax")
        ) { Mixer(turn: turn) }
    }

    /// Readable when there is an outcome.
    var descriptor: Int32 { mixer.descriptor }

    func set(isMuted: Bool) {
        self.isMuted = isMuted
        send()
    }

    /// Uses the mixer of the card on which the music is played.
    ///
    /// The switch is set again, because this may be another card, or one that was removed in the meantime.
    /// - Parameter card: nil: the device is not a card.
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
            let count = try CaptureSwitches.open(address).turn(on: !isMuted)
            return count > 0
                ? .turned(isMuted: isMuted) : .failed("the mixer of \(address.name) has no capture switch")
        } catch {
            return .failed("\(error)")
        }
    }
}
