/// The names and the path of Tacet on the bus.
public enum SessionAddress {
    public static let name = "org.mpris.MediaPlayer2.tacet"
    public static let path = "/org/mpris/MediaPlayer2"
    public static let session = "org.tacet.Session1"
    public static let player = "org.mpris.MediaPlayer2.Player"
    public static let trackList = "org.mpris.MediaPlayer2.TrackList"
    public static let playlists = "org.mpris.MediaPlayer2.Playlists"
}

/// The methods of `org.tacet.Session1`, in the order of the introspection.
public enum SessionMethod: String, Sendable, CaseIterable {
    case command = "Command"
    case announce = "Announce"
    case setSignal = "SetSignal"
    case hush = "Hush"
    case tracks = "Tracks"
    case setPrefersNoInterruptionsFromSystemAlerts = "SetPrefersNoInterruptionsFromSystemAlerts"
    case reportPlayer = "ReportPlayer"
    case reportPlayerProblem = "ReportPlayerProblem"
    case reportInput = "ReportInput"

    /// The names and D-Bus types of the arguments.
    public typealias Arguments = [(name: String, type: String)]

    public var inputs: Arguments {
        switch self {
        case .command: [("command", "s")]
        case .announce: [("name", "s"), ("options", "a{sv}")]
        case .setSignal: [("name", "s"), ("asserted", "b"), ("lease_usec", "t")]
        case .hush: []
        case .tracks: [("text", "s"), ("first", "u")]
        case .setPrefersNoInterruptionsFromSystemAlerts: [("preferred", "b")]
        case .reportPlayer: [("name", "s"), ("report", "s"), ("own", "b"), ("order", "t")]
        case .reportPlayerProblem: [("name", "s"), ("problem", "s")]
        case .reportInput: [("name", "s"), ("title", "s"), ("artist", "s"), ("problem", "s")]
        }
    }

    public var answers: Arguments {
        switch self {
        case .command: [("answer", "s"), ("reason", "s")]
        case .announce: [("answer", "s"), ("id", "t")]
        case .setSignal: [("answer", "s")]
        case .hush: [("answer", "s")]
        case .tracks: [("names", "as"), ("count", "u")]
        case .setPrefersNoInterruptionsFromSystemAlerts, .reportPlayer, .reportPlayerProblem: []
        case .reportInput: [("url", "s"), ("pipe", "s")]
        }
    }

