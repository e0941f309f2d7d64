/// Selects the outcomes of the microphone's mixer to report to the health and the journal. The type is pure.
///
/// The card is known only after the sound device has been opened or cannot be opened. An earlier failure is kept back,
/// because it may concern another card.
struct MicrophoneReports: Hashable {
    private var isCardKnown = false
    private var held: Microphone.Outcome?

    /// - Returns: The outcome to report now.
    mutating func take(_ outcome: Microphone.Outcome) -> Microphone.Outcome? {
        guard isCardKnown || !outcome.isFailure else {
            held = outcome
            return nil
        }
        held = nil
        return outcome
    }

    /// Records that the device has been opened. The mixer of its card is tried next.
    mutating func opened() {
        isCardKnown = true
        held = nil
    }

    /// Records that the device cannot be opened, so there is no other card to wait for.
    /// - Returns: The outcome to report now.
    mutating func lost() -> Microphone.Outcome? {
        isCardKnown = true
        defer { held = nil }
        return held
    }
}
