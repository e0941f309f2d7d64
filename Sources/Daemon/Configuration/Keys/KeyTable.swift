import AudioSession
import Spelling

/// All keys, each with its documentation. The parser, the suggestions, tacet.conf(5) and the test of the vendor's file
/// use this table.
enum KeyTable {
    static let session: [Key<Configuration>] = [
        Key(
            "Category", \.session.category, .choice(unsupported: AppleNames.categories),
            """
            Selects what the session does. A muted microphone interrupts only a session that records, which is one \
            with record or playAndRecord. Apple's other categories arbitrate between apps that share the output of a \
            phone. In Tacet the Effect= of each signal does that, so the names of these categories are rejected.
            """),
        Key(
            "Mode", \.session.mode, .choice(unsupported: AppleNames.modes),
            """
            Selects the kind of music. With spokenAudio, a signal with Effect=duck pauses the music instead, because \
            listeners miss what is said while speech is ducked.
            """),
        Key(
            "Options", \.session.options, .options,
            """
            If this is set to overrideMutedMicrophoneInterruption, a muted microphone does not interrupt a session \
            that records.
            """),
        Key(
            "PrefersNoInterruptionsFromSystemAlerts", \.session.prefersNoInterruptionsFromSystemAlerts, .boolean,

            """
            If enabled, signals with Alert=yes do not interrupt. The journal logs them as suppressed, and their end \
            does not have an effect either.
            """),
        Key(
            "PlaybackInterface", \.session.hasPlaybackInterface, .boolean,
            """
            Specifies whether users can start playback with a button, over the bus or on the command line. If \
            disabled, playback also resumes after an interruption that does not recommend resuming, because nobody \
            could start it otherwise.
            """),
        Key(
            "ResumeAfterReset", \.session.resumesAfterReset, .boolean,
            """
            If enabled, playback resumes automatically when a lost sound device returns. If disabled, a user must \
            start it again.
            """),
        Key(
            "PauseOnRouteLoss", \.session.pausesOnRouteLoss, .boolean,
            """
            If enabled, playback pauses when the plug is pulled out of Jack=, and when one of FallbackDevices= \
            replaces a device that disappeared while it was in use. If a device disappears and nothing replaces it, \
            it counts as a lost device, and ResumeAfterReset= applies.
            """),
        Key(
            "ResumeDelay", \.session.resumeDelay, .time(.zero ... .seconds(3_600)),
            """
            Playback resumes only after nothing has interrupted it for this long, and it returns to full level only \
            after nothing has ducked it for this long. Use this setting to bridge the gap between a ring and the \
            accepted call if each has its own wire. The beginning of an interruption is never delayed.
            """),
    ]