    /// The explanation in org.tacet.Session1(5).
    var summary: String {
        switch self {
        case .command:
            """
            Executes a command. The argument command is play, pause, playPause, stop, next, previous, hush, record, \
            stopRecording, play with the name of a track, folder or playlist of the library, which the options --at and \
            --then of tacet-play(1) may follow (play stories --then stop), seek with a position (seek 1min30s), volume with a level (volume -6dB or volume mute), or \
            announce with the name of a sound (announce gong). Anything else causes the error InvalidArgs. The \
            argument reason explains the answer commandFailed and is empty otherwise. The section ANSWERS describes \
            the answers of each command.
            """
        case .announce:
            """
            Requests an announcement, which plays a sound once. Unknown options and invalid values cause the error \
            InvalidArgs. All options are optional:

            priority, an integer from 0 to 100, replaces the Priority= of the sound.

            maximumPriority, an integer from 0 to 100, limits the priority, including that of the sound. Programs \
            that pass on announcements of others should set it.

            expire, an integer, replaces the Expire= of the sound. If the announcement has not begun after this many \
            microseconds, it is dropped. The value 0 means as configured, and 18446744073709551615, which is the \
            largest t, means never.

            file, a string, is the absolute path of an audio file that is played instead of the file of the sound. It \
            may have any format that Library= may contain, and at most 2 MiB (2097152 bytes). The daemon runs as the \
            user tacet with its own /tmp and must be able to read the file. It reads the file into memory before it \
            answers, so the file may be deleted after the answer. If reading takes more than 20 s, or until the \
            announcement expires, the daemon gives up. Level=, Effect=, DuckLevel=, Priority= and Expire= are still \
            those of the sound, whose own file need not be readable.

            level, a double from -120 to 0, is added to the Level= of the sound for that file, in decibels.

            The argument id is the number of the announcement, which its signals contain, or 0 if it was not \
            accepted. A request that Again= or Once= of the sound ignores, or that restarts another announcement, gets the \
            number of the announcement that is playing or queued, or 0 if there is none. Numbers start again when the \
            daemon starts.
            """
        case .setSignal:
            """
            Asserts or releases a signal with Source=bus. Another signal causes the error InvalidArgs. The argument \
            lease_usec is the time in microseconds for which this counts unless the caller renews it with the same \
            call. The value 0 means the Lease= of the signal, and 18446744073709551615, which is the largest t, means \
            for as long as the caller stays on the bus. If the lease expires or the caller leaves the bus, the signal \
            is lost, and LostGrace= and WhenLost= apply. Leases are paused for at most a minute while the daemon is \
            not on the bus, or while the bus is too busy to answer it.

            Several callers may assert the same signal, which is released when the last of them releases it. A caller \
            that does not assert the signal releases it for all callers. A release with a lease of 0 need not be \
            renewed. A release with another lease must also be renewed, and if it expires, the signal is lost. \
            However, it does not speak for programs of other users: if the last caller that asserts the signal is \
            lost, the signal is lost. If a reload removes the signal or gives it another source, and a later reload \
            restores it, the assertions count again, unless they have been released or have expired.

            The answer is success, or commandFailed while another configuration is being applied.
            """
        case .hush:
            """
            Withdraws all announcements. Cues are not affected. The answer is success, or noActionableNowPlayingItem \
            if there is no announcement.
            """
        case .tracks:
            """
            Lists the tracks of the library by the names under which the command play can choose them. Any user may call \
            this method. Only names that contain text are listed, in upper or lower case. The argument first is the \
            number of the first name to return, counted from 0. The answer contains at most a thousand names in the \
            order of the library, and the number of all names that match. The method fails while many other lists are \
            being made, and with LimitsExceeded beyond the limits above.
            """
        case .setPrefersNoInterruptionsFromSystemAlerts:
            """
            Replaces PrefersNoInterruptionsFromSystemAlerts= until the configuration is loaded again. If preferred is \
            true, signals with Alert=yes that are asserted from now on do not interrupt. A signal that already \
            interrupts continues to do so.
            """
        case .reportPlayer:
            """
            Reports what a player does, which is playing, paused or gone. Only root and the user tacet-players may call \
            this method, which is how tacet-players(8) answers the signal PlayerCommand. If own is true, the player \
            has changed on its own, which means that somebody has used it. Otherwise, the player was found in this \
            state, which confirms an order if it is the outcome. The argument order is the number of the last order to \
            this player that the caller has received. If the daemon has given another order since, it ignores the \
            report, because the outcome of that order follows. A player without a section [Player NAME] causes the error \
            InvalidArgs.
            """
        case .reportPlayerProblem:
            """
            Reports why a player cannot be controlled, for example because it requires a password. The argument problem is \
            empty if the player can be controlled or is not running. Only root and the user tacet-players may call this \
            method. The problem is part of Health until another report replaces it.
            """
        case .reportInput:
            """
            Reports the state of an input with From=stream. Only root and the user tacet-stream may call this method, \
            which is how tacet-stream(8) works. The arguments title and artist are those of what plays, and artist may \
            be the name of the station. The argument problem says why nothing can be played. Each of them may be empty. \
            The answer is the complete URL, which may contain a password, and the path of the pipe into which the audio \
            must be written, in the format s16le:48000:2. An input that is not a stream causes the error InvalidArgs.
            """
        }
    }
}

/// The properties of `org.tacet.Session1`, in the order of the introspection.
public enum SessionProperty: String, Sendable, CaseIterable {
    case version = "Version"
    case interrupted = "Interrupted"
    case reasons = "Reasons"
    case signals = "Signals"
    case signalStates = "SignalStates"
    case device = "Device"
    case route = "Route"
    case rewindMargin = "RewindMargin"
    case deviceAvailable = "DeviceAvailable"
    case health = "Health"
    case sound = "Sound"
    case sounds = "Sounds"
    case outputs = "Outputs"
    case recording = "Recording"
    case recordingFile = "RecordingFile"
    case microphoneMuted = "MicrophoneMuted"
    case gain = "Gain"
    case status = "Status"
    case lastCheckpoint = "LastCheckpoint"
    case lines = "Lines"
    case polledLines = "PolledLines"
    case repairedEdges = "RepairedEdges"
    case inputs = "Inputs"
    case players = "Players"
    case scene = "Scene"
    case why = "Why"

    /// The D-Bus type.
    public var type: String {
        switch self {
        case .version, .device, .route, .sound, .recordingFile, .status, .why: "s"
        case .interrupted, .deviceAvailable, .recording, .microphoneMuted: "b"
        case .reasons, .health: "as"
        case .signals, .outputs: "a(ssb)"
        case .signalStates: "a(ss)"
        case .rewindMargin, .lastCheckpoint: "t"
        case .sounds: "a(sdbss)"
        case .gain: "d"
        case .lines: "a(ssub)"
        case .polledLines: "a(sus)"
        case .repairedEdges: "t"
        case .inputs: "a(ssssd)"
        case .players: "a{s(sssbt)}"
        case .scene: "a{sv}"
        }
    }

