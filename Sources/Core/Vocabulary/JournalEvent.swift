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
    case noOpReason = "remark"
    case microphone
    case command
    case playbackEnded = "programme-ended"
    case trackSkipped = "track-skipped"
    case mediaServicesLost = "media-services-lost"
    case mediaServicesReset = "media-services-reset"
    case configurationChanged = "configuration-changed"
    case routeChanged = "route-changed"
    case underrun
    case notRealTime = "not-real-time"
    case fault
    case faultCleared = "fault-cleared"
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

    /// The event's row of the table in tacetd(8).
    var row: JournalRow {
        switch self {
        case .started:
            JournalRow(
                "790f356d94ba4883b1637edcf7a19a38",
                """
                The daemon runs: what it plays, from which saved state, and how its last run ended \
                (TACET_LAST_RUN=).
                """)
        case .startRefused:
            JournalRow(
                "7d4c1f0a52b94c6e8f3b0f5f6a1c9e27",
                "The configuration has mistakes, and the daemon exits with 78.")
        case .stopping:
            JournalRow(
                "09611bead07a4f8b9a4a096c8c46e1a7",
                "The daemon stops as requested; its position is saved, or cannot be.")
        case .reloaded:
            JournalRow(
                "ac013633986d4965bb11b93dae1c1f06",
                "A new configuration is active.")
        case .reloadRefused:
            JournalRow(
                "91862fb0cc5b4e988ea8c59bea240a20",
                "The new configuration has mistakes, or nothing to play; the previous one stays active.")
        case .configurationRejected:
            JournalRow(
                "0c4faef154f5485a9f1b9982e8f273fe",
                "The configuration has mistakes; the daemon started with the last one that worked.")
        case .configurationNotKept:
            JournalRow(
                "c99afa8b57e04e3eb86a5c98d1b32119",
                "The active configuration cannot be kept for a start with mistakes.")
        case .interruptionBegan:
            JournalRow(
                "d593067bf139485592f4009d9b101a94",
                "Music is interrupted: by which signals, and what will follow.")
        case .interruptionEnded:
            JournalRow(
                "1ad45dfe9feb428384829124c75f9536",
                """
                The interruption has ended: whether resuming is recommended (TACET_SHOULD_RESUME=), and what happens \
                next.
                """)
        case .interruptionHeard:
            JournalRow(
                "8dc12972bc1a4579b2770018cb471196",
                """
                How long after its edge the interruption was audible, and complete. A warning if it took longer than \
                tacet verify states.
                """)
        case .duckBegan:
            JournalRow(
                "2c939d44ff57482da73ac7b20afbfcc3",
                "Music is turned down to TACET_LEVEL=.")
        case .duckChanged:
            JournalRow(
                "4b1e449201a2479d9aa4897e55ed1945",
                "The level to which music is turned down has changed.")
        case .duckEnded:
            JournalRow(
                "b01a35d667844a1fbb04578a7b880b22",
                "Music is back at full level.")
        case .soundBegan:
            JournalRow(
                "8794f11dbb764ea9a0eec6de9de259a9",
                """
                A sound became due: the cue of a signal, or an announcement. If the music gives way first, the \
                sound is heard a moment later.
                """)
        case .soundHeard:
            JournalRow(
                "18b867dfa6c74f5e87e9a1b8bb6b3bb3",
                "How long after the edge of its signal the first frame of a cue was heard.")
        case .soundEnded:
            JournalRow(
                "6df970fe0a024c8eaf8497cc488f5324",
                "A sound was heard to its end.")
        case .soundCut:
            JournalRow(
                "15f0841991634190ade93eb191f1afa7",
                """
                A sound was cut off before its end, or an announcement was withdrawn; TACET_OUTCOME= says whether it \
                starts again.
                """)
        case .soundExpired:
            JournalRow(
                "0511aea968be4a6090bbb9557d0e8b09",
                "An announcement could not be heard in time, or its file cannot be read any more; it is dropped.")
        case .soundBroken:
            JournalRow(
                "8ac441cfa95f413f8b54c34fa1f00fd7",
                "The rest of a long sound cannot be read.")
        case .signal:
            JournalRow(
                "5a1d1b3fd1d246d7a8c8b0f2d2f8f5a6",
                "A signal was asserted or released without beginning or ending anything on its own.")
        case .signalSuppressed:
            JournalRow(
                "ce1d483d14114412bbbfb76988cf39f3",
                "A signal with Alert=yes was asserted and may not interrupt.")
        case .output:
            JournalRow(
                "d2d9815761074eb9a7b9e822867ae702",
                "An output has changed (TACET_OUTPUT=, TACET_ASSERTED=).")
        case .noOpReason:
            JournalRow(
                "0f6b7c1e9d8a4e52b3b1a94e7c2d5f10",
                "An event that changed nothing, such as the late end of a stuck signal.")
        case .microphone:
            JournalRow(
                "3654cbeea45e4fa390e355035dc9f3d4",
                "The microphone was muted or unmuted, or cannot be.")
        case .command:
            JournalRow(
                "aa0352e8ef2b46f8aaa6b46d9fcb3410",
                "Somebody gave a command: which, who, and the answer.")
        case .playbackEnded:
            JournalRow(
                "a77496024f7c4282b0216f05a7b6a0f4",
                "The last track is over (Repeat=none).")
        case .trackSkipped:
            JournalRow(
                "dc84eb892dcc46f58f86d2a5b6430a5c",
                "A track cannot be played and was skipped. Logged once a track.")
        case .mediaServicesLost:
            JournalRow(
                "d8abaa5ec6a74eff807aa36105e2cda8",
                "The sound device is not available; the daemon keeps trying.")
        case .mediaServicesReset:
            JournalRow(
                "45355862f7e247408220be6d2b156164",
                "The sound device has returned.")
        case .configurationChanged:
            JournalRow(
                "8fe0e6c72ea741df8032edd7879b00f5",
                "The sound device was opened with this rate and these channels.")
        case .routeChanged:
            JournalRow(
                "5b910666c90a463aa46c98aea66d409a",
                "Another sound device plays.")
        case .underrun:
            JournalRow(
                "284122e36ac74a79a97c9c9b36de2346",
                """
                The sound device ran dry, or had begun to play what was to be replaced: there was a gap or a short \
                repetition.
                """)
        case .notRealTime:
            JournalRow(
                "7eff49565bdd4b379ee128ce0e0eea7e",
                "The daemon has no real-time priority, or its memory is not locked.")
        case .fault:
            JournalRow(
                "60bfe0313f574533bfd9b866c13dfe9c",
                """
                The line of a signal or button is stuck, chatters or is lost, the line of an output cannot be \
                driven, or the file of a sound cannot be read (TACET_FAULT=).
                """)
        case .faultCleared:
            JournalRow(
                "835ad29c46224a9a9c57c3c74240d462",
                "The fault is over.")
        case .recordingBegan:
            JournalRow(
                "5fff0ea0d40c4cb0a9c17c9767128163",
                "The microphone is recorded from here on.")
        case .recordingEnded:
            JournalRow(
                "5ae35b3f8d8e4f48bbf88a55bba27cab",
                "The microphone is no longer recorded: why (TACET_REASON=), and when it continues.")
        case .recordingFile:
            JournalRow(
                "fa7281264a7042be98cfd9f7c77a9b30",
                "A recording begins, is complete, or was deleted to keep within Keep= (TACET_FILE=).")
        case .recordingOverrun:
            JournalRow(
                "3e1abfb78b9d4f82b51bbc73c6ddf66c",
                "Frames of the microphone are missing (TACET_FRAMES=); silence replaces them.")
        case .recordingStorageLost:
            JournalRow(
                "9b1e988606c84e979c0eb8e7f4e7490f",
                "The recording cannot be written, or only slowly; it waits in memory for some seconds.")
        case .recordingStorageBack:
            JournalRow(
                "b6a8ac1747cb42c8bc40d1e85de856dd",
                "The recording is written again.")
        case .captureLost:
            JournalRow(
                "a976d1c42fe7437eac71799269964423",
                "The capture device is not available; the daemon keeps trying.")
        case .captureReturned:
            JournalRow(
                "20eb47eb35fb4f62ad682761f1057a10",
                "The capture device has returned.")
        case .libraryEmpty:
            JournalRow(
                "66cab5d598ed4bdd9d4821b775ec2ef7",
                "There is nothing to play.")
        case .libraryFound:
            JournalRow(
                "ae30798de7a14798b2ba96595b27254d",
                "There is something to play again.")
        case .foldersUnreadable:
            JournalRow(
                "5cf0e7fd2e1c4c7f8a2b0b3f6a9c1d42",
                "Folders or playlists of the library cannot be read, or exceed a limit; their music is missing.")
        case .filesUnplayable:
            JournalRow(
                "4835637117d34ce2b91ad351a6c1334c",
                "Files of the library are of a kind that cannot be played, such as .m4a.")
        case .storageLost:
            JournalRow(
                "ce220c906b624128b75f72f5de0e58dc",
                "The disk with the music cannot be read.")
        case .storageReturned:
            JournalRow(
                "cbd0240976674816aca623b6f9e421a6",
                "The disk with the music can be read again.")
        case .storageSlow:
            JournalRow(
                "6a1cfc3fb6a54f3c94b66fb9fb8ebc42",
                "The disk with the music is too slow: the music has stopped.")
        case .storageRecovered:
            JournalRow(
                "2ef3feaa451e46be96f1815468492c7f",
                "Enough has been read from the disk with the music, which plays again.")
        case .stateUnreadable:
            JournalRow(
                "e5944b4038c9434f9a9f503f22aed714",
                "The saved state cannot be read; this start is a first boot.")
        case .placeLost:
            JournalRow(
                "6d0a3b7be9a24d0f8c54f1e02b97a31c",
                "The track that was played is missing; the music starts from its first track.")
        case .stateUnwritable:
            JournalRow(
                "8d3fdb37bd684ba4ac492972ba424922",
                "The state cannot be saved; a power cut would lose the position.")
        case .stateWrittenAgain:
            JournalRow(
                "92f2f2a8e0a447b3abb9f5948a57dd4f",
                "The state can be saved again.")
        case .busLost:
            JournalRow(
                "86933aaa53b74c1cb2d1011d30beafe0",
                "The daemon is not on the bus; it keeps trying.")
        case .asleep:
            JournalRow(
                "b92e50a858ed459c8613a32e6e183525",
                "systemd-logind has announced that the system is about to sleep; the music fades out.")
        case .awake:
            JournalRow(
                "772b11a318a44b99b33fe19965ed8c26",
                """
                The system was suspended, or the daemon was stopped (TACET_REASON=), for TACET_ASLEEP_USEC=; what \
                happens next.
                """)
        case .sleepUndelayed:
            JournalRow(
                "ecbdfa98f22a46e2813d45a0df2b5668",
                "systemd-logind does not let the daemon delay sleep. Logged once.")
        case .hung:
            JournalRow(
                "fc4db19c76564b3bb4f59ed40b9b8bcc",
                "A thread makes no progress (TACET_FAULT=); the watchdog will restart the service.")
        case .entriesLost:
            JournalRow(
                "0beb45ff10174c4b9ce415bca81ee906",
                "The journal did not accept entries in time; TACET_COUNT= of them are lost.")
        }
    }
}

/// The permanent `MESSAGE_ID` of an event, and its explanation in a manual page.
struct JournalRow {
    let messageID: String
    let summary: String

    init(_ messageID: String, _ summary: String) {
        self.messageID = messageID
        self.summary = summary
    }
}
