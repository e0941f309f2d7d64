import AudioSession

/// All keys, each with its documentation. The parser, the suggestions, tacet.conf(5) and the test of the vendor's file
/// use this table.
enum KeyTable {
    static let session: [Key<Configuration>] = [
        Key(
            "Category", \.session.category, .choice(unsupported: AppleNames.categories), since: "0.9.0",
            """
            What the session does. A muted microphone interrupts only a session that records (record, playAndRecord). \
            Apple's other categories arbitrate between apps that share a phone's output; here the signals' Effect= \
            does that, so their names are rejected.
            """),
        Key(
            "Mode", \.session.mode, .choice(unsupported: AppleNames.modes), since: "0.9.0",
            """
            The kind of music. With spokenAudio, a signal with Effect=duck pauses the music, because ducked \
            speech is missed speech.
            """),
        Key(
            "Options", \.session.options, .options, since: "0.9.0",
            "With overrideMutedMicrophoneInterruption, a muted microphone does not interrupt a session that records."),
        Key(
            "PrefersNoInterruptionsFromSystemAlerts", \.session.prefersNoInterruptionsFromSystemAlerts, .boolean,
            since: "0.9.0",
            """
            With yes, signals with Alert=yes do not interrupt; the journal shows them as suppressed, and their end has \
            no effect either.
            """),
        Key(
            "PlaybackInterface", \.session.hasPlaybackInterface, .boolean, since: "0.9.0",
            """
            Whether a user can start playback again: with a button, over the bus or on the command line. With no, \
            playback also resumes after an interruption whose end does not recommend it, because nobody else could \
            resume it.
            """),
        Key(
            "ResumeAfterReset", \.session.resumesAfterReset, .boolean, since: "0.9.0",
            """
            Whether playback resumes automatically when a lost sound device returns. With no, somebody must start it.
            """),
        Key(
            "PauseOnRouteLoss", \.session.pausesOnRouteLoss, .boolean, since: "0.9.0",
            """
            Whether playback pauses when the plug is pulled out of Jack=, or one of FallbackDevices= replaces a device \
            that disappeared while it was in use. A device that disappears without a replacement is a lost device \
            (ResumeAfterReset=).
            """),
        Key(
            "ResumeDelay", \.session.resumeDelay, .time(.zero ... .seconds(3_600)), since: "0.9.0",
            """
            Playback resumes only after nothing has interrupted it for this long, and returns to full level only after \
            nothing has ducked it for this long. This bridges the gap between a ring and its accepted call on two \
            wires. The begin of an interruption is never delayed.
            """),
    ]