    /// True if `PropertiesChanged` reports changes to the property. The other properties change all the time or rarely
    /// matter.
    public var isReported: Bool {
        switch self {
        case .lastCheckpoint, .lines, .polledLines, .repairedEdges, .inputs, .scene, .why: false
        default: true
        }
    }

    /// The explanation in org.tacet.Session1(5).
    var summary: String {
        switch self {
        case .version:
            "The version of Tacet, as printed by tacet --version."
        case .interrupted:
            "True if an interruption is in progress."
        case .reasons:
            """
            The reason for the interruption: default, builtInMicMuted (the microphone of a session that records was \
            muted) or appWasSuspended (the interruption was found at a boot, after a reload or after sleep).
            """
        case .signals:
            "The name and the effect of each signal, and true if it is active."
        case .signalStates:
            """
            The name and the state of each signal. The state is deasserted, inForce (active), suppressed (an alert \
            that may not interrupt) or dropped (stuck).
            """
        case .device:
            "The sound device that is in use."
        case .route:
            """
            One of preferred, fallback (one of FallbackDevices= is in use) and unplugged (the plug has been pulled \
            out of Jack=).
            """
        case .rewindMargin:
            """
            How much of the audio that is queued in the device cannot be replaced any more, in microseconds. The \
            value is 0 if queued audio cannot be replaced at all, or if this has not been measured.
            """
        case .deviceAvailable:
            "True if the sound device can be used."
        case .health:
            "Descriptions of everything that is wrong. The array is empty if nothing is."
        case .sound:
            "The name of the sound that is pending or playing, or an empty string."
        case .sounds:
            """
            The name of each sound, its length in seconds (0 if it is unknown), true if its file can be read, the \
            reason if it cannot, and its state. The state is due (pending or playing), waiting (an announcement of it \
            waits) or idle.
            """
        case .outputs:
            "The name and the Means= of each output, and true if it is asserted."
        case .recording:
            "True if the microphone is recorded."
        case .recordingFile:
            "The path of the file that is being written, or an empty string."
        case .microphoneMuted:
            "True if a signal mutes the microphone."
        case .gain:
            """
            The level in dB to which signals and announcements turn the music down. The value is 0 if the music is \
            not ducked, and -120 if it is silent. The volume is not included.
            """
        case .status:
            "The status line that systemctl status displays."
        case .lastCheckpoint:
            """
            The time at which the state was last saved, in microseconds since 1970, or 0 if it has not been saved \
            yet.
            """
        case .lines:
            """
            The signal, button or output of each line that the daemon holds, the path of the chip, the offset of the \
            line, and true if the electrical level is high.
            """
        case .polledLines:
            """
            The lines that are polled, because their chips cannot report edges. Each has its signal or button, the time \
            between two readings in milliseconds, and the reason in the words of the system.
            """
        case .repairedEdges:
            """
            The number of edges that were lost since the start or the last reload. Tacet found them by reading the levels \
            again, which it does every five seconds, and every second after it has found one.
            """
        case .inputs:
            """
            For each input, its name, its From=, its Role= (or automatic), its state, which is \
            silent, sounding, selected or lost, and the peak level of what has just arrived in decibels relative to full \
            scale, which is -120 if nothing has arrived for a second.
            """
        case .players:
            """
            For the name of each player, its Bus= and its MPD=, of which one is empty, its last report, which is \
            playing, paused or gone, true if Tacet has ordered it to pause, and the number of the last order to pause or \
            play. A player is playing until it has confirmed an order to pause, and an order to play counts as its report. \
            A program that can control players therefore finds here what each of them should do, even if it has missed \
            orders.
            """
        case .scene:
            """
            The current state, with the keys of a trace. Keys without a value are missing. The keys are intent \
            (playing, paused or stopped), session (active or interrupted), playing, gain_db, volume_db, \
            microphone_muted, services (available or lost), active, notifications, track, position (in seconds), \
            answer, faults, sound (the one that is pending or playing), waiting (the announcements that wait, the \
            oldest first) and outputs (those that are asserted).

            announcement is the number of the announcement in sound, as text. sound_ids contains the numbers of the \
            notifications that are about sounds, in their order and as text, with 0 for a cue. cut_causes contains \
            the cause of each soundCut in its order: withdrawn, displaced, released, unreadable, deviceLost, asleep, \
            reloaded or restarted. recording is true while the microphone is recorded, and recorded is the time that has been \
            recorded since the start, in seconds. source is the selected source, which is the name of an input or \
            library, and players contains the players that Tacet keeps paused, as they have confirmed. ordered_players \
            contains all players that it has ordered to pause, and displaced_players those in whose place something else \
            is played, whether or not they play. They are missing if they are empty.

            quiet_cause is the reason why the music is silent or ducked, and is missing otherwise. It is \
            nothing-to-play, interrupted (followed by the signals), device-lost, resume-delay, announcement (followed \
            by the sound), paused or stopped (followed by the reason: user, start, ends and the signals, reset, \
            unplugged or list-end), mute-volume, stalled (followed by storage, device, or output if the output is muted \
            outside Tacet), or ducked (followed by the signals).
            """
        case .why:
            "The sentence that tacet-why(1) prints."
        }
    }
}

