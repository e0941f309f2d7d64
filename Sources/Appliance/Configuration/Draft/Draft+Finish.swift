import AudioSession
import Glibc

extension Draft {
    /// The configuration that the files make together. What does not fit together is in `diagnostics` afterwards;
    /// with an error among them, the configuration is not to be used.
    mutating func finish(checksLibrary: Bool) -> Configuration {
        var configuration = main.settings
        configuration.session.signals = []
        configuration.lines = [:]
        var claimed: [ClaimedLine] = []
        for section in signals where section.settings.isEnabled {
            let id = SignalID(section.name)
            let title = "[Signal \(section.name)]"
            check(section, title)
            configuration.lines[id] = section.settings.line
            configuration.wiring[id] = wiring(of: section, title, &claimed)
            if let policy = section.settings.policy(id: id) { configuration.session.signals.append(policy) }
        }
        for section in buttons where section.settings.isEnabled {
            let title = "[Button \(section.name)]"
            let wiring = wiring(of: section, title, &claimed)
            check(section, title)
            guard let wiring, let command = section.settings.command else { continue }
            configuration.buttons.append(
                Button(name: section.name, wiring: wiring, linePolicy: section.settings.line, command: command))
        }
        resolvePaths(of: &configuration, checksLibrary: checksLibrary)
        return configuration
    }

    /// What in a signal's section does not fit together.
    private mutating func check(_ signal: SectionDraft<SignalSettings>, _ title: String) {
        guard let declared = signal.declared else { return }
        let settings = signal.settings
        if settings.effect == nil, !signal.says("Effect") {
            let effects = SignalSettings.EffectName.allCases.map(\.rawValue).alternatives
            report(.error, declared, "\(title) does not say its effect", "write Effect= with \(effects)")
        }
        if let place = signal.places["DuckLevel"], let effect = settings.effect, effect != .duck {
            report(
                .warning, place, "DuckLevel= of \(title) has no effect: its effect is \(effect.rawValue)",
                "write Effect=duck, or remove it")
        }
        if let place = signal.places["ResumeWithin"], settings.resume == .manual {
            report(
                .warning, place, "ResumeWithin= of \(title) has no effect: it never recommends resuming",
                "write Resume=auto, or remove it")
        }
        if let limit = settings.line.stuckAfter, settings.line.releaseDelay >= limit {
            report(
                .warning, signal.places["ReleaseDelay"] ?? signal.places["StuckAfter"] ?? declared,
                "ReleaseDelay= of \(title) is not shorter than StuckAfter=: a single pulse would be stuck",
                "write a StuckAfter= well above \(TimeSpan.format(settings.line.releaseDelay))")
        }
        if !["Line", "Chip", "Offset"].contains(where: signal.says) {
            report(
                .warning, declared, "\(title) has no line: it can be rehearsed, but no wire will ever assert it",
                "write Line=, or Chip= and Offset=; `tacet lines` shows what there is; or Enabled=no if this board "
                    + "does not have it")
        }
    }

    /// What a button's section lacks.
    private mutating func check(_ button: SectionDraft<ButtonSettings>, _ title: String) {
        guard let declared = button.declared else { return }
        if !button.says("Command") {
            report(
                .error, declared, "\(title) has no command", "write Command= with what it asks for, such as playPause")
        }
        if !["Line", "Chip", "Offset"].contains(where: button.says) {
            report(
                .error, declared, "\(title) has no line",
                "write Line=, or Chip= and Offset=; `tacet lines` shows what there is")
        }
    }

    /// Relative paths start from the file that says them. Only the library that counts has to be there: whether the
    /// others are is no mistake of a file.
    private mutating func resolvePaths(of configuration: inout Configuration, checksLibrary: Bool) {
        if let place = main.places["Directory"] {
            configuration.state.directory = Draft.resolve(configuration.state.directory, from: place)
        }
        guard let place = main.places["Library"], let written = configuration.playback.library else { return }
        let path = Draft.resolve(written, from: place)
        configuration.playback.library = path
        if checksLibrary, access(path, F_OK) != 0 {
            let reason = String(cString: strerror(errno))
            let advice =
                switch written.first {
                case "\"", "'": "write it without quotes, which count as a part of it here"
                case "~": "write the whole path: nobody's home is put in place of ~ here"
                default: "name the folder with the music, or create it"
                }
            report(.error, place, "Library=\(written): \(path): \(reason)", advice)
        } else if checksLibrary, let other = InputFile.otherKind(path) {
            report(
                .error, place, "Library=\(written): \(path) is \(other)",
                "name a folder of music, an M3U playlist or an audio file")
        }
    }

    private static func resolve(_ path: String, from place: Place) -> String {
        guard !path.hasPrefix("/"), let slash = place.file.lastIndex(of: "/") else { return path }
        return place.file[...slash] + path
    }

    mutating func report(
        _ severity: Diagnostic.Severity, _ place: Place, _ message: String, _ advice: String
    ) {
        diagnostics.append(Diagnostic(severity, at: place, message, advice: advice))
    }
}