    static let playback: [Key<Configuration>] = [
        Key(
            "Device", \.playback.device, .text(upTo: 255),
            """
            Specifies the output by its ALSA name. Use tacet devices to list the names for the cards of this board. A \
            Raspberry Pi 3 or 4 has a headphone jack, which is hw:CARD=Headphones. A Raspberry Pi 5 or a BeaglePlay has \
            only HDMI outputs, such as sysdefault:CARD=vc4hdmi0, unless it has a USB device or an audio board. A device \
            whose name begins with hw: reacts fastest, because all but the last 7 ms of queued audio can be rewound. \
            HDMI outputs need sysdefault: instead. The name pulse means the default output of a PulseAudio or PipeWire \
            server, and pulse: followed by a name means that one of its sinks. Other names that ALSA's configuration \
            assigns to such a server, often default, are used in the same way. Audio that is queued in a server can \
            also be rewound, except for the last 10 to 15 ms. A sink that is named here is not replaced with another \
            one by the server. Tacet starts unmuted there and at full level, reports mutes and low levels of the \
            server, and undoes them for its stream during an alarm. If Tacet runs in the session of a sound server, the \
            server releases a card that this setting names.
            """),
        Key(
            "FallbackDevices", \.playback.fallbackDevices, .devices,
            """
            Specifies the outputs that are used while Device= cannot be opened, in order of preference. If the device \
            in use disappears, playback continues on the first of these outputs that opens, or it pauses if \
            PauseOnRouteLoss= is enabled. When an output that comes earlier in the order returns, Tacet uses it again \
            after it has been available for one second. If it disappears again soon, Tacet waits longer the next \
            time, up to one minute.
            """),
        Key(
            "Jack", optional: \.playback.jack, .text(upTo: 43),
            """
            Specifies the jack of the output by the name of its ALSA control, such as Headphone Jack. Use tacet \
            inputs to list the jacks. The jack belongs to the card in Device=. If Device= does not name a card, it \
            belongs to the only card that has such a jack. Pulling the plug pauses playback if PauseOnRouteLoss= is \
            enabled. If the board does not have the jack, tacet health reports a fault.
            """),
        Key(
            "Library", optional: \.playback.library, .text(upTo: 4000),
            """
            Specifies the music as a folder, an M3U playlist or a single file. The path is absolute or relative to \
            the folder of the file that contains the setting. The usual folder is /srv/music. The section AUDIO \
            FORMATS lists what can be played. A track shorter than 20 ms counts as empty.

            Tacet reads at most 250,000 files and up to 64 levels of folders. It skips hidden files, $RECYCLE.BIN and \
            System Volume Information. A playlist may have up to 4 MiB, and it may name folders and other playlists. \
            If a name in a playlist does not exist as written, Tacet also tries it without its percent encoding, in \
            other Unicode normalisations, in code page 1252, and in another case.

            New files are found without a reload, either while playback is quiet or at the end of a track. On disks \
            that do not report changes, such as network drives, they are found at the end of the playlist. If there \
            is nothing to play yet, Tacet searches again after 10 s and then less often, but at least once a minute. \
            A reload searches immediately.
            """),
        Key(
            "AutoPlay", \.session.autoPlay, .playingOrStopped,
            """
            If enabled, music plays at the first boot, when there is no saved state yet. Later boots continue from the \
            saved state.
            """),
        Key(
            "Repeat", \.session.repeats, .choice(synonyms: ["one": .track, "all": .playlist]),
            """
            Specifies what is repeated. With none, playback stops after the last track. The words one and all are \
            accepted as synonyms for track and playlist.
            """),
        Key(
            "Shuffle", \.playback.shuffle, .boolean,
            """
            If enabled, the playlist is played in random order, which changes with each round. No track is played \
            twice in a row.
            """),
        Key(
            "IdleAfter", \.playback.idleAfter, .limit(.seconds(1)...year),
            """
            Specifies the time without a command after which IdlePlaylist= is played. Commands of buttons and of other \
            programs count, whatever they do. An input counts as long as audio arrives. The time also begins at a \
            boot. During an interruption, Tacet waits for its end. What somebody has chosen is also replaced, so the time \
            must be longer than what can be chosen. Nothing is played if somebody has paused or stopped the music, so \
            do not give visitors a button for this, nor if an interruption or a lost device has paused it.
            """),
        Key(
            "IdlePlaylist", optional: \.playback.idlePlaylist, .text(upTo: ChoiceRequest.longestName),
            """
            Specifies a track, a folder or a playlist of the library by its path relative to Library=, which tacet \
            tracks lists. It is played in place of the library's list when IdleAfter= has passed, and repeats until \
            somebody chooses something else. A kiosk returns to its attract loop in this way.
            """),
        Key(
            "Volume", \.session.volume, .level,
            "Specifies the volume at the first boot. Later boots use the saved volume."),
        Key(
            "MaximumVolume", \.session.maximumVolume, .level,
            """
            Limits the volume. Nothing makes the music louder than this, neither a command, a button, another program \
            nor a volume that was saved before. A command with a higher volume sets this one. Sounds are not limited \
            unless Follow=volume is set in their section.
            """),
        Key(
            "FadeOut", \.playback.fadeOut, .time(ramp),
            """
            Specifies the duration of the fade into silence. Playback resumes at the position at which the fade \
            began.
            """),
        Key(
            "FadeIn", \.playback.fadeIn, .time(ramp),
            "Specifies the duration of the fade out of silence."),
        Key(
            "DuckAttack", \.playback.duckAttack, .time(ramp),
            "Specifies the duration of the ramp down to a ducked level."),
        Key(
            "DuckRelease", \.playback.duckRelease, .time(ramp),
            "Specifies the duration of the ramp up from a ducked level."),
        Key(
            "ResumeRewind", \.playback.resumeRewind, .time(.zero ... .seconds(300)),
            """
            Specifies how far playback rewinds before it resumes after an interruption, a lost device or a boot. It \
            never rewinds beyond the start of the track, or beyond the position at which playback last resumed.
            """),
        Key(
            "CloseAfter", \.playback.closeAfter, .limit(.zero...year),
            """
            Specifies how long the device stays open and plays silence before Tacet closes it, so that other programs \
            can use it. With infinity, Tacet never closes it. Some devices make a popping noise when they start or \
            stop, which a longer time makes rarer.
            """),
    ]