/// The signals of `org.tacet.Session1`, in the order of the introspection.
public enum SessionSignal: String, Sendable, CaseIterable {
    case event = "Event"
    case interruptionBegan = "InterruptionBegan"
    case interruptionEnded = "InterruptionEnded"
    case duckBegan = "DuckBegan"
    case duckChanged = "DuckChanged"
    case duckEnded = "DuckEnded"
    case mediaServicesWereLost = "MediaServicesWereLost"
    case mediaServicesWereReset = "MediaServicesWereReset"
    case configurationChanged = "ConfigurationChanged"
    case routeChanged = "RouteChanged"
    case sourceChanged = "SourceChanged"
    case inputMuteStateChanged = "InputMuteStateChanged"
    case soundBegan = "SoundBegan"
    case soundEnded = "SoundEnded"
    case soundCut = "SoundCut"
    case soundExpired = "SoundExpired"
    case playerCommand = "PlayerCommand"

    /// The names and D-Bus types of the arguments.
    public var arguments: SessionMethod.Arguments {
        switch self {
        case .event: [("realtime_usec", "t"), ("monotonic_usec", "t"), ("event", "s"), ("scene", "a{sv}")]
        case .interruptionBegan: [("reason", "s"), ("signals", "as")]
        case .interruptionEnded: [("shouldResume", "b")]
        case .duckBegan, .duckChanged: [("level", "d")]
        case .duckEnded, .mediaServicesWereLost, .mediaServicesWereReset, .configurationChanged: []
        case .routeChanged: [("reason", "s")]
        case .sourceChanged: [("source", "s")]
        case .inputMuteStateChanged: [("muted", "b")]
        case .soundBegan, .soundEnded, .soundCut, .soundExpired: [("name", "s"), ("id", "t")]
        case .playerCommand: [("name", "s"), ("command", "s"), ("order", "t")]
        }
    }

    /// The explanation in org.tacet.Session1(5), or nil if the signal shares that of the next one.
    var summary: String? {
        switch self {
        case .event:
            """
            Reports every event in the words of a trace, such as ‘assert phone-call’. The argument scene is the state \
            after the event, in the form of the property Scene.
            """
        case .interruptionBegan:
            nil
        case .interruptionEnded:
            """
            Report that an interruption has begun or ended. If shouldResume is true, the end recommends resuming. The \
            signals do not depend on whether anything was playing.
            """
        case .duckBegan:
            nil
        case .duckChanged:
            nil
        case .duckEnded:
            """
            Report that the music is turned down to a level in dB, that the level has changed, or that the music has \
            returned to its full level.
            """
        case .mediaServicesWereLost:
            nil
        case .mediaServicesWereReset:
            "Report that the sound device is lost, or that it has returned."
        case .configurationChanged:
            "Reports that the rate or the number of channels of the device has changed."
        case .routeChanged:
            "Reports that another device is used. The reason is oldDeviceUnavailable or newDeviceAvailable."
        case .sourceChanged:
            """
            Reports that another source is selected, which is the name of an input, or library. It is reported whether or \
            not anything is heard.
            """
        case .inputMuteStateChanged:
            "Reports that a signal mutes the microphone, or that no signal mutes it any more."
        case .soundBegan:
            """
            Reports that a sound is pending and plays as soon as the music has faded. Here and below, id is the \
            number of the announcement, or 0 for a cue.
            """
        case .soundEnded:
            "Reports that a sound has played to its end."
        case .soundCut:
            """
            Reports that a sound was cut off. It may begin again, unless the announcement was withdrawn, which \
            cut_causes says.
            """
        case .soundExpired:
            """
            Reports that an announcement will not be played any more. Every announcement ends with exactly one \
            SoundEnded or SoundExpired, or with the SoundCut of a hush.
            """
        case .playerCommand:
            """
            Orders a player to do something, which tacet-players(8) carries out. The argument command is play, pause, \
            next, previous, or seek with a position in seconds, such as seek 12.5s. The argument order is the number of \
            the last order to pause or play. Numbers start anywhere when the daemon starts.
            """
        }
    }
}
