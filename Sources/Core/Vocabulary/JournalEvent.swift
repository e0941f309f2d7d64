/// The kinds of journal entries of the daemon, which are the values of `TACET_EVENT`. They are permanent, because
/// people filter by them.
public enum JournalEvent: String, Hashable, Sendable, CaseIterable {
    case started
    case startRefused = "start-refused"
    case stopping
    case reloaded
    case reloadRefused = "reload-refused"
    case configurationRejected = "configuration-rejected"
    case configurationNotKept = "configuration-not-kept"
    case interruptionBegan = "interruption-began"
    case interruptionEnded = "interruption-ended"
    case interruptionHeard = "interruption-heard"
    case duckBegan = "duck-began"
    case duckChanged = "duck-changed"
    case duckEnded = "duck-ended"
    case soundBegan = "sound-began"
    case soundHeard = "sound-heard"
    case soundEnded = "sound-ended"
    case soundCut = "sound-cut"
    case soundExpired = "sound-expired"
    case soundBroken = "sound-broken"
    case signal
    case signalSuppressed = "signal-suppressed"
    case output
    case outputNotReleased = "output-not-released"
    case noOpReason = "remark"
    case microphone
    case command
    case playbackEnded = "programme-ended"
    case idle
    case trackSkipped = "track-skipped"
    case mediaServicesLost = "media-services-lost"
    case mediaServicesReset = "media-services-reset"
    case configurationChanged = "configuration-changed"
    case routeChanged = "route-changed"
    case sourceChanged = "source-changed"
    case underrun
    case notRealTime = "not-real-time"
    case fault
    case faultCleared = "fault-cleared"
    case linesPolled = "lines-polled"
    case edgeLost = "edge-lost"
    case recordingBegan = "recording-began"
    case recordingEnded = "recording-ended"
    case recordingFile = "recording-file"
    case recordingOverrun = "recording-overrun"
    case recordingStorageLost = "recording-storage-lost"
    case recordingStorageBack = "recording-storage-back"
    case captureLost = "capture-lost"
    case captureReturned = "capture-back"
    case libraryEmpty = "library-empty"
    case libraryFound = "library-found"
    case foldersUnreadable = "folders-unreadable"
    case filesUnplayable = "files-unplayable"
    case storageLost = "storage-lost"
    case storageReturned = "storage-back"
    case storageSlow = "storage-slow"
    case storageRecovered = "storage-recovered"
    case stateUnreadable = "state-unreadable"
    case placeLost = "place-lost"
    case stateUnwritable = "state-unwritable"
    case stateWrittenAgain = "state-written-again"
    case busLost = "bus-lost"
    case asleep
    case awake
    case sleepUndelayed = "sleep-undelayed"
    case hung
    case entriesLost = "entries-lost"

    /// The `MESSAGE_ID`, by which `journalctl -x` finds the explanation in the catalog. It is permanent.
    public var messageID: String { row.messageID }