    static let signal: [Key<SignalSettings>] =
        line() + complement + sources + loss + [
            Key(
                "Effect", optional: \.effect, .choice(Effect.all, named: \.name), withoutValue: effects,
                """
                Specifies what the signal does while it is asserted. With pause, the music fades out and pauses. With \
                duck, the music is turned down to DuckLevel=, or pauses if Mode=spokenAudio is set. With \
                mute-microphone, the capture switches in the mixer of the sound card are turned off, and a session \
                that records is interrupted. If Options=overrideMutedMicrophoneInterruption is set, such a session \
                records silence instead. If During=interruptions is set in [Recording], it is interrupted and records \
                silence. The mixer is that of the Device= of [Recording] if there is such a section, and of \
                [Playback] otherwise, and other programs should not change these switches. With checkpoint, the state \
                is saved immediately, for example because the power is about to fail. With ignore, the signal is only \
                displayed and logged.
                """),
            Key(
                "DuckLevel", \.duckLevel, .level,
                """
                Specifies the level of the music while the signal is active, if Effect=duck is set. The levels of \
                several signals do not add up, because only the lowest one applies.
                """),
            Key(
                "Resume", \.resume, .choice(),
                """
                Specifies what happens when the signal ends. With auto, the end recommends resuming. With manual, \
                playback stays paused until a user starts it. In either case, a command that a user gives during the \
                interruption takes precedence: after a pause command the music stays paused, and after a play command \
                it plays.
                """),
            Key(
                "ResumeWithin", \.resumeWithin, .limit(.zero...year),
                """
                If an interruption lasts longer than this, its end does not recommend resuming, and the music stays \
                paused until a user starts it. The time during which the board was off counts.
                """),
            Key(
                "Alert", \.isAlert, .boolean,
                """
                If enabled, the signal is a system alert, such as a ringing line as opposed to an accepted call. See \
                PrefersNoInterruptionsFromSystemAlerts=.
                """),
            Key(
                "StuckAfter", \.line.stuckAfter, .limit(.milliseconds(100)...year),
                """
                If the signal is asserted for longer than this, Tacet reports the fault “stuck” and applies \
                WhenStuck=. A play command overrides a stuck signal.
                """),
            Key(
                "WhenStuck", \.whenStuck, .choice(),
                """
                Specifies what happens to a stuck signal. With hold, it keeps its effect. With release, it loses its \
                effect until it has been deasserted and asserted again.
                """),
            Key(
                "Priority", \.priority, .count(SoundPolicy.priorities),
                """
                Specifies the priority of the signal and of its Cue=. While the signal pauses the music, it silences \
                all sounds of a lower priority. A signal that only turns the music down does not silence any sounds.
                """),
            Key(
                "Cue", optional: \.cue, .sound,
                """
                Plays a sound while the signal is active. The value is the NAME of a [Sound NAME] section. If that \
                section has Repeat=no, the sound plays once each time the signal begins.
                """),
        ]

