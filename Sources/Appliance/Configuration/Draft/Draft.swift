import AudioSession

/// A configuration under construction: add each file, then call `finish`.
struct Draft {
    /// [Session], [Playback] and [State]; no two of them share a key.
    private(set) var main = SectionDraft(builtIn: Configuration.builtIn)
    private(set) var signals = SignalSettings.builtIn.map {
        SectionDraft(name: $0.id.rawValue, builtIn: $0.settings)
    }
    private(set) var buttons: [SectionDraft<ButtonSettings>] = []
    private(set) var outputs: [SectionDraft<OutputSettings>] = []
    private(set) var sounds: [SectionDraft<SoundKeys>] = []
    private(set) var recording = SectionDraft(builtIn: RecordingKeys())
    var diagnostics: [Diagnostic] = []

    /// The line that sets each key.
    var places: KeyPlaces {
        var places = KeyPlaces()
        // No two of these sections share a key.
        for kind in [SectionKind.session, .playback, .state] { places.set(main.places, of: kind.rawValue) }
        for section in signals { places.set(section.places, of: "Signal \(section.name)") }
        for section in buttons { places.set(section.places, of: "Button \(section.name)") }
        for section in outputs { places.set(section.places, of: "Output \(section.name)") }
        for section in sounds { places.set(section.places, of: "Sound \(section.name)") }
        places.set(recording.places, of: SectionKind.recording.rawValue)
        return places
    }

    /// Adds a file, whose settings override those of earlier files.
    mutating func add(_ document: IniDocument) {
        diagnostics += document.problems
        var section: Heading = .none
        var earlier: [SectionName: [String: Int]] = [:]
        for item in document.items {
            let place = Place(file: document.file, line: item.line)
            switch item.content {
            case .section(let text): section = open(text, at: place)
            case .unreadableSection: section = .rejected
            case .setting(let key, let value):
                switch section {
                case .rejected: break
                case .none: diagnostics.append(.keyWithoutSection(key, at: place))
                case .named(let name):
                    let line = earlier[name, default: [:]].updateValue(item.line, forKey: key)
                    if let line { diagnostics.append(.duplicate(key, in: name, line: line, at: place)) }
                    set(key, value, in: name, at: place)
                }
            }
        }
    }

    /// The heading that a setting belongs to.
    private enum Heading {
        case none
        /// A bad heading, already reported; the settings below it cannot be checked.
        case rejected
        case named(SectionName)
    }

    private mutating func open(_ text: String, at place: Place) -> Heading {
        do {
            let name = try SectionName(text)
            switch name.kind {
            case .signal:
                let index = Draft.index(of: name.name, in: &signals, builtIn: SignalSettings())
                signals[index].declared = signals[index].declared ?? place
            case .button:
                let index = Draft.index(of: name.name, in: &buttons, builtIn: ButtonSettings())
                buttons[index].declared = buttons[index].declared ?? place
            case .output:
                let index = Draft.index(of: name.name, in: &outputs, builtIn: OutputSettings())
                outputs[index].declared = outputs[index].declared ?? place
            case .sound:
                let index = Draft.index(of: name.name, in: &sounds, builtIn: SoundKeys())
                sounds[index].declared = sounds[index].declared ?? place
            case .recording: recording.declared = recording.declared ?? place
            case .session, .playback, .state, .health: break
            }
            return .named(name)
        } catch {
            diagnostics.append(Diagnostic(.error, at: place, "[\(text)] \(error.problem)", advice: error.advice))
            return .rejected
        }
    }

    private mutating func set(_ key: String, _ value: String, in section: SectionName, at place: Place) {
        let known: Bool
        switch section.kind {
        case .session: known = apply(value, to: KeyTable.session.first { $0.name == key }, of: \.main, at: place)
        case .playback: known = apply(value, to: KeyTable.playback.first { $0.name == key }, of: \.main, at: place)
        case .state: known = apply(value, to: KeyTable.state.first { $0.name == key }, of: \.main, at: place)
        case .recording:
            known = apply(value, to: KeyTable.recording.first { $0.name == key }, of: \.recording, at: place)
        case .health: known = false
        case .signal:
            let index = Draft.index(of: section.name, in: &signals, builtIn: SignalSettings())
            known = apply(
                value, to: KeyTable.signal.first { $0.name == key }, of: \.signals[index], at: place)
        case .button:
            let index = Draft.index(of: section.name, in: &buttons, builtIn: ButtonSettings())
            known = apply(
                value, to: KeyTable.button.first { $0.name == key }, of: \.buttons[index], at: place)
        case .output:
            let index = Draft.index(of: section.name, in: &outputs, builtIn: OutputSettings())
            known = apply(
                value, to: KeyTable.output.first { $0.name == key }, of: \.outputs[index], at: place)
        case .sound:
            let index = Draft.index(of: section.name, in: &sounds, builtIn: SoundKeys())
            known = apply(
                value, to: KeyTable.sound.first { $0.name == key }, of: \.sounds[index], at: place)
        }
        if !known { diagnostics.append(.unknownKey(key, in: section, at: place)) }
    }

    /// - Returns: false if `key` is nil.
    private mutating func apply<Settings>(
        _ value: String, to key: Key<Settings>?, of section: WritableKeyPath<Draft, SectionDraft<Settings>>,
        at place: Place
    ) -> Bool {
        guard let key else { return false }
        if let diagnostic = self[keyPath: section].apply(value, to: key, at: place) {
            diagnostics.append(diagnostic)
        }
        return true
    }

    private static func index<Settings>(
        of name: String, in sections: inout [SectionDraft<Settings>], builtIn: Settings
    ) -> Int {
        if let index = sections.firstIndex(where: { $0.name == name }) { return index }
        sections.append(SectionDraft(name: name, builtIn: builtIn))
        return sections.count - 1
    }
}
