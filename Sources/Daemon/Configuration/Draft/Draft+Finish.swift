import AudioSession
import Files
import Glibc
import Spelling
import Time

extension Draft {
    /// Builds the configuration from all files, and adds conflicts between settings to `diagnostics`. If the
    /// diagnostics include an error, the configuration must not be used.
    mutating func finish(checksLibrary: Bool) -> Configuration {
        var configuration = main.settings
        configuration.session.signals = []
        configuration.lines = [:]
        var claimed: [ClaimedSource] = []
        for var section in signals where section.settings.isEnabled {
            let id = SignalID(section.name)
            let title = "[Signal \(section.name)]"
            check(section, title)
            let source = source(of: &section, title, &claimed)
            configuration.sources[id] = source
            configuration.lines[id] = policy(section.settings.line, for: source, of: section)
            configuration.complements[id] = complement(of: section, source, title, &claimed)
            configuration.lines[id]?.hasComplement = configuration.complements[id] != nil
            var settings = section.settings
            if source?.place.isAlert == true, !section.sets("Alert") { settings.isAlert = true }
            guard var policy = settings.policy(id: id) else { continue }
            connect(&policy, source, section, title)
            configuration.session.signals.append(policy)
        }
        for var section in buttons where section.settings.isEnabled {
            let title = "[Button \(section.name)]"
            let source = source(of: &section, title, &claimed)
            check(section, title)
            guard let source, let command = section.settings.command else { continue }
            let line = policy(section.settings.line, for: source, of: section)
            configuration.buttons.append(
                Button(
                    name: section.name, source: source, linePolicy: line, command: command,
                    longCommand: section.settings.longCommand, longPress: section.settings.longPress,
                    doubleCommand: section.settings.doubleCommand))
        }
        if let place = main.places["FallbackDevices"],
            configuration.playback.fallbackDevices.contains(configuration.playback.device)
        {
            let device = configuration.playback.device
            report(.error, place, "FallbackDevices= names \(device), which is already Device=", "remove it")
        }
        checkVolume(of: configuration.session)
        checkIdle(configuration.playback)
        addOutputs(to: &configuration, &claimed)
        addSounds(to: &configuration, checksFiles: checksLibrary)
        addInputs(to: &configuration)
        addRecording(to: &configuration)
        resolvePaths(of: &configuration, checksLibrary: checksLibrary)
        return configuration
    }

    /// Reports volumes that are legal but disappointing.
    private mutating func checkVolume(of policy: Policy) {
        guard let place = main.places["MaximumVolume"] else { return }
        let maximum = policy.maximumVolume
        if maximum == .mute {
            report(
                .warning, place, "MaximumVolume= is mute, so the music is never heard",
                "write a level such as -6dB, or remove it")
        }
        if let place = main.places["Volume"], policy.volume > maximum {
            report(
                .warning, place,
                "Volume=\(policy.volume.text) is above MaximumVolume=, so the volume is \(maximum.text)",
                "write Volume=\(maximum.text), or a higher MaximumVolume=")
        }
    }

    /// Reports a setting for idle times that lacks another one.
    private mutating func checkIdle(_ playback: PlaybackSettings) {
        switch (playback.idleAfter, playback.idlePlaylist) {
        case (nil, .some): reportLack(of: "IdleAfter=2min", for: "IdlePlaylist")
        case (.some, nil): reportLack(of: "IdlePlaylist=attract.m3u", for: "IdleAfter")
        case (.some, .some) where playback.library == nil:
            reportLack(of: "Library=/srv/music", for: "IdlePlaylist")
        default: break
        }
    }

    private mutating func reportLack(of example: String, for key: String) {
        guard let place = main.places[key] else { return }
        let other = example.prefix { $0 != "=" }
        report(.error, place, "\(key)= has no effect without \(other)=", "add it, such as \(example)")
    }