    static let playback: [Key<Configuration>] = [
        Key(
            "Device", \.playback.device, .text(upTo: 255), since: "0.9.0",
            """
            ALSA's name of the output; ‘aplay -L’ lists the names. hw: reacts fastest, because all but the last 7 ms \
            of queued audio can be rewound; HDMI needs sysdefault:. A sound server in between adds its own delay.
            """),
        Key(
            "FallbackDevices", \.playback.fallbackDevices, .devices, since: "0.9.0",
            """
            The outputs to use instead while Device= cannot be opened, in order of preference. If the device in use \
            disappears, playback continues on the first of them that opens, with the frame last heard, or pauses \
            (PauseOnRouteLoss=). A device earlier in the order that returns is used again once it has been available \
            for a second; for longer, up to a minute, if it was soon lost again.
            """),
        Key(
            "Jack", optional: \.playback.jack, .text(upTo: 43), since: "0.9.0",
            """
            The jack of the output, by the name of ALSA's control, such as Headphone Jack; ‘tacet inputs’ lists the \
            jacks. It belongs to the card in Device=, or, if Device= names no card, to the only card with such a jack. \
            Pulling the plug pauses playback (PauseOnRouteLoss=). A jack that this board lacks is a fault in the health \
            report.
            """),
        Key(
            "Library", optional: \.playback.library, .text(upTo: 4000), since: "0.9.0",
            """
            The music: a folder, an M3U playlist or a single file, absolute or relative to the folder of the file that \
            sets it. AUDIO FORMATS lists what can be played. A track shorter than 20 ms counts as empty. The usual \
            folder is /srv/music. \
            A folder is read with at most 64 levels of folders in it. Hidden files, $RECYCLE.BIN and System Volume \
            Information are left out. A playlist has at most 4 MiB, and may name folders and other playlists. A name \
            in it that does not exist as written is also looked for with its percent encoding removed, in other \
            normalisations of Unicode, in code page 1252, and in other case. At most 250,000 files are read. New \
            files are found without a reload: when playback is quiet, otherwise at the end of the track; on disks that \
            do not report changes, such as a server's, at the end of the list. If nothing can be played yet, the \
            daemon looks again after 10 s, then less often, but at least once a \
            minute; a reload looks at once.
            """),
        Key(
            "AutoPlay", \.session.autoPlay, .playingOrStopped, since: "0.9.0",
            "Whether the first boot plays, when there is no saved state. A later boot continues as saved."),
        Key(
            "Repeat", \.session.repeats, .choice(synonyms: ["one": .track, "all": .playlist]), since: "0.9.0",
            """
            What repeats: the playlist, the track, or none. With none, the music stops after the last track. (Also \
            accepted: one for track, all for playlist.)
            """),
        Key(
            "Shuffle", \.playback.shuffle, .boolean, since: "0.9.0",
            """
            Whether the playlist is played in random order: a new one in each round. No track is played twice in a row.
            """),
        Key(
            "Volume", \.session.volume, .level, since: "0.9.0",
            "The level of the first boot. A later boot uses the saved level."),
        Key(
            "FadeOut", \.playback.fadeOut, .time(ramp), since: "0.9.0",
            "The ramp into silence. Playback resumes at the position where the fade-out began."),
        Key(
            "FadeIn", \.playback.fadeIn, .time(ramp), since: "0.9.0",
            "The ramp out of silence."),
        Key(
            "DuckAttack", \.playback.duckAttack, .time(ramp), since: "0.9.0",
            "The ramp down to a ducked level."),
        Key(
            "DuckRelease", \.playback.duckRelease, .time(ramp), since: "0.9.0",
            "The ramp up from a ducked level."),
        Key(
            "ResumeRewind", \.playback.resumeRewind, .time(.zero ... .seconds(300)), since: "0.9.0",
            """
            How far back playback continues after an interruption, a lost device or a boot; never before the start of \
            the track, nor before the position from which playback last continued.
            """),
        Key(
            "CloseAfter", \.playback.closeAfter, .limit(.zero...year), since: "0.9.0",
            """
            How long the device stays open, playing silence, before it is closed so that other programs can use it; \
            infinity: it is never closed. Some devices pop when they start or stop: a longer time makes that rarer.
            """),
    ]

    static let signal: [Key<SignalSettings>] =
        line() + sources + loss + [
            Key(
                "Effect", optional: \.effect, .choice(Effect.all, named: \.name), withoutValue: effects, since: "0.9.0",
                """
                What the signal does while it is asserted. pause: the music fades out and pauses. duck: the music is \
                turned down to DuckLevel= (with Mode=spokenAudio it pauses). mute-microphone: the capture switches of \
                the mixer of Device= (that of [Recording], if there is one) are turned off, and a session that records \
                is interrupted, or, with Options=overrideMutedMicrophoneInterruption, records silence; Tacet then owns \
                these switches. checkpoint: the state is saved at once, for example because the power is about to fail. \
                ignore: nothing; the signal is only shown and logged.
                """),
            Key(
                "DuckLevel", \.duckLevel, .level, since: "0.9.0",
                """
                For Effect=duck: the level while the signal is active. Levels of several signals do not add up: the \
                lowest one applies.
                """),
            Key(
                "Resume", \.resume, .choice(), since: "0.9.0",
                """
                Whether the signal's end recommends resuming (auto) or leaves it to a user (manual). If a user pauses \
                during an interruption, the music stays paused in either case; if a user asks for music, it plays \
                afterwards in either case.
                """),
            Key(
                "ResumeWithin", \.resumeWithin, .limit(.zero...year), since: "0.9.0",
                """
                An interruption that lasts longer ends without recommending to resume: the music stays paused until \
                somebody presses play. Time without power counts.
                """),
            Key(
                "Alert", \.isAlert, .boolean, since: "0.9.0",
                """
                Whether the signal is a system alert: a ringing line, as opposed to an accepted call. See \
                PrefersNoInterruptionsFromSystemAlerts=.
                """),
            Key(
                "StuckAfter", \.line.stuckAfter, .limit(.milliseconds(100)...year), since: "0.9.0",
                """
                A signal that is asserted for longer has the fault “stuck”, and WhenStuck= applies. A user's play \
                overrides a stuck signal.
                """),
            Key(
                "WhenStuck", \.whenStuck, .choice(), since: "0.9.0",
                """
                Whether a stuck signal keeps its effect (hold) or loses it (release). Once its effect is dropped, the \
                signal has none until it has been deasserted.
                """),
            Key(
                "Priority", \.priority, .count(SoundPolicy.priorities), since: "0.9.0",
                """
                Which sounds the signal silences while it pauses the music: those of a lower priority. A signal that \
                only turns the music down silences none. This is also the priority of the signal's own Cue=.
                """),
            Key(
                "Cue", optional: \.cue, .sound, since: "0.9.0",
                """
                The sound that plays while the signal is active: the NAME of a [Sound NAME] section. If the sound has \
                Repeat=no, it plays once for each begin of the signal.
                """),
        ]

