import ALSA
import Systemd
import Threads

/// Reports whether the mixer of the card that plays makes it inaudible. Use it on the control thread only. None of its
/// methods block, because a separate thread reads the mixer.
final class OutputMixer {
    private struct Reader: MailboxWorker {
        let read: @Sendable (Int) -> DeviceAudibility

        func handle(_ card: Int) -> MailboxReply<Reading> { .done(Reading(card: card, audibility: read(card))) }
    }

    private struct Reading: Sendable {
        var card: Int
        var audibility: DeviceAudibility
    }

    private struct Followed {
        let number: Int
        let control: any HeldCard
        let sources: [EventSource]
    }

    private let system: any JackSystem
    private let loop: EventLoop
    private let reader: MailboxThread<Int, Reading>
    private var outcomes: EventSource?
    private var followed: Followed?
    /// Called with what the mixer of the card in use does, at first and after each change.
    var onChange: (DeviceAudibility) -> Void = { _ in }

    /// - Parameters:
    ///   - system: Opens the controls of cards.
    ///   - read: Reads the mixer of a card. It is called on the mixer's thread.
    init(
        _ system: any JackSystem, read: @escaping @Sendable (Int) -> DeviceAudibility, in loop: EventLoop
    ) throws(SystemdError) {
        self.system = system
        self.loop = loop
        reader = MailboxThread(
            "tacet-levels", lifetime: .whileBusy, unavailable: Reading(card: -1, audibility: .audible)
        ) { Reader(read: read) }
        outcomes = try loop.whenReadable(reader.descriptor) { [unowned self] in takeReading() }
    }

    /// Follows the mixer of the card that has been opened, or of none.
    /// - Parameter card: The number of the card, or nil if the device is closed or is not a card.
    func follow(card: Int?) {
        if card != followed?.number { followed = card.flatMap(open) }
        if let followed { reader.send(followed.number) }
    }

    /// Opens the control of a card, which reports changes of its mixer.
    private func open(card: Int) -> Followed? {
        guard let control = try? system.open(SoundCard(number: card, id: "")) else { return nil }
        let sources = control.descriptors.compactMap { descriptor in
            try? loop.whenReadable(descriptor) { [unowned self] in readEvents() }
        }
        return Followed(number: card, control: control, sources: sources)
    }

    /// Reads the mixer of a card. A mixer that cannot be read does not make the card inaudible.
    @Sendable static func read(card: Int) -> DeviceAudibility {
        do throws(PCMError) {
            return DeviceAudibility(try CardMixer.open(PCMAddress("hw:\(card)")).playbackControls, ofCard: card)
        } catch { return .audible }
    }

    private func readEvents() {
        guard let followed else { return }
        guard let hasChanged = try? followed.control.readEvents() else {
            // The card has been removed.
            self.followed = nil
            return
        }
        if hasChanged { reader.send(followed.number) }
    }

    private func takeReading() {
        guard let reading = reader.takeOutcome(), reading.card == followed?.number else { return }
        onChange(reading.audibility)
    }
}