    static let button: [Key<ButtonSettings>] =
        line() + buttonSources + [
            Key(
                "Command", optional: \.command, .command, withoutValue: .required,
                """
                Specifies the command that the button gives. The command announce gong plays the sound of the section \
                [Sound gong] over the music, and hush cancels all announcements. The commands volume +3dB and \
                volume -3dB change the volume by a step of at most 60 dB, and volume +10% and volume -10% change it by a \
                percentage of the full level. Such a step repeats while the button is held, unless LongCommand= or \
                DoubleCommand= is set. The commands seek +10s and \
                seek -10s move the position by a step, and seek 0:00 goes to the start of the track. The word toggle is \
                accepted as a synonym for playPause, and cancel for hush. An announcement can have its own priority and \
                its own time to wait, as in announce gong --priority 80 --expire 5s.

                The command play stories/owl.flac plays a track, a folder or a playlist of the library in place of its \
                list, by the path that tacet tracks lists. With --then stop, playback stops after it, with --then repeat, \
                it repeats, and otherwise the library continues where it was. Another press begins it again.
                """),
            Key(
                "LongCommand", optional: \.longCommand, .command,
                """
                Specifies the command that the button gives when it is held for LongPress=. If this is set, the button \
                gives Command= only when it is released before that time. Otherwise, it gives Command= as soon as it is \
                pressed. If the command is a step of the volume, it repeats while the button stays held.
                """),
            Key(
                "LongPress", \.longPress, .time(.milliseconds(100) ... .seconds(10)),
                "Specifies for how long the button must be held for LongCommand=."),
            Key(
                "DoubleCommand", optional: \.doubleCommand, .command,
                """
                Specifies the command that the button gives instead of Command= when it is pressed twice within 400 ms. \
                Command= then waits until this time is over, so use this only for commands that need not be immediate.
                """),
        ]

    static let sound: [Key<SoundKeys>] = [
        Key(
            "Enabled", \.isEnabled, .boolean,
            "If disabled, the section is ignored, and the sound does not exist on this board."),
        Key(
            "File", optional: \.file, .text(upTo: 4000), withoutValue: .required,
            """
            Specifies the audio file, in one of the formats that AUDIO FORMATS lists. The path is absolute or \
            relative to the folder of the file that contains the setting. The first minute of the sound is kept in \
            memory, so that a slow disk does not delay it. A file that contains only silence is played as it is, and \
            tacet check and tacet health report it.
            """),
        Key(
            "Level", \.level, .level,
            "Specifies the level of the sound. It does not depend on the volume of the music unless Follow=volume is set."
        ),
        Key(
            "Follow", \.follow, .choice(),
            """
            Specifies what changes the level of the sound while it plays as a cue or an announcement. With volume, the \
            volume of the music and MaximumVolume= apply to the sound in addition to Level=, and the sound is silent \
            while the volume is mute. Do not use this for an alarm. With none, the sound always has the same level.
            """),
        Key(
            "Effect", \.effect, .choice(SoundPolicy.Effect.all, named: \.name),
            """
            Specifies what happens to the music while the sound is announced. With duck, it is turned down to \
            DuckLevel=, or pauses if Mode=spokenAudio is set. With pause, it pauses. With mix, it continues. While \
            the sound plays as a cue, the Effect= of the signal applies instead.
            """),
        Key(
            "DuckLevel", \.duckLevel, .level,
            "Specifies the level of the music during an announcement, if Effect=duck is set."),
        Key(
            "Repeat", \.repeats, .boolean,
            "If enabled, a cue repeats for as long as its signal is active. An announcement always plays once."),
        Key(
            "Priority", \.priority, .count(SoundPolicy.priorities),
            """
            Specifies the priority of announcements of this sound, unless the request contains its own. A sound of a \
            higher priority cuts off a sound of a lower one. A signal that pauses the music silences the \
            announcements whose priority is lower than its own.
            """),
        Key(
            "Expire", \.expire, .limit(.zero...year),
            """
            If an announcement has not begun within this time after its request, it is dropped. The request may \
            contain another time. With infinity, the announcement waits until it can be played.
            """),
        Key(
            "Again", \.again, .choice(),
            """
            Specifies what a request for an announcement of this sound does while another announcement of it is \
            playing or queued. With queue, both are played. With ignore, nothing changes, and the answer is success. \
            With restart, the announcement that is playing starts again from the beginning, even after its Expire=. An \
            announcement that is still queued stays as it is.
            """),
        Key(
            "Once", \.once, .time(.zero...year),
            """
            Specifies for how long further requests are ignored after a request for an announcement of this sound has \
            been accepted, whether or not that announcement is over. Ignored requests are answered with success. With \
            0, no request is ignored. With 30s, a stop button that nine passengers press causes a single announcement. \
            The time continues when the configuration is reloaded, but not when Tacet restarts.
            """),
        Key(
            "Continue", \.continues, .boolean,
            """
            If enabled, a cue or an announcement that was cut off continues where it stopped. Otherwise, it starts \
            again from the beginning. Expire= then applies only until the announcement begins. The position is lost \
            when Tacet restarts, when the signal of a cue ends, and when the announcement is cancelled.
            """),
    ]

