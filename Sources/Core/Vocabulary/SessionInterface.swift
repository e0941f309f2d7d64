/// The names and the path of Tacet on the bus.
public enum SessionAddress {
    public static let name = "org.mpris.MediaPlayer2.tacet"
    public static let path = "/org/mpris/MediaPlayer2"
    public static let session = "org.tacet.Session1"
    public static let player = "org.mpris.MediaPlayer2.Player"
}

/// The methods of `org.tacet.Session1`, in the order of the introspection.
public enum SessionMethod: String, Sendable, CaseIterable {
    case command = "Command"
    case announce = "Announce"
    case setSignal = "SetSignal"
    case hush = "Hush"
    case setPrefersNoInterruptionsFromSystemAlerts = "SetPrefersNoInterruptionsFromSystemAlerts"

    /// The names and D-Bus types of the arguments.
    public typealias Arguments = [(name: String, type: String)]

    public var inputs: Arguments {
        switch self {
        case .command: [("command", "s")]
        case .announce: [("name", "s"), ("options", "a{sv}")]
        case .setSignal: [("name", "s"), ("asserted", "b"), ("lease_usec", "t")]
        case .hush: []
        case .setPrefersNoInterruptionsFromSystemAlerts: [("preferred", "b")]
        }
    }

    public var answers: Arguments {
        switch self {
        case .command: [("answer", "s"), ("reason", "s")]
        case .announce: [("answer", "s"), ("id", "t")]
        case .setSignal: [("answer", "s")]
        case .hush: [("answer", "s")]
        case .setPrefersNoInterruptionsFromSystemAlerts: []
        }
    }

