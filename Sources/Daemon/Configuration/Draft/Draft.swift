import AudioSession

/// A configuration under construction. To build one, add each file and then call `finish`.
struct Draft: IniDraft {
    /// [Session], [Playback] and [State]. No two of these sections share a key.
    private(set) var main = SectionDraft(builtIn: Configuration.builtIn)
    private(set) var signals = SignalSettings.builtIn.map {
        SectionDraft(name: $0.id.rawValue, builtIn: $0.settings)
    }
    private(set) var buttons: [SectionDraft<ButtonSettings>] = []
    private(set) var outputs: [SectionDraft<OutputSettings>] = []
    private(set) var sounds: [SectionDraft<SoundKeys>] = []
    private(set) var inputs: [SectionDraft<InputKeys>] = []
    private(set) var players: [SectionDraft<PlayerKeys>] = []
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
        for section in inputs { places.set(section.places, of: "Input \(section.name)") }
        for section in players { places.set(section.places, of: "Player \(section.name)") }
        places.set(recording.places, of: SectionKind.recording.rawValue)
        return places
    }

    mutating func open(_ section: SectionName, at place: Place) {
        switch section.kind {
        case .signal: declare(section, in: \.signals, builtIn: SignalSettings(), at: place)
        case .button: declare(section, in: \.buttons, builtIn: ButtonSettings(), at: place)
        case .output: declare(section, in: \.outputs, builtIn: OutputSettings(), at: place)
        case .sound: declare(section, in: \.sounds, builtIn: SoundKeys(), at: place)
        case .input: declare(section, in: \.inputs, builtIn: InputKeys(), at: place)
        case .player: declare(section, in: \.players, builtIn: PlayerKeys(), at: place)
        case .recording: recording.declared = recording.declared ?? place
        case .session, .playback, .state, .health: break
        }
    }

    /// The maximum number of sections of a kind. It is limited because an event of one section involves all sections of
    /// its kind.
    static let mostSections = 100

    private mutating func declare<Settings>(
        _ section: SectionName, in sections: WritableKeyPath<Draft, [SectionDraft<Settings>]>, builtIn: Settings,
        at place: Place
    ) {
        let index = Draft.index(of: section.name, in: &self[keyPath: sections], builtIn: builtIn)
        guard self[keyPath: sections][index].declared == nil else { return }
        self[keyPath: sections][index].declared = place
        guard index == Draft.mostSections else { return }
        diagnostics.append(
            Diagnostic(
                .error, at: place, "\(section) is one too many",
                advice: "at most \(Draft.mostSections) sections of a kind are possible"))
    }

    mutating func set(_ key: String, _ value: String, in section: SectionName, at place: Place) -> Bool {
        switch section.kind {
        case .session: return apply(value, to: key, among: KeyTable.session, of: \.main, at: place)
        case .playback: return apply(value, to: key, among: KeyTable.playback, of: \.main, at: place)
        case .state: return apply(value, to: key, among: KeyTable.state, of: \.main, at: place)
        case .recording: return apply(value, to: key, among: KeyTable.recording, of: \.recording, at: place)
        case .health: return false
        case .signal:
            let index = Draft.index(of: section.name, in: &signals, builtIn: SignalSettings())
            return apply(value, to: key, among: KeyTable.signal, of: \.signals[index], at: place)
        case .button:
            let index = Draft.index(of: section.name, in: &buttons, builtIn: ButtonSettings())
            return apply(value, to: key, among: KeyTable.button, of: \.buttons[index], at: place)
        case .output:
            let index = Draft.index(of: section.name, in: &outputs, builtIn: OutputSettings())
            return apply(value, to: key, among: KeyTable.output, of: \.outputs[index], at: place)
        case .sound:
            let index = Draft.index(of: section.name, in: &sounds, builtIn: SoundKeys())
            return apply(value, to: key, among: KeyTable.sound, of: \.sounds[index], at: place)
        case .input:
            let index = Draft.index(of: section.name, in: &inputs, builtIn: InputKeys())
            return apply(value, to: key, among: KeyTable.input, of: \.inputs[index], at: place)
        case .player:
            let index = Draft.index(of: section.name, in: &players, builtIn: PlayerKeys())
            return apply(value, to: key, among: KeyTable.player, of: \.players[index], at: place)
        }
    }

    private mutating func apply<Settings>(
        _ value: String, to key: String, among keys: [Key<Settings>],
        of section: WritableKeyPath<Draft, SectionDraft<Settings>>, at place: Place
    ) -> Bool {
        guard let key = keys.first(where: { $0.name == key }) else { return false }
        diagnostics += [self[keyPath: section].apply(value, to: key, at: place)].compactMap { $0 }
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