    /// Reports missing and conflicting settings in a signal's section.
    private mutating func check(_ signal: SectionDraft<SignalSettings>, _ title: String) {
        guard let declared = signal.declared else { return }
        let settings = signal.settings
        if signal.name == Fault.capture.name {
            report(
                .warning, declared,
                "\(title) has the name of the capture device in lists of faults: the loss of the signal is listed as "
                    + "\(Fault(SignalID(signal.name), .lost)), because \(Fault.capture) is the loss of the device",
                "choose another name, such as capture-switch")
        }
        if settings.effect == nil, !signal.sets("Effect") {
            let effects = Effect.all.map(\.name).alternatives
            report(.error, declared, "\(title) does not specify its effect", "write Effect= with \(effects)")
        }
        if let effect = settings.effect, !effect.isDuck {
            warn(
                ignoring: "DuckLevel", of: signal, title, because: "the signal's effect is \(effect.name)",
                remedy: "Effect=duck")
        }
        if settings.resume == .manual {
            warn(
                ignoring: "ResumeWithin", of: signal, title,
                because: "with Resume=manual, resuming is never recommended", remedy: "Resume=auto")
        }
        if let cue = settings.cue, cue.rawValue != PageSource.cueName, let place = signal.places["Cue"] {
            checkName(of: cue, place, "Cue=\(cue)")
        }
        if let limit = settings.line.stuckAfter, settings.line.releaseDelay >= limit {
            report(
                .warning, signal.places["ReleaseDelay"] ?? signal.places["StuckAfter"] ?? declared,
                "ReleaseDelay= in \(title) is not shorter than StuckAfter=, so a single pulse would count as stuck",
                "write a StuckAfter= well above \(TimeSpan.format(settings.line.releaseDelay))")
        }
        if !(["Source"] + LevelSource.locationKeys).contains(where: signal.sets) {
            report(
                .warning, declared, "\(title) has no line, so it can be rehearsed, but no wire will ever assert it",
                "write Line=, or Chip= and Offset=, as listed by ‘tacet lines’, or write Enabled=no if this board "
                    + "does not have it")
        }
    }

    /// Reports missing settings in a button's section.
    private mutating func check(_ button: SectionDraft<ButtonSettings>, _ title: String) {
        guard let declared = button.declared else { return }
        if !button.sets("Command") {
            report(
                .error, declared, "\(title) has no command",
                "write Command= with what the button does, such as playPause")
        }
        for (key, command) in button.settings.commands {
            guard case .command(.announce(let announcement)) = command, let place = button.places[key] else { continue }
            checkName(of: announcement.sound, place, "\(key)=\(Command.announce(announcement))")
        }
        checkPresses(of: button, title)
        if !LevelSource.locationKeys.contains(where: button.sets) {
            report(
                .error, declared, "\(title) has no line",
                "write Line=, or Chip= and Offset=, as listed by ‘tacet lines’")
        }
    }

    /// Reports settings with which a button cannot be pressed as intended.
    private mutating func checkPresses(of button: SectionDraft<ButtonSettings>, _ title: String) {
        let settings = button.settings
        if settings.longCommand == nil, !button.sets("LongCommand") {
            warn(
                ignoring: "LongPress", of: button, title, because: "the button has no command for a long press",
                remedy: "LongCommand=")
        }
        // A press ends only when the release takes effect.
        let delay = settings.line.releaseDelay
        guard delay > .zero, let place = button.places["ReleaseDelay"] else { return }
        if settings.longCommand != nil, delay >= settings.longPress {
            report(
                .warning, place,
                "ReleaseDelay= in \(title) is not shorter than LongPress=, so every press is a long one",
                "remove it, or write a longer LongPress=")
        } else if settings.doubleCommand != nil, delay >= Button.doublePress {
            report(
                .warning, place,
                "ReleaseDelay= in \(title) is not shorter than the time of a double press, so there are no double presses",
                "remove it, or write less than \(TimeSpan.format(Button.doublePress))")
        }
    }