    /// The explanation in tacetd(8).
    var summary: String {
        switch self {
        case .command:
            """
            command is play, pause, playPause, stop, next, previous, hush, record, stopRecording, seek with a \
            position (seek 1min30s), volume with a level (volume -6dB, volume mute) or announce with a sound \
            (announce gong). answer is success; deferred (the music plays once nothing blocks it any more; of \
            record: it records once nothing blocks it, or once the disk takes the recording again); \
            noActionableNowPlayingItem (there is no track, or it is stopped; of hush: there is no announcement; of \
            stopRecording: nothing is to be recorded); noSuchContent (there is no such sound, or its file cannot be \
            read); or commandFailed, with the reason. Anything else is the error InvalidArgs.
            """
        case .announce:
            """
            requests a sound, once. The options are priority, an integer from 0 to 100, and expire, an integer: if \
            the announcement has not begun after this many microseconds, it is dropped. maximumPriority, an integer \
            from 0 to 100, limits the priority, also the sound's own: programs that pass on the announcements of \
            others set it. Without an option, or if expire is 0, the sound's own setting applies; \
            18446744073709551615, the largest t, means never. file, a string, is the absolute path of an audio file \
            that is heard instead of the sound's own: of any kind that Library= can contain, and at most 2 MiB \
            (2097152 bytes). The daemon must be able to read it: it runs as the user tacet, and has a /tmp of its \
            own. It reads the file into memory and answers then, so the file can be deleted after the answer; a file \
            that is not read within 20 s, or before the announcement expires, is given up. level, a double, says how \
            many decibels quieter than the sound's Level= that file is heard, from -120 to 0. Level=, Effect=, \
            DuckLevel=, Priority= and Expire= remain those of the sound, whose own file need not be readable. answer \
            is success (it is due), deferred (it waits), noSuchContent (there is no such sound, or the file cannot \
            be read or decoded: the journal says why) or commandFailed (16 announcements wait already; or a hush, a \
            reload or a stop came while the file was being read). id is the announcement's number, which its signals \
            carry; 0 if it was not accepted. Numbers start again when the daemon starts. Other options and values \
            are the error InvalidArgs.
            """
        case .setSignal:
            """
            asserts or releases a signal with Source=bus. The lease says for how many microseconds this counts if \
            the caller does not renew it by the same call: 0 means as configured with Lease=, and \
            18446744073709551615, the largest t, for as long as the caller stays on the bus. When the lease expires, \
            or the caller leaves the bus, the signal is lost: LostGrace= and WhenLost= apply. While the daemon \
            itself is not on the bus, or the bus is too busy to answer it, leases are paused, for at most a minute. \
            Each caller asserts for itself: the signal is released when the last one releases it. A caller that does \
            not assert it releases it for all. A release with a lease of 0 holds nothing; with another one, the \
            caller vouches for the release, too, and its loss is the loss of the signal. It does not speak for \
            programs of other users: if the last one that asserts the signal is lost, so is the signal. If a reload \
            removes the signal or gives it another source, what callers hold counts again once a later reload brings \
            it back, unless they have released it or their leases have expired. answer is success, or commandFailed \
            while another configuration is being applied. Another signal is the error InvalidArgs.
            """
        case .hush:
            """
            withdraws all announcements; cues stay. answer is success, or noActionableNowPlayingItem if there is no \
            announcement.
            """
        case .setPrefersNoInterruptionsFromSystemAlerts:
            """
            replaces PrefersNoInterruptionsFromSystemAlerts= until the configuration is loaded again. If it is true, \
            signals with Alert=yes that are asserted from now on do not interrupt; a signal that interrupts already \
            continues to do so.
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
        case .scene: "a{sv}"
        }
    }

    /// True if `PropertiesChanged` reports changes to the property. The other properties change all the time or rarely
    /// matter.
    public var isReported: Bool {
        switch self {
        case .lastCheckpoint, .lines, .scene, .why: false
        default: true
        }
    }

    /// The explanation in tacetd(8).
    var summary: String {
        switch self {
        case .version:
            "Tacet's version, as tacet --version prints it."
        case .interrupted:
            "whether an interruption is in progress."
        case .reasons:
            """
            its reason: default, builtInMicMuted (the microphone of a session that records was muted) or \
            appWasSuspended (found at a boot, a reload or after sleep).
            """
        case .signals:
            "of each signal: name, effect, and whether it is active."
        case .signalStates:
            """
            of each signal: name, and deasserted, inForce (active), suppressed (an alert that may not interrupt) or \
            dropped (stuck).
            """
        case .device:
            "the sound device in use."
        case .route:
            """
            preferred; fallback, if one of FallbackDevices= is in use; or unplugged, if the plug is out of Jack=.
            """
        case .rewindMargin:
            """
            in microseconds: how close to what is being heard the device's queued audio can be replaced; 0 if it \
            cannot, or if that has not been measured.
            """
        case .deviceAvailable:
            "whether the sound device can be used."
        case .health:
            "what is wrong, in words; empty if nothing is."
        case .sound:
            "the sound that is due; empty if there is none."
        case .sounds:
            """
            of each sound: name, length in seconds (0 if unknown), whether its file can be read, why not (empty if \
            it can), and due, waiting (as an announcement) or idle.
            """
        case .outputs:
            "of each output: name, what it means, and whether it is asserted."
        case .recording:
            "whether the microphone is recorded."
        case .recordingFile:
            "the path of the file that is being written; empty if there is none."
        case .microphoneMuted:
            "whether a signal mutes the microphone."
        case .gain:
            """
            the level of the music in dB, turned down by a signal or an announcement: 0 if it is not ducked, -120 if \
            it is silent. The volume is not part of it.
            """
        case .status:
            "the line of systemctl status."
        case .lastCheckpoint:
            "when the state was last saved, in microseconds since 1970; 0 if it has not been saved yet."
        case .lines:
            """
            of each line that the daemon holds: the signal, button or output, the path of the chip, the offset, and \
            whether the electrical level is high.
            """
        case .scene:
            """
            the current state, with the keys of a trace: intent (playing, paused, stopped), session (active, \
            interrupted), playing, gain_db, volume_db, microphone_muted, services (available, lost), active, \
            notifications, track, position (in seconds), answer, faults, sound (the due one), waiting (the \
            announcements that wait, oldest first), outputs (the asserted ones); announcement (the number of the due \
            one, as text); sound_ids (the numbers of those notifications that are about sounds, in their order, as \
            text; 0 for a cue); cut_causes (why, of each soundCut in its order: withdrawn, displaced, released, \
            unreadable, deviceLost, asleep or reloaded); and quiet_cause. recording (whether the microphone is \
            recorded) and recorded (how much since the start, in seconds). Keys without a value are missing.

            quiet_cause says why nothing is heard; the key is absent while music is audible: nothing-to-play, \
            interrupted (followed by the signals), device-lost, resume-delay, announcement (followed by the sound), \
            paused or stopped (followed by the reason: user, start, ends and the signals, reset, unplugged or \
            list-end), mute-volume, stalled (storage or device), or ducked (followed by the signals).
            """
        case .why:
            "the sentence of tacet-why(1)."
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
    case inputMuteStateChanged = "InputMuteStateChanged"
    case soundBegan = "SoundBegan"
    case soundEnded = "SoundEnded"
    case soundCut = "SoundCut"
    case soundExpired = "SoundExpired"

    /// The names and D-Bus types of the arguments.
    public var arguments: SessionMethod.Arguments {
        switch self {
        case .event: [("realtime_usec", "t"), ("monotonic_usec", "t"), ("event", "s"), ("scene", "a{sv}")]
        case .interruptionBegan: [("reason", "s"), ("signals", "as")]
        case .interruptionEnded: [("shouldResume", "b")]
        case .duckBegan, .duckChanged: [("level", "d")]
        case .duckEnded, .mediaServicesWereLost, .mediaServicesWereReset, .configurationChanged: []
        case .routeChanged: [("reason", "s")]
        case .inputMuteStateChanged: [("muted", "b")]
        case .soundBegan, .soundEnded, .soundCut, .soundExpired: [("name", "s"), ("id", "t")]
        }
    }

    /// The explanation in tacetd(8), or nil if the signal shares that of the next one.
    var summary: String? {
        switch self {
        case .event:
            """
            every event, in the words of a trace, such as ‘assert phone-call’; scene is the state afterwards, as in \
            Scene.
            """
        case .interruptionBegan:
            nil
        case .interruptionEnded:
            """
            an interruption has begun; or is over, and recommends resuming or not. Whether anything was playing does \
            not matter.
            """
        case .duckBegan:
            nil
        case .duckChanged:
            nil
        case .duckEnded:
            "the music is turned down to a level in dB, the level has changed, or it is back at full level."
        case .mediaServicesWereLost:
            nil
        case .mediaServicesWereReset:
            "the sound device is lost, or has returned."
        case .configurationChanged:
            "the device's rate or channels have changed."
        case .routeChanged:
            "another device plays: oldDeviceUnavailable or newDeviceAvailable."
        case .inputMuteStateChanged:
            "a signal mutes the microphone, or no longer does."
        case .soundBegan:
            "a sound is due. id is the announcement's number, here and below; 0 for a cue."
        case .soundEnded:
            "a sound was heard to its end."
        case .soundCut:
            "a sound was cut off. Unless the announcement was withdrawn (see cut_causes), it can be due again."
        case .soundExpired:
            """
            a sound will not be heard any more. Every announcement ends in one SoundEnded, one SoundExpired, or the \
            SoundCut of a hush.
            """
        }
    }
}
