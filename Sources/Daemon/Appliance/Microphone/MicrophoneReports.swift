/// Which outcomes of the microphone's mixer are reported, to health and journal alike. Pure.
///
/// The card is known only when the sound device has been opened, or cannot be opened. A failure before that is held back,
/// because it may concern another card.
struct MicrophoneReports: Hashable {
    private var isCardKnown = false
    private var held: Microphone.Outcome?

    /// - Returns: what to report now.
    mutating func take(_ outcome: Microphone.Outcome) -> Microphone.Outcome? {
        guard isCardKnown || !outcome.isFailure else {
            held = outcome
            return nil
        }
        held = nil
        return outcome
    }

    /// The device has been opened: the mixer of its card is tried next.
    mutating func opened() {
        isCardKnown = true
        held = nil
    }

    /// The device cannot be opened: there is no other card to wait for.
    /// - Returns: what to report now.
    mutating func lost() -> Microphone.Outcome? {
        isCardKnown = true
        defer { held = nil }
        return held
    }
}