    /// Resolves relative paths, which start at the folder of the file that sets them. Only the effective library must
    /// exist, so one that was overridden is not checked.
    private mutating func resolvePaths(of configuration: inout Configuration, checksLibrary: Bool) {
        if let place = main.places["Directory"] {
            configuration.state.directory = Draft.resolve(configuration.state.directory, from: place)
        }
        guard let place = main.places["Library"], let written = configuration.playback.library else { return }
        let path = Draft.resolve(written, from: place)
        configuration.playback.library = path
        guard checksLibrary else { return }
        let advice = "specify a folder of music, an M3U playlist or an audio file"
        if written.contains("://") {
            report(.error, place, "Library=\(written): it is a network address", advice)
        } else if access(path, F_OK) != 0 {
            let reason = String(errno: errno)
            let advice = Draft.advice(onPath: written) ?? "specify the folder with the music, or create it"
            report(.error, place, "Library=\(written): \(path): \(reason)", advice)
        } else if let other = InputFile.otherKind(path) {
            report(.error, place, "Library=\(written): \(path) is \(other)", advice)
        } else {
            checkChoices(configuration.playback, in: path)
        }
    }

    /// Reports choices of buttons and for idle times that a folder does not contain. A playlist may name tracks that are
    /// elsewhere.
    private mutating func checkChoices(_ playback: PlaybackSettings, in library: String) {
        // The path of a file does not exist with a slash after it.
        guard access(library + "/", F_OK) == 0 else { return }
        if let name = playback.idlePlaylist {
            checkChoice(name, of: "IdlePlaylist", main.places["IdlePlaylist"], library)
        }
        for section in buttons where section.settings.isEnabled {
            let settings = section.settings
            let commands = [
                ("Command", settings.command), ("LongCommand", settings.longCommand),
                ("DoubleCommand", settings.doubleCommand),
            ]
            for case (let key, .choose(let request)?) in commands {
                checkChoice(request.name, of: key, section.places[key], library)
            }
        }
    }

    private mutating func checkChoice(_ name: String, of key: String, _ place: Place?, _ library: String) {
        guard let place else { return }
        let path = name.hasPrefix("/") ? name : "\(library)/\(name)"
        let problem =
            if name.split(separator: "/").contains("..") {
                "a name with .. could leave the library"
            } else if access(path, F_OK) != 0 {
                "\(path): \(String(errno: errno))"
            } else if !(path + "/").hasPrefix(library + "/") {
                "it is outside Library="
            } else {
                String?.none
            }
        guard let problem else { return }
        report(
            .warning, place, "\(key)= chooses \(name): \(problem)",
            "write a path relative to Library=, as tacet tracks lists it")
    }

    /// Returns advice if the path of a missing file is written incorrectly, or nil if it looks correct.
    static func advice(onPath written: String) -> String? {
        switch written.first {
        case "\"", "'": "remove the quotes, which count as part of the path"
        case "~": "write the full path, because ~ is not expanded"
        default: nil
        }
    }

    static func resolve(_ path: String, from place: Place) -> String {
        guard !path.hasPrefix("/"), let slash = place.file.lastIndex(of: "/") else { return path }
        return place.file[...slash] + path
    }

    /// Warns that a key has no effect. If the section does not set the key, there is no warning.
    ///
    /// - Parameter remedy: The setting with which the key would have an effect, such as `Effect=duck`.
    mutating func warn(
        ignoring key: String, of section: SectionDraft<some Sendable>, _ title: String, because reason: String,
        remedy: String
    ) {
        guard let place = section.places[key] else { return }
        report(.warning, place, "\(key)= in \(title) is ignored because \(reason)", "write \(remedy), or remove it")
    }

    mutating func report(
        _ severity: Diagnostic.Severity, _ place: Place, _ message: String, _ advice: String
    ) {
        diagnostics.append(Diagnostic(severity, at: place, message, advice: advice))
    }
}