    static let button: [Key<ButtonSettings>] =
        line() + buttonSources + [
            Key(
                "Command", optional: \.command, .command, withoutValue: "none (required)", since: "0.9.0",
                """
                What the button does. volume changes the level by a step of up to 60 dB, and repeats while the button is \
                held: ‘volume +3dB’, ‘volume -3dB’. announce plays a sound over the music: ‘announce gong’ plays the \
                one of the section [Sound gong]. hush withdraws all announcements. (Also accepted: toggle for \
                playPause.)
                """)
        ]

    static let sound: [Key<SoundKeys>] = [
        Key(
            "Enabled", \.isEnabled, .boolean, since: "0.9.0",
            "With no, this board does not have the sound: the section is ignored."),
        Key(
            "File", optional: \.file, .text(upTo: 4000), withoutValue: "none (required)", since: "0.9.0",
            """
            The recording: a single file in any of the formats of Library=, absolute or relative to the folder of the \
            file that sets it. Its first minute is kept in memory, so that no disk delays it. A silent recording is \
            played as it is; tacet check and tacet health report it.
            """),
        Key(
            "Level", \.level, .level, since: "0.9.0",
            "The sound's own level. The volume of the music does not change it."),
        Key(
            "Effect", \.effect, .choice(SoundPolicy.Effect.all, named: \.name), since: "0.9.0",
            """
            What an announcement of the sound does to the music. duck: the music is turned down to DuckLevel= (with \
            Mode=spokenAudio it pauses). pause: the music pauses. mix: nothing. For a cue, the signal's Effect= applies \
            instead.
            """),
        Key(
            "DuckLevel", \.duckLevel, .level, since: "0.9.0",
            "For Effect=duck: the level of the music during an announcement."),
        Key(
            "Repeat", \.repeats, .boolean, since: "0.9.0",
            """
            Whether a cue repeats for as long as its signal is active. An announcement is always heard once.
            """),
        Key(
            "Priority", \.priority, .count(SoundPolicy.priorities), since: "0.9.0",
            """
            The priority of the sound's announcements, unless the command specifies another. A sound of higher priority \
            cuts one of lower priority. A signal that pauses the music silences the announcements of a lower priority \
            than its own.
            """),
        Key(
            "Expire", \.expire, .limit(.zero...year), since: "0.9.0",
            """
            An announcement that has not begun this long after its request is dropped, unless the command specifies \
            another time. infinity: it waits until it can be heard.
            """),
    ]

    static let state: [Key<Configuration>] = [
        Key(
            "Directory", \.state.directory, .text(upTo: 4000), since: "0.9.0",
            """
            The folder of the saved state, absolute or relative to the folder of the file that sets it. The service \
            can only write to /var/lib/tacet: another folder needs ReadWritePaths= in a drop-in of the unit (systemctl \
            edit tacet).
            """),
        Key(
            "Interval", \.state.interval, .time(.milliseconds(100) ... .seconds(3_600)), since: "0.9.0",
            """
            How often the position is saved while music plays: a power cut loses at most this much of it. A silent \
            board does not write. Each save is one page of 4 KiB and one flush; a longer interval spares a simple SD \
            card.
            """),
    ]

