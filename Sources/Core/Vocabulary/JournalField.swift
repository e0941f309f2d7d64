/// The `TACET_…` fields of the journal, by which a technician can filter. They are permanent.
public enum JournalField: String, Hashable, Sendable, CaseIterable {
    /// The prefix of every field's name, which distinguishes the fields from those of other programs.
    public static let prefix = "TACET_"

    case event = "EVENT"
    case signal = "SIGNAL"
    case button = "BUTTON"
    case output = "OUTPUT"
    case device = "DEVICE"
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

    /// The name in the journal, such as `TACET_SIGNAL`.
    public var name: String { Self.prefix + rawValue }

    /// The explanation in tacetd(8), or nil if the field shares that of the next one.
    var summary: String? {
        switch self {
        case .event:
            "The event: one of the names above."
        case .signal:
            "The signals that the entry is about; the field can occur several times."
        case .button:
            "The button, of a command or a fault."
        case .output:
            "The output, of a change (with TACET_ASSERTED=) or a fault."
        case .device:
            """
            The sound device or capture device, by ALSA's name: of a loss or return, a change of format or route, or \
            a fault.
            """
        case .sound:
            "The sound."
        case .announcement:
            """
            The number of the announcement, as Announce answered it; absent for the cue of a signal, which \
            TACET_SIGNAL= names.
            """
        case .effect:
            "The signal's Effect=, or what the output means."
        case .asserted:
            "Of a signal or an output: yes or no."
        case .fault:
            """
            stuck, chatter or lost; sound, if its file cannot be read; jack, if the jack of the output cannot be \
            read or chatters; unsteady, if a sound device keeps disappearing; capture:lost, if the capture device is \
            not available; of hung: control, render, storage, capture or recording.
            """
        case .reason:
            """
            Why: an interruption (default, builtInMicMuted, appWasSuspended), a change of route, a lost device, a \
            sleep (suspended: the whole system; stopped: only the daemon; announced: it did not come), the system's \
            words for what cannot be read or written, or the first mistake of a configuration; why a recording \
            pauses or a file ends.
            """
        case .shouldResume:
            "Whether the end of the interruption recommends resuming: yes or no."
        case .outcome:
            "What follows, in words, such as ‘plays ‘One.flac’ at 2:31’. Every entry that follows an event has it."
        case .playing:
            "Whether the music plays from now on: yes or no. Every entry that follows an event has it."
        case .recording:
            "Whether the microphone is recorded from now on: yes or no."
        case .file:
            "The path of a recording, or of the file that an announcement brought."
        case .frames:
            "Of a recording: its length, or what is missing, in frames."
        case .intent:
            "What the user wants: playing, paused or stopped."
        case .track:
            "The path of the track."
        case .position:
            "Its position, where it plays or will resume, in microseconds."
        case .length:
            "Its length, if it is known."
        case .latency:
            """
            From the edge of the line, as the kernel stamped it, to the first changed sample at the converter; for a \
            cue, to its first frame.
            """
        case .silent:
            "From the edge until the effect is complete: silence, or the ducked level."
        case .level:
            "A level in dB, or mute."
        case .volume:
            "The volume of the music from now on, in dB or mute."
        case .command:
            "The command, such as ‘volume -6dB’."
        case .answer:
            "Its answer: success, deferred, noActionableNowPlayingItem, noSuchContent or commandFailed."
        case .issuer:
            "Who gave the command: bus or button."
        case .issuerUser: nil
        case .issuerProcess: nil
        case .issuerName:
            "Of a client of the bus: user, process and program, as far as the sandbox lets the daemon see them."
        case .asleep:
            """
            How long the system was suspended, in microseconds. Of a daemon that was stopped, a second of it can be \
            missing.
            """
        case .count:
            "How many entries are lost."
        case .delay:
            """
            How long the entry waited before the journal accepted it, in microseconds: it is older than its time in \
            the journal. Missing if that was less than a second.
            """
        case .lastRun:
            "How the last run ended: stopped, killed, or power-cut (also a reset or a crash of the kernel)."
        case .savedAt:
            "When the restored state was saved, by the wall clock of that time."
        case .savedMonotonic: nil
        case .savedBoot:
            "The same since a boot, and the ID of that boot."
        case .topic:
            "The broker's topic, of an entry of tacet-mqtt(8)."
        }
    }
}
