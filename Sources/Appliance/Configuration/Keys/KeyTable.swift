/// Every key there is. Reading, suggestions and the check of the vendor's file all come from here.
enum KeyTable {
    static let session: [Key<Configuration>] = [
        Key("Category", \.session.category, .choice(refused: AppleNames.categories)),
        Key("Mode", \.session.mode, .choice(refused: AppleNames.modes)),
        Key("Options", \.session.options, .options),
        Key(
            "PrefersNoInterruptionsFromSystemAlerts", \.session.prefersNoInterruptionsFromSystemAlerts, .boolean),
        Key("PlaybackInterface", \.session.hasPlaybackInterface, .boolean),
        Key("ResumeAfterReset", \.session.resumesAfterReset, .boolean),
        Key("PauseOnRouteLoss", \.session.pausesOnRouteLoss, .boolean),
        Key("ResumeDelay", \.session.resumeDelay, .time(.zero ... .seconds(3_600))),
    ]

    static let playback: [Key<Configuration>] = [
        Key("Device", \.playback.device, .text(upTo: 255)),
        Key("Library", optional: \.playback.library, .text(upTo: 4000)),
        Key("AutoPlay", \.session.autoPlay, .playingOrStopped),
        Key(
            "Repeat", \.session.repeats,
            .choice(
                ["none": .none, "track": .track, "playlist": .playlist],
                synonyms: ["one": .track, "all": .playlist])),
        Key("Shuffle", \.playback.shuffle, .boolean),
        Key("Volume", \.session.volume, .level),
        Key("FadeOut", \.playback.fadeOut, .time(ramp)),
        Key("FadeIn", \.playback.fadeIn, .time(ramp)),
        Key("DuckAttack", \.playback.duckAttack, .time(ramp)),
        Key("DuckRelease", \.playback.duckRelease, .time(ramp)),
        Key("ResumeRewind", \.playback.resumeRewind, .time(.zero ... .seconds(300))),
        Key("CloseAfter", \.playback.closeAfter, .limit(.zero...year)),
    ]

    static let signal: [Key<SignalSettings>] =
        line() + loss + [
            Key("Effect", optional: \.effect, .choice()),
            Key("DuckLevel", \.duckLevel, .level),
            Key("Resume", \.resume, .choice()),
            Key("ResumeWithin", \.resumeWithin, .limit(.zero...year)),
            Key("Alert", \.isAlert, .boolean),
            Key("StuckAfter", \.line.stuckAfter, .limit(.milliseconds(100)...year)),
            Key("WhenStuck", \.whenStuck, .choice()),
        ]

    static let button: [Key<ButtonSettings>] =
        line() + [
            Key("Command", optional: \.command, .command)
        ]

    static let state: [Key<Configuration>] = [
        Key("Directory", \.state.directory, .text(upTo: 4000)),
        Key("Interval", \.state.interval, .time(.milliseconds(100) ... .seconds(3_600))),
    ]

    /// Keys that somebody may expect in a section, and why they are not there.
    static let refused: [SectionKind: [String: String]] = [
        .signal: ["Cue": "cue sounds are not there yet: a signal cannot have a sound of its own"],
        .button: Dictionary(
            uniqueKeysWithValues: loss.map {
                ($0.name, "a button whose line is lost is not pressed, whatever it was before")
            }),
    ]

    /// What becomes of a signal whose line is lost.
    private static let loss: [Key<SignalSettings>] = [
        Key("LostGrace", \.line.lostGrace, .time(.zero ... .seconds(86_400))),
        Key("WhenLost", \.line.whenLost, .choice()),
    ]

    static func names(of section: SectionKind) -> [String] {
        switch section {
        case .session: session.map(\.name)
        case .playback: playback.map(\.name)
        case .signal: signal.map(\.name)
        case .button: button.map(\.name)
        case .state: state.map(\.name)
        case .health: []
        }
    }

    /// What every section with a line has.
    private static func line<Settings: WiredSettings>() -> [Key<Settings>] {
        [
            Key("Enabled", \.isEnabled, .boolean),
            // The kernel's names of lines have at most 31 bytes.
            Key("Line", optional: \.wiring.line, .text(upTo: 31)),
            Key("Chip", optional: \.wiring.chip, .text(upTo: 255)),
            Key("Offset", optional: \.wiring.offset, .count(0...65_535)),
            Key("ActiveLow", \.line.isActiveLow, .boolean),
            Key("Bias", \.wiring.bias, .choice()),
            Key("Debounce", \.line.debounce, .time(.zero ... .seconds(10))),
            Key("ReleaseDelay", \.line.releaseDelay, .time(.zero ... .seconds(3_600))),
            Key("ChatterLimit", \.line.chatterLimit, .count(2...10_000)),
            Key("ChatterWindow", \.line.chatterWindow, .time(.milliseconds(10) ... .seconds(60))),
        ]
    }

    private static let ramp = Duration.zero ... .seconds(10)
    private static let year = Duration.seconds(365 * 86_400)
}
