import AudioSession

extension KeyTable {
    static let output: [Key<OutputSettings>] =
        place() + [
            Key(
                "Drive", \.drive, .choice(), since: "0.9.0",
                """
                How the line is driven: push-pull to both levels, open-drain only low, open-source only high. The other \
                level then comes from a resistor.
                """),
            Key(
                "Means", optional: \.meaning, .choice(OutputMeaning.all, named: \.name),
                withoutValue: "none (required)", since: "0.9.0",
                """
                When the output is asserted. \(meanings) When Tacet dies, tacet.service drops the relay of healthy, as \
                the beginning of this section says; without that service, it depends on the kernel.
                """),
            Key(
                "Lead", \.lead, .time(.zero ... .seconds(10)), since: "0.9.0",
                """
                For Means=amplifier: how long before the first sound the amplifier is turned on. Music, cues and \
                announcements wait for it; silence never does. While the amplifier is still on, nothing waits.
                """),
            Key(
                "Lag", \.lag, .time(.zero ... .seconds(86_400)), since: "0.9.0",
                "For Means=amplifier: how long after the last sound the amplifier is turned off."),
        ]

    private static let meanings = OutputMeaning.all.map { "\($0.name): \($0.summary)." }.joined(separator: " ")

    /// The keys of a line that is read, which an output does not have.
    static let unsupportedInOutputs = Dictionary(
        uniqueKeysWithValues: ["Debounce", "ReleaseDelay", "ChatterLimit", "ChatterWindow", "LostGrace", "WhenLost"].map
        {
            ($0, "an output is driven, not read")
        })
}