    /// The event's row of the table in tacet.journal(7).
    var row: JournalRow {
        switch self {
        case .started:
            JournalRow(
                "790f356d94ba4883b1637edcf7a19a38",
                """
                The daemon has started. The message says what it plays, from which saved state, and how the last run \
                ended (TACET_LAST_RUN=).
                """,
                """
                This entry is expected after a boot, an update or a restart. Otherwise, the service had crashed or \
                was killed. In that case, use systemctl status tacet to see how often it was restarted, and \
                journalctl -u tacet -b for the entries before this one.
                """)
        case .startRefused:
            JournalRow(
                "7d4c1f0a52b94c6e8f3b0f5f6a1c9e27",
                "The configuration has errors, and the daemon exits with status 78.",
                "Use tacet check to list the errors, correct them, and run systemctl restart tacet.")
        case .stopping:
            JournalRow(
                "09611bead07a4f8b9a4a096c8c46e1a7",
                "The daemon stops because it was asked to. The message says whether its position has been saved.")
        case .reloaded:
            JournalRow(
                "ac013633986d4965bb11b93dae1c1f06",
                "A new configuration is active.")
        case .reloadRefused:
            JournalRow(
                "91862fb0cc5b4e988ea8c59bea240a20",
                """
                The new configuration has errors, or its library does not contain music. The previous configuration \
                stays active.
                """,
                "Use tacet check to list the errors, correct them, and run systemctl reload tacet again.")
        case .configurationRejected:
            JournalRow(
                "0c4faef154f5485a9f1b9982e8f273fe",
                "The configuration has errors, so the daemon has started with the last configuration that worked.",
                "Use tacet check to list the errors, correct them, and run systemctl reload tacet.")
        case .configurationNotKept:
            JournalRow(
                "c99afa8b57e04e3eb86a5c98d1b32119",
                "The active configuration cannot be copied, so a later start with errors would use an older copy.",
                """
                Check whether the disk with /var/lib/tacet is full or read-only, and whether the directory belongs to \
                the user tacet.
                """)
        case .interruptionBegan:
            JournalRow(
                "d593067bf139485592f4009d9b101a94",
                "The music is interrupted. The message names the signals and says what will follow.",
                """
                If nothing has happened, use tacet lines to see whether the source of the signal is asserted. A \
                signal of a line may need another ActiveLow= or Bias=.
                """)
        case .interruptionEnded:
            JournalRow(
                "1ad45dfe9feb428384829124c75f9536",
                """
                The interruption has ended. The entry states whether resuming is recommended \
                (TACET_SHOULD_RESUME=), and what happens next.
                """,
                "If resuming is not recommended, start the music with tacet play or a button.")
        case .interruptionHeard:
            JournalRow(
                "8dc12972bc1a4579b2770018cb471196",
                """
                The interruption took effect. The entry contains the times from the edge of the signal to the first \
                changed sample (TACET_LATENCY_USEC=) and to the end of the fade (TACET_SILENT_USEC=). It is a warning \
                if they exceed the bound that tacet verify states.
                """,
                """
                If it is a warning, check whether the contact bounces, whether the board is overloaded, and whether a \
                sound server delays the output. A card that Device= addresses directly reacts fastest.
                """)
        case .duckBegan:
            JournalRow(
                "2c939d44ff57482da73ac7b20afbfcc3",
                "The music is turned down to TACET_LEVEL=.",
                "To change the level, set DuckLevel= of the signal.")
        case .duckChanged:
            JournalRow(
                "4b1e449201a2479d9aa4897e55ed1945",
                "The level to which the music is turned down has changed, because another signal began or ended.")
        case .duckEnded:
            JournalRow(
                "b01a35d667844a1fbb04578a7b880b22",
                "The music has returned to its full level.")
        case .soundBegan:
            JournalRow(
                "8794f11dbb764ea9a0eec6de9de259a9",
                """
                A sound is pending, which is either the cue of a signal or an announcement. If the music must fade \
                first, the sound begins when the fade is complete.
                """)
        case .soundHeard:
            JournalRow(
                "18b867dfa6c74f5e87e9a1b8bb6b3bb3",
                """
                The cue of a signal has begun to play. The entry contains the time from the edge of the signal to its \
                first frame (TACET_LATENCY_USEC=).
                """,
                "To play the cue sooner, shorten Debounce= of the signal, and FadeOut= or DuckAttack=.")
        case .soundEnded:
            JournalRow(
                "6df970fe0a024c8eaf8497cc488f5324",
                "A sound has played to its end.")
        case .soundCut:
            JournalRow(
                "15f0841991634190ade93eb191f1afa7",
                """
                A sound was cut off before its end, or an announcement was withdrawn. TACET_OUTCOME= states whether \
                it starts again.
                """,
                "Use tacet log to see what happened at that time.")
        case .soundExpired:
            JournalRow(
                "0511aea968be4a6090bbb9557d0e8b09",
                """
                An announcement was dropped, because it could not begin in time or because its file can no longer be \
                read.
                """,
                "If it should have been played, set a longer Expire= or a higher Priority= for the sound.")
        case .soundBroken:
            JournalRow(
                "8ac441cfa95f413f8b54c34fa1f00fd7",
                "The rest of a sound that is longer than a minute cannot be read.",
                "Copy the file again, and check the disk for errors with journalctl -k.")
        case .signal:
            JournalRow(
                "5a1d1b3fd1d246d7a8c8b0f2d2f8f5a6",
                "A signal was asserted or released, but this neither began nor ended anything.")
        case .signalSuppressed:
            JournalRow(
                "ce1d483d14114412bbbfb76988cf39f3",
                """
                A signal with Alert=yes was asserted, but PrefersNoInterruptionsFromSystemAlerts= does not let it \
                interrupt.
                """,
                "If it should interrupt, set Alert=no for the signal.")
        case .output:
            JournalRow(
                "d2d9815761074eb9a7b9e822867ae702",
                "An output has changed (TACET_OUTPUT= and TACET_ASSERTED=).")
        case .outputNotReleased:
            JournalRow(
                "1a86bd138d9944d19d1650c820549e47",
                """
                While the daemon was not running, the line of an output could not be set to its deasserted level. The \
                output may still be asserted.
                """,
                """
                Use tacet lines to see whether the line exists and which program holds it. The entry is expected for \
                a chip that has been removed. systemctl restart tacet tries again.
                """)
        case .noOpReason:
            JournalRow(
                "0f6b7c1e9d8a4e52b3b1a94e7c2d5f10",
                """
                An event did not change anything, for example because a signal ended that had already lost its \
                effect.
                """,
                "If this entry repeats for a signal of a line, check its contact and its Debounce=.")
        case .microphone:
            JournalRow(
                "3654cbeea45e4fa390e355035dc9f3d4",
                "The microphone was muted or unmuted, or the mixer of the card could not be changed.")
        case .command:
            JournalRow(
                "aa0352e8ef2b46f8aaa6b46d9fcb3410",
                "A command was given. The entry contains the command, who gave it, and the answer.",
                """
                If nobody gave it, check the wires of the buttons. An open input picks up noise, so set Bias= for it.
                """)
        case .playbackEnded:
            JournalRow(
                "a77496024f7c4282b0216f05a7b6a0f4",
                "The last track has ended, and Repeat=none is set.",
                "Start the music with tacet play, or set Repeat=playlist.")
        case .idle:
            JournalRow(
                "71763314571d49b5bd800c7e17a192d5",
                """
                There has been no command for the time in IdleAfter=, so IdlePlaylist= is played. If it cannot be played, \
                the field TACET_REASON contains the reason.
                """,
                "If it cannot be played, correct IdlePlaylist= or the library, and reload the configuration.")
        case .trackSkipped:
            JournalRow(
                "dc84eb892dcc46f58f86d2a5b6430a5c",
                "A track, or a part of it, cannot be played. This is logged once for each track.",
                """
                Check that the user tacet can read the file, and that its format is supported. Copy a damaged file \
                again.
                """)
        case .mediaServicesLost:
            JournalRow(
                "d8abaa5ec6a74eff807aa36105e2cda8",
                """
                The sound device is not available. The daemon tries it again every few seconds, and immediately when \
                a card appears.
                """,
                """
                Use tacet devices to list the cards and the programs that use them. The message contains ALSA's error.
                """)
        case .mediaServicesReset:
            JournalRow(
                "45355862f7e247408220be6d2b156164",
                "The sound device is available again.",
                "If it is lost again and again, check its plug, its cable and its power supply.")
        case .configurationChanged:
            JournalRow(
                "8fe0e6c72ea741df8032edd7879b00f5",
                "The sound device was opened with this rate and this number of channels.")
        case .routeChanged:
            JournalRow(
                "5b910666c90a463aa46c98aea66d409a",
                "The sound now comes from another device.",
                """
                Use tacet status to see which device is in use. If playback should not pause, set \
                PauseOnRouteLoss=no.
                """)
        case .sourceChanged:
            JournalRow(
                "0d722ab08fc84ab2873576573f431ece",
                "Another source is selected. It is an input that began to sound, or what is selected when an input ceases.",
                "Use tacet why to see what is selected and why. TACET_SOURCE contains its name.")
        case .underrun:
            JournalRow(
                "284122e36ac74a79a97c9c9b36de2346",
                """
                The sound device ran out of samples, or it had already begun to play what was to be replaced. There \
                was a gap or a short repetition.
                """,
                """
                If this entry repeats, check what else uses the processor, and whether the entry not-real-time is \
                present. A card that Device= addresses directly is not affected by a sound server.
                """)
        case .notRealTime:
            JournalRow(
                "7eff49565bdd4b379ee128ce0e0eea7e",
                "The daemon does not have real-time priority, or its memory is not locked.",
                "Check LimitRTPRIO= and LimitMEMLOCK= with systemctl show tacet. A container may also deny them.")
        case .fault:
            JournalRow(
                "60bfe0313f574533bfd9b866c13dfe9c",
                """
                Something is wrong with a signal, a button, an output, a sound, or the level of the sound device. \
                TACET_FAULT= contains the kind of fault.
                """,
                """
                For a line, use tacet lines and check the wire, the contact and Bias=. For another source, check the \
                switch, the jack or the program that sets the signal. For a sound, use tacet sounds. If the sound device \
                is muted or turned down, the entry names the setting of the sound server or of the \
                card's mixer to change.
                """)
        case .faultCleared:
            JournalRow(
                "835ad29c46224a9a9c57c3c74240d462",
                "A fault has ended.",
                "If it returns again and again, look for a bad contact or an unstable program.")
        case .linesPolled:
            JournalRow(
                "631f455d2f954d26b333bc3e71fc2521",
                """
                The chip of these lines cannot report edges, for example because it is an I2C expander without an \
                interrupt. The lines are polled.
                """,
                """
                Connect the interrupt of the chip, and name it in the device tree, if the reaction must be faster. \
                Poll= in the section of the line changes the interval.
                """)
        case .edgeLost:
            JournalRow(
                "64677f0b0a0840e696087fb5eb26c456",
                """
                A line has another level than its last edge indicated, so an edge was lost. The level now counts. \
                TACET_COUNT= is the number of edges that have been lost since the start.
                """,
                """
                If this repeats, use another line or chip, and check whether the line changes faster than its debounce \
                circuit allows.
                """)
        case .recordingBegan:
            JournalRow(
                "5fff0ea0d40c4cb0a9c17c9767128163",
                "The microphone is recorded from now on.")
        case .recordingEnded:
            JournalRow(
                "5ae35b3f8d8e4f48bbf88a55bba27cab",
                """
                The microphone is no longer recorded. The entry contains the reason (TACET_REASON=) and when \
                recording continues.
                """,
                "If it does not continue automatically, run tacet record start.")
        case .recordingFile:
            JournalRow(
                "fa7281264a7042be98cfd9f7c77a9b30",
                "A recording has begun, is complete, or was deleted because of Keep= (TACET_FILE=).")
        case .recordingOverrun:
            JournalRow(
                "3e1abfb78b9d4f82b51bbc73c6ddf66c",
                "Frames of the microphone are missing (TACET_FRAMES=), and silence of the same length replaces them.",
                "If this entry repeats, check what uses the processor and the disk, for example with systemd-cgtop.")
        case .recordingStorageLost:
            JournalRow(
                "9b1e988606c84e979c0eb8e7f4e7490f",
                """
                The recording cannot be written, or not fast enough. It is kept in memory for some seconds, and what \
                exceeds that is replaced by silence.
                """,
                "Check whether the disk is full, read-only or slow.")
        case .recordingStorageBack:
            JournalRow(
                "b6a8ac1747cb42c8bc40d1e85de856dd",
                "The recording is written again.")
        case .captureLost:
            JournalRow(
                "a976d1c42fe7437eac71799269964423",
                "The capture device is not available. The daemon keeps trying it.",
                "Use tacet devices to list the cards and the programs that use them.")
        case .captureReturned:
            JournalRow(
                "20eb47eb35fb4f62ad682761f1057a10",
                "The capture device is available again.")
        case .libraryEmpty:
            JournalRow(
                "66cab5d598ed4bdd9d4821b775ec2ef7",
                "There is nothing to play. The daemon plays as soon as it finds music.",
                "Check Library=, whether its disk is mounted, and whether the user tacet can read it.")
        case .libraryFound:
            JournalRow(
                "ae30798de7a14798b2ba96595b27254d",
                "The library contains music again.")
        case .foldersUnreadable:
            JournalRow(
                "5cf0e7fd2e1c4c7f8a2b0b3f6a9c1d42",
                "Folders or playlists of the library cannot be read or exceed a limit, so their music is missing.",
                """
                Give the user tacet access to them, for example with chmod -R a+rX /srv/music, and run systemctl \
                reload tacet.
                """)
        case .filesUnplayable:
            JournalRow(
                "4835637117d34ce2b91ad351a6c1334c",
                "Files of the library have a format that cannot be played, such as .m4a.",
                "Convert them to one of the formats that tacet.conf(5) lists.")
        case .storageLost:
            JournalRow(
                "ce220c906b624128b75f72f5de0e58dc",
                "The disk with the music cannot be read.",
                "Check whether it is mounted, and look for its errors with journalctl -k.")
        case .storageReturned:
            JournalRow(
                "cbd0240976674816aca623b6f9e421a6",
                "The disk with the music can be read again.")
        case .storageSlow:
            JournalRow(
                "6a1cfc3fb6a54f3c94b66fb9fb8ebc42",
                "The disk with the music is too slow, so the music has stopped.",
                "Check what else uses the disk, and whether its errors appear in journalctl -k.")
        case .storageRecovered:
            JournalRow(
                "2ef3feaa451e46be96f1815468492c7f",
                "Enough has been read from the disk, and the music plays again.")
        case .stateUnreadable:
            JournalRow(
                "e5944b4038c9434f9a9f503f22aed714",
                "The saved state cannot be read, so this start is a first boot.",
                """
                A damaged state is kept as state.damaged, which tacet state explains. Unless an older version was \
                installed, check the disk for errors.
                """)
        case .placeLost:
            JournalRow(
                "6d0a3b7be9a24d0f8c54f1e02b97a31c",
                "The track that was playing is missing, so the music starts from the first track.",
                "If the track should exist, check that the disk with the music is mounted at Library=.")
        case .stateUnwritable:
            JournalRow(
                "8d3fdb37bd684ba4ac492972ba424922",
                "The state cannot be saved, so a power cut would lose the position. The daemon keeps trying.",
                "Check whether the disk is full or read-only, and whether /var/lib/tacet belongs to the user tacet.")
        case .stateWrittenAgain:
            JournalRow(
                "92f2f2a8e0a447b3abb9f5948a57dd4f",
                "The state is saved again.")
        case .busLost:
            JournalRow(
                "86933aaa53b74c1cb2d1011d30beafe0",
                "The daemon is not on the bus. It keeps trying, and everything but remote control continues.",
                """
                Check whether another tacetd is running, and whether the bus policy is installed. On a board without \
                a bus, use tacetd --bus=none.
                """)
        case .asleep:
            JournalRow(
                "b92e50a858ed459c8613a32e6e183525",
                "systemd-logind has announced that the system is about to sleep, and the music fades out.")
        case .awake:
            JournalRow(
                "772b11a318a44b99b33fe19965ed8c26",
                """
                The system was suspended or the daemon was stopped (TACET_REASON=) for TACET_ASLEEP_USEC=. The \
                message says what happens next.
                """)
        case .sleepUndelayed:
            JournalRow(
                "ecbdfa98f22a46e2813d45a0df2b5668",
                """
                systemd-logind does not let the daemon delay sleep, so the sound may stop abruptly. This is logged \
                once.
                """,
                "Install polkitd, because systemd-logind only allows root to delay sleep without it.")
        case .hung:
            JournalRow(
                "fc4db19c76564b3bb4f59ed40b9b8bcc",
                """
                A thread makes no progress (TACET_FAULT=). Unless it recovers, the watchdog kills the daemon, and \
                systemd restarts the service.
                """,
                """
                For render, check the sound card and its driver, and for storage, the disk with the music. Report a \
                hang of control, together with the journal.
                """)
        case .entriesLost:
            JournalRow(
                "0beb45ff10174c4b9ce415bca81ee906",
                "The journal did not accept entries in time, so TACET_COUNT= of them are lost.",
                "Check systemd-journald.service.")
        }
    }
}

/// The permanent `MESSAGE_ID` of an event, and its explanation in tacet.journal(7).
struct JournalRow {
    let messageID: String
    /// What has happened, in sentences.
    let meaning: String
    /// What a person can do, in sentences, or nil if no action is needed.
    let remedy: String?

    init(_ messageID: String, _ meaning: String, _ remedy: String? = nil) {
        self.messageID = messageID
        self.meaning = meaning
        self.remedy = remedy
    }
}