    /// The keys that a user may expect in a section that does not support them, with the reason.
    static let unsupported: [SectionKind: [String: String]] = [
        .button: Dictionary(
            uniqueKeysWithValues: loss.map {
                ($0.name, "a button whose line is lost always counts as released")
            }),
        .output: unsupportedInOutputs,
    ]

    /// The keys that determine what happens to a signal whose line is lost.
    private static let loss: [Key<SignalSettings>] = [
        Key(
            "LostGrace", \.line.lostGrace, .time(.zero ... .seconds(86_400)), since: "0.9.0",
            """
            When the line or its GPIO chip is lost, or the program or the broker that sets the level, the signal keeps \
            its last level for this long; then WhenLost= applies.
            """),
        Key(
            "WhenLost", \.line.whenLost, .choice(), since: "0.9.0",
            """
            What the signal counts as when its line (or whatever else sets its level) stays lost: hold its last level, \
            release it, or assert it (fail-safe: a wire of unknown state counts as asserted, even at the first \
            boot). With Source=bus the default is release.
            """),
    ]

    static func names(of section: SectionKind) -> [String] {
        switch section {
        case .session: session.map(\.name)
        case .playback: playback.map(\.name)
        case .signal: signal.map(\.name)
        case .button: button.map(\.name)
        case .output: output.map(\.name)
        case .sound: sound.map(\.name)
        case .recording: recording.map(\.name)
        case .state: state.map(\.name)
        case .health: []
        }
    }

    /// Returns the keys of every section that has a line to read.
    private static func line<Settings: ReadSettings>() -> [Key<Settings>] { place() + conditioning() }

    /// Returns the keys of every section that has a line.
    static func place<Settings: WiredSettings>() -> [Key<Settings>] {
        let line: [Key<Settings>] = Wiring.sectionKeys()
        return [
            Key(
                "Enabled", \.isEnabled, .boolean, since: "0.9.0",
                """
                With no, this board does not have the signal, button or output: the section is ignored, and its line is left \
                alone.
                """)
        ] + line.dropLast() + [
            Key(
                "ActiveLow", \.isActiveLow, .boolean, since: "0.9.0",
                "Whether the low level means asserted: a contact to ground, with Bias=pull-up.")
        ] + line.suffix(1)
    }

    private static func conditioning<Settings: ReadSettings>() -> [Key<Settings>] {
        [
            Key(
                "Debounce", \.line.debounce, .time(.zero ... .seconds(10)), since: "0.9.0",
                """
                A level counts once it has been stable for this long; a shorter one is ignored. A telephone bell (16 \
                2/3 to 50 Hz) arrives through an optocoupler as pulses of 6 to 30 ms, which must count: use 5ms for \
                it.
                """),
            Key(
                "ReleaseDelay", \.line.releaseDelay, .time(.zero ... .seconds(3_600)), since: "0.9.0",
                """
                The signal stays asserted for this long after its line is released. This bridges the gaps between the \
                pulses of a ring and the pause between two rings, so that the music does not return in between: 5s \
                suits rings up to 4 s apart, 6s those 5 s apart.
                """),
            Key(
                "ChatterLimit", \.line.chatterLimit, .count(2...10_000), since: "0.9.0",
                """
                More edges than this within ChatterWindow= are the fault “chatter”: a loose contact. The line counts \
                as asserted until it has been quiet for the window. A telephone bell has up to 200 edges per second: \
                use 300 for it.
                """),
            Key(
                "ChatterWindow", \.line.chatterWindow, .time(.milliseconds(10) ... .seconds(60)), since: "0.9.0",
                "The time over which ChatterLimit= counts."),
        ]
    }

    /// The effects that do not need to be configured.
    private static let effects =
        SignalSettings.builtIn.map { id, settings in "\(settings.effect?.name ?? "none") for \(id)" }
        .joined(separator: ", ") + "; every other signal requires it"

    private static let ramp = Duration.zero ... .seconds(10)
    private static let year = Duration.seconds(365 * 86_400)
}
