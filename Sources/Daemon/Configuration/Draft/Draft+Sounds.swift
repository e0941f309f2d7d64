import AudioSession
import Files
import Glibc
import Spelling

extension Draft {
    /// Adds the enabled sounds and reports missing and conflicting settings in their sections.
    ///
    /// - Parameter checksFiles: True if the files are checked.
    mutating func addSounds(to configuration: inout Configuration, checksFiles: Bool) {
        configuration.session.sounds = []
        configuration.sounds = [:]
        let cues = Set(configuration.session.signals.compactMap(\.cue))
        for section in sounds where section.settings.isEnabled {
            let id = SoundID(section.name)
            check(section, isCue: cues.contains(id))
            guard let place = section.places["File"], let written = section.settings.file else { continue }
            let path = Draft.resolve(written, from: place)
            if checksFiles { checkFile(written, path, place) }
            configuration.session.sounds.append(section.settings.policy(id: id))
            configuration.sounds[id] = SoundSettings(
                file: path, level: section.settings.level, follow: section.settings.follow)
        }
    }

    private mutating func check(_ sound: SectionDraft<SoundKeys>, isCue: Bool) {
        guard let declared = sound.declared else { return }
        let title = "[Sound \(sound.name)]"
        let settings = sound.settings
        if !sound.sets("File") {
            report(.error, declared, "\(title) has no file", "write File= with the recording, such as gong.wav")
        }
        if !settings.effect.isDuck {
            warn(
                ignoring: "DuckLevel", of: sound, title, because: "the sound's effect is \(settings.effect.name)",
                remedy: "Effect=duck")
        }
        if let place = sound.places["Repeat"], settings.repeats, !isCue {
            report(
                .warning, place,
                "Repeat=yes in \(title) is ignored because only a cue repeats, and no signal has it as its cue",
                "write Cue=\(sound.name) in a [Signal NAME] section, or remove it")
        }
        if let place = sound.places["Level"], settings.level == .mute {
            report(
                .warning, place, "Level= in \(title) is mute, so the sound is never heard",
                "write a level such as -6dB, or remove it")
        }
    }

    /// Checks the file of a sound. A missing file is never an error, because the built-in tone then replaces the cue.
    /// If the permission to check is missing, the file is assumed to exist, because the service may have that
    /// permission.
    private mutating func checkFile(_ written: String, _ path: String, _ place: Place) {
        guard access(path, F_OK) != 0, errno != EACCES else { return }
        let reason = String(errno: errno)
        let advice = Draft.advice(onPath: written) ?? "copy the sound there, or correct the path"
        report(.warning, place, "File=\(written): \(path): \(reason)", advice)
    }

    /// Reports a name that no enabled sound has.
    ///
    /// - Parameter setting: The setting with the name, such as `Cue=gong`.
    mutating func checkName(of sound: SoundID, _ place: Place, _ setting: String) {
        let section = sounds.first { $0.name == sound.rawValue }
        guard section?.settings.isEnabled != true else { return }
        if let disabled = section?.places["Enabled"] {
            report(
                .error, place, "\(setting): [Sound \(sound)] is disabled (\(disabled))",
                "write Enabled=yes there, or name another sound")
            return
        }
        let names = sounds.filter(\.settings.isEnabled).map(\.name)
        let others =
            names.isEmpty ? "there is no [Sound NAME] section yet" : "the sounds are \(names.joined(separator: ", "))"
        report(
            .error, place, "\(setting): there is no sound ‘\(sound)’",
            Spelling.suggestion(for: sound.rawValue, in: names) ?? "\(others): add [Sound \(sound)] with its File=")
    }
}
