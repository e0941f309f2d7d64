import AudioSession

extension KeyTable {
    static let output: [Key<OutputSettings>] =
        place() + [
            Key(
                "Drive", \.drive, .choice(),
                """
                Specifies how the line is driven. With push-pull, Tacet drives both levels. With open-drain, it \
                drives only the low level, and with open-source, only the high level. A resistor must then provide \
                the other level.
                """),
            Key(
                "Means", optional: \.meaning, .choice(OutputMeaning.all, named: \.name),
                withoutValue: .required,
                """
                Specifies when the output is asserted. \(meanings) If Tacet crashes or is killed, tacet.service \
                deasserts the output, as described at the beginning of this section. Without that service, the kernel \
                decides what happens to the line.
                """),
            Key(
                "Lead", \.lead, .time(.zero ... .seconds(10)),
                """
                Specifies how long before the first sound the amplifier is turned on, if Means=amplifier is set. \
                Music, cues and announcements wait for it, but silence never does. Nothing waits while the amplifier \
                is still on.
                """),
            Key(
                "Lag", \.lag, .time(.zero ... .seconds(86_400)),
                "Specifies how long after the last sound the amplifier is turned off, if Means=amplifier is set."),
        ]

    private static let meanings = OutputMeaning.all.map { "With \($0.name), it is asserted \($0.summary)." }.joined(
        separator: " ")

    /// The keys of a line that is read, which an output does not have.
    static let unsupportedInOutputs = Dictionary(
        uniqueKeysWithValues: [
            "Poll", "Debounce", "ReleaseDelay", "ChatterLimit", "ChatterWindow", "LostGrace", "WhenLost",
        ].map {
            ($0, "an output is driven, not read")
        })
}
