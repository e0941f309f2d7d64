import AudioSession
import Signals
import Time

extension Configuration {
    /// A summary for people in a few lines, which describe each signal's effect and line, the outputs, the sounds, the
    /// library, the device and the state directory.
    public var summary: String {
        var rows: [(String, String)] = session.signals.map { signal in
            let wire = sources[signal.id].map { Configuration.describe($0, lines[signal.id] ?? LinePolicy()) }
            let complement = complements[signal.id].map { ", complement \($0)" } ?? ""
            return (
                "signal \(signal.id)", "\(Configuration.describe(signal)), \(wire ?? "without a line")\(complement)"
            )
        }
        rows += buttons.map { button in
            let others = [button.longCommand.map { "long \($0)" }, button.doubleCommand.map { "double \($0)" }]
            let commands = (["\(button.command)"] + others.compactMap { $0 }).joined(separator: ", ")
            return ("button \(button.name)", "\(commands), \(Configuration.describe(button.source, button.linePolicy))")
        }
        rows += outputs.map { ("output \($0.policy.id)", Configuration.describe($0)) }
        rows += session.sounds.map { sound in
            let settings = sounds[sound.id]
            let level = settings.map { $0.level == .full ? "" : " at \($0.level.text)" } ?? ""
            return (
                "sound \(sound.id)", "\(Configuration.describe(sound)), from \(settings?.file ?? "no file")\(level)"
            )
        }
        let order = (playback.shuffle ? "shuffled, " : "") + "repeat \(session.repeats.rawValue)"
        let start = session.autoPlay ? "plays at first boot" : "is stopped at first boot"
        let maximum = session.maximumVolume == .full ? "" : ", at most \(session.maximumVolume.text)"
        rows += [
            ("session", "\(session.category.rawValue), mode \(session.mode.rawValue)"),
            ("library", playback.library.map { "\($0), \(order), \(start)" } ?? "none"),
            ("device", devices + ", volume \(session.volume.text)\(maximum)"),
            ("fades", "out \(span(\.fadeOut)), in \(span(\.fadeIn))"),
            ("ducking", "down \(span(\.duckAttack)), up \(span(\.duckRelease))"),
            ("state", "\(state.directory), every \(TimeSpan.format(state.interval))"),
        ]
        if let idle { rows.append(("idle", idle)) }
        if let recording { rows.append(("recording", Configuration.describe(recording, session))) }
        let width = rows.map(\.0.count).max() ?? 0
        return rows.map { title, text in
            title + String(repeating: " ", count: width - title.count + 2) + text
        }.joined(separator: "\n")
    }

    private var idle: String? {
        guard let after = playback.idleAfter, let playlist = playback.idlePlaylist else { return nil }
        return "\(playlist) after \(TimeSpan.format(after)) without a command"
    }

    private var devices: String {
        let fallbacks =
            playback.fallbackDevices.isEmpty ? "" : ", else " + playback.fallbackDevices.joined(separator: ", ")
        return playback.device + fallbacks + (playback.jack.map { ", jack \($0)" } ?? "")
    }

    private func span(_ path: KeyPath<PlaybackSettings, Duration>) -> String {
        TimeSpan.format(playback[keyPath: path])
    }

    private static func describe(_ signal: SignalPolicy) -> String {
        let effect =
            switch signal.effect {
            case .pause: "pauses"
            case .duck(let level): "ducks to \(level.text)"
            case .muteMicrophone: "mutes the microphone"
            case .checkpoint: "saves the state"
            case .ignore: "is ignored"
            }
        let cue = signal.cue.map { ", cue \($0)" } ?? ""
        let priority = signal.priority == SignalSettings().priority ? "" : ", priority \(signal.priority)"
        return effect + (signal.resume == .manual ? ", resumes by hand" : "") + cue + priority
    }

    private static func describe(_ sound: SoundPolicy) -> String {
        let effect =
            switch sound.effect {
            case .duck(let level): "ducks to \(level.text)"
            case .pause: "pauses"
            case .mix: "mixes"
            }
        let expiry = sound.expire.map { "expires after \(TimeSpan.format($0))" } ?? "never expires"
        var text = "\(effect), priority \(sound.priority), \(expiry)"
        if sound.repeats { text += ", repeats as a cue" }
        switch sound.again {
        case .queue: break
        case .ignore: text += ", ignores requests while it is announced"
        case .restart: text += ", restarts when it is requested again"
        }
        if sound.once > .zero { text += ", at most once in \(TimeSpan.format(sound.once))" }
        return text + (sound.continues ? ", continues after a cut" : "")
    }

    private static func describe(_ output: Output) -> String {
        let times =
            if case .amplifier(let lead, let lag) = output.policy.meaning {
                " (on \(TimeSpan.format(lead)) before the sound, off \(TimeSpan.format(lag)) after it)"
            } else {
                ""
            }
        let level = output.isActiveLow ? "active low" : "active high"
        let wire = output.wiring.map { "on \($0) (\(level), \(output.drive.rawValue))" } ?? "without a line"
        return "\(output.policy.meaning.name)\(times), \(wire)"
    }

    private static func describe(_ recording: RecordingSettings, _ session: Policy) -> String {
        guard session.category.records else { return "none: the category \(session.category.rawValue) does not record" }
        let format = "\(recording.format.rawValue), \(recording.rate) Hz, \(recording.channels) ch"
        let keep = recording.keep.map { "at most \(ByteSize.format($0))" } ?? "without a limit"
        let start = session.recorder?.autoRecord == true ? "records at first boot" : "is off at first boot"
        let during = session.recordsDuringInterruptions ? ", also during interruptions" : ""
        return "from \(recording.device) to \(recording.directory) (\(format)), a file every "
            + "\(TimeSpan.format(recording.segment)), \(keep), \(start)\(during)"
    }

    private static func describe(_ source: LevelSource, _ policy: LinePolicy) -> String {
        let level = policy.isActiveLow ? "active low" : "active high"
        let release = policy.releaseDelay == .zero ? "" : ", release delay \(TimeSpan.format(policy.releaseDelay))"
        return "from \(source) (\(source.place.details(level))), debounce \(TimeSpan.format(policy.debounce))\(release)"
    }
}
