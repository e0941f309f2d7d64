/// The `TACET_…` fields of the journal, by which a technician can filter. They are permanent.
public enum JournalField: String, Hashable, Sendable, CaseIterable {
    /// The prefix of every field's name, which distinguishes the fields from those of other programs.
    public static let prefix = "TACET_"

    case event = "EVENT"
    case signal = "SIGNAL"
    case button = "BUTTON"
    case press = "PRESS"
    case output = "OUTPUT"
    case device = "DEVICE"
    case source = "SOURCE"
    case input = "INPUT"
    case sound = "SOUND"
    case announcement = "ANNOUNCEMENT"
    case effect = "EFFECT"
    case asserted = "ASSERTED"
    case fault = "FAULT"
    case reason = "REASON"
    case shouldResume = "SHOULD_RESUME"
    case outcome = "OUTCOME"
    case playing = "PLAYING"
    case recording = "RECORDING"
    case file = "FILE"
    case frames = "FRAMES"
    case intent = "INTENT"
    case track = "TRACK"
    case position = "POSITION_USEC"
    case length = "LENGTH_USEC"
    case latency = "LATENCY_USEC"
    case silent = "SILENT_USEC"
    case level = "LEVEL"
    case volume = "VOLUME"
    case command = "COMMAND"
    case answer = "ANSWER"
    case issuer = "ISSUER"
    case issuerUser = "ISSUER_UID"
    case issuerProcess = "ISSUER_PID"
    case issuerName = "ISSUER_COMM"
    case asleep = "ASLEEP_USEC"
    case count = "COUNT"
    case delay = "DELAY_USEC"
    case lastRun = "LAST_RUN"
    case savedAt = "SAVED_AT_USEC"
    case savedMonotonic = "SAVED_MONOTONIC_USEC"
    case savedBoot = "SAVED_BOOT_ID"
    case topic = "TOPIC"
    case player = "PLAYER"

    /// The name in the journal, such as `TACET_SIGNAL`.
    public var name: String { Self.prefix + rawValue }

    /// The explanation in tacet.journal(7), or nil if the field shares that of the next one.
    var summary: String? {
        switch self {
        case .event:
            "The event, which is one of the names above."
        case .signal:
            "The signals that the entry is about. The field may occur several times."
        case .button:
            "The button that gave the command or has the fault."
        case .press:
            "How the button was pressed to give the command, which is press, long or double."
        case .output:
            "The output that has changed, together with TACET_ASSERTED=, or that has the fault."
        case .device:
            "The ALSA name of the sound device or capture device that the entry is about."
        case .source:
            "The selected source, which is the name of an input, or library."
        case .input:
            "The input that has the fault."
        case .sound:
            "The name of the sound."
        case .announcement:
            """
            The number of the announcement that the method Announce returned. The field is missing for a cue, whose \
            signal TACET_SIGNAL= contains.
            """
        case .effect:
            "The Effect= of the signal, or the Means= of the output."
        case .asserted:
            "Contains yes if the signal or output is asserted, and no otherwise."
        case .fault:
            """
            The kind of fault. For a signal or button this is stuck, chatter, wire or lost, and for an \
            input or output it is lost. The value sound means that the \
            file of a sound cannot be read, jack that the jack of the output cannot be read or chatters, unsteady \
            that a sound device keeps disappearing, reserved that another program has reserved the sound device, and \
            capture:lost that the capture device is not available. For the event hung, the value is the thread: \
            control, render, storage, capture or recording.
            """
        case .reason:
            """
            The reason. For an interruption this is default, builtInMicMuted or appWasSuspended. For sleep, it is \
            suspended if the whole system slept, stopped if only the daemon did, and announced if the announced sleep \
            did not follow. Otherwise, it is the reason for a change of route, the error message for what cannot be \
            opened, read or written, the first error of a configuration, or why a recording pauses or a file ends.
            """
        case .shouldResume:
            "Contains yes if the end of the interruption recommends resuming, and no otherwise."
        case .outcome:
            """
            What follows in words, such as ‘plays ‘One.flac’ at 2:31’. The field is present in every entry that \
            follows an event.
            """
        case .playing:
            """
            Contains yes if the music plays from now on, and no otherwise. The field is present in every entry that \
            follows an event.
            """
        case .recording:
            "Contains yes if the microphone is recorded from now on, and no otherwise."
        case .file:
            "The path of a recording, or of the file that an announcement contained."
        case .frames:
            "The number of frames that a recording has, or that are missing."
        case .intent:
            "What the user wants, which is playing, paused or stopped."
        case .track:
            "The path of the track."
        case .position:
            "The position in the track at which the music plays or will resume, in microseconds."
        case .length:
            "The length of the track in microseconds, if it is known."
        case .latency:
            """
            The time from the edge, as the kernel timestamped it, to the first changed sample at the converter, in \
            microseconds. For a cue, this is the time to its first frame.
            """
        case .silent:
            """
            The time from the edge until the effect is complete, in microseconds. The effect is silence or the ducked \
            level.
            """
        case .level:
            "A level in dB, or mute."
        case .volume:
            "The volume of the music from now on, in dB, or mute."
        case .command:
            "The command, such as ‘volume -6dB’."
        case .answer:
            """
            The answer to the command, which is success, deferred, noActionableNowPlayingItem, noSuchContent or \
            commandFailed. See org.tacet.Session1(5).
            """
        case .issuer:
            "What gave the command, which is bus or button."
        case .issuerUser: nil
        case .issuerProcess: nil
        case .issuerName:
            """
            The user, the process and the program that gave a command over the bus, if the sandbox of the service \
            lets the daemon read them.
            """
        case .asleep:
            """
            How long the system was suspended or the daemon was stopped, in microseconds. If the daemon was stopped, \
            the value may be up to one second too short.
            """
        case .count:
            "The number of entries that are lost."
        case .delay:
            """
            How long the entry waited until the journal accepted it, in microseconds. The entry is older than its \
            time in the journal by this much. The field is missing if this was less than a second.
            """
        case .lastRun:
            """
            How the last run ended, which is stopped, killed or power-cut. The last of them also includes a reset and \
            a crash of the kernel.
            """
        case .savedAt:
            """
            The time at which the restored state was saved, by the wall clock of that time, in microseconds since \
            1970.
            """
        case .savedMonotonic: nil
        case .savedBoot:
            """
            The time at which the restored state was saved, by the monotonic clock of that boot, and the ID of that \
            boot.
            """
        case .topic:
            "The topic of the broker, for an entry of tacet-mqtt(8)."
        case .player:
            "The player that the entry is about."
        }
    }
}