    static let state: [Key<Configuration>] = [
        Key(
            "Directory", \.state.directory, .text(upTo: 4000),
            """
            Specifies the folder of the saved state. The path is absolute or relative to the folder of the file that \
            contains the setting. Because the service can only write to /var/lib/tacet, any other folder needs \
            ReadWritePaths= in a drop-in of the unit, which systemctl edit tacet creates.
            """),
        Key(
            "Interval", \.state.interval, .time(.milliseconds(100) ... .seconds(3_600)),
            """
            Specifies how often the position is saved while music plays. A power cut loses at most this much of the \
            position. While the music is silent, nothing is written. A save usually writes one page of 4 KiB and \
            flushes it once, so a longer interval makes a simple SD card last longer.
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
            "LostGrace", \.line.lostGrace, .time(.zero ... .seconds(86_400)),
            """
            If the line, its GPIO chip, or the program or broker that sets the signal disappears, the signal keeps \
            its last level for this long. Then WhenLost= applies.
            """),
        Key(
            "WhenLost", \.line.whenLost, .choice(),
            """
            Specifies what happens to a signal whose source stays lost. With hold, it keeps its last level. With \
            release, it counts as released. With assert, it counts as asserted, even at the first boot, which is the \
            safe choice for an alarm because an unknown level then raises it. With Source=bus or Source=call, the \
            default is release.
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
        case .input: input.map(\.name)
        case .player: player.map(\.name)
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
                "Enabled", \.isEnabled, .boolean,
                """
                If disabled, the section is ignored. The signal, button or output does not exist on this board, and \
                Tacet does not touch its line.
                """)
        ] + line.dropLast() + [
            Key(
                "ActiveLow", \.isActiveLow, .boolean,
                "If enabled, the low level means asserted, as with a contact to ground and Bias=pull-up.")
        ] + line.suffix(1)
    }

    private static func conditioning<Settings: ReadSettings>() -> [Key<Settings>] {
        [
            Key(
                "Debounce", \.line.debounce, .time(.zero ... .seconds(10)),
                """
                A level counts only after it has been stable for this long, and shorter pulses are ignored. A \
                telephone bell with 16 2/3 to 50 Hz reaches the line through an optocoupler as pulses of 6 to 30 ms. \
                With the default, they count as chatter. Use 5ms for a bell, but not in a vehicle, because pulses on \
                its wires can disturb an isolated input for 10 ms.
                """),
            Key(
                "Poll", \.line.poll, .time(.milliseconds(5) ... .seconds(1)),
                """
                Specifies how often the line is read if its chip cannot report edges, such as an I2C expander without an \
                interrupt. Debounce= then counts in such readings. The lines of a chip are read together, as often as \
                the shortest Poll= of its lines requires. If the chip reports edges, this setting has no effect. The \
                command tacet lines shows which lines are polled.
                """),
            Key(
                "ReleaseDelay", \.line.releaseDelay, .time(.zero ... .seconds(3_600)),
                """
                The signal stays asserted for this long after its line is released. Use this setting to bridge the \
                gaps between the pulses of a ring and the pause between two rings, so that the music does not return \
                in between. A delay of 5s suits rings that are up to 4 s apart, and 6s those that are 5 s apart.
                """),
            Key(
                "ChatterLimit", \.line.chatterLimit, .count(2...10_000),
                """
                If the line has more edges than this within ChatterWindow=, Tacet reports the fault “chatter”, whose \
                usual cause is a loose contact. The line then counts as asserted until it has been quiet for the \
                length of the window. A telephone bell has up to 200 edges per second, so use 300 for it.
                """),
            Key(
                "ChatterWindow", \.line.chatterWindow, .time(.milliseconds(10) ... .seconds(60)),
                "Specifies the time over which ChatterLimit= counts."),
        ]
    }

    /// The effects that do not need to be configured.
    private static let effects = KeyDefault.described(
        SignalSettings.builtIn.map { id, settings in "\(settings.effect?.name ?? "none") for \(id)" }.enumeration
            + ". All other signals require this setting")

    private static let ramp = Duration.zero ... .seconds(10)
    private static let year = Duration.seconds(365 * 86_400)
}
