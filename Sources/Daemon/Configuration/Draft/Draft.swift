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
    var diagnostics = DiagnosticList()
    /// The kinds of which there are too many sections, which has been reported.
    private var overfull: Set<SectionKind> = []

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

    mutating func open(_ section: SectionName, at place: Place) -> Bool {
        switch section.kind {
        case .signal: return declare(section, in: \.signals, builtIn: SignalSettings(), at: place)
        case .button: return declare(section, in: \.buttons, builtIn: ButtonSettings(), at: place)
        case .output: return declare(section, in: \.outputs, builtIn: OutputSettings(), at: place)
        case .sound: return declare(section, in: \.sounds, builtIn: SoundKeys(), at: place)
        case .input: return declare(section, in: \.inputs, builtIn: InputKeys(), at: place)
        case .player: return declare(section, in: \.players, builtIn: PlayerKeys(), at: place)
        case .recording: recording.declared = recording.declared ?? place
        case .session, .playback, .state, .health: break
        }
        return true
    }

    /// The maximum number of sections of a kind. It is limited because an event of one section involves all sections of
    /// its kind.
    static let mostSections = 100

    /// Records that a file names a section, unless there are too many of its kind.
    private mutating func declare<Settings>(
        _ section: SectionName, in sections: WritableKeyPath<Draft, [SectionDraft<Settings>]>, builtIn: Settings,
        at place: Place
    ) -> Bool {
        if let index = self[keyPath: sections].firstIndex(where: { $0.name == section.name }) {
            self[keyPath: sections][index].declared = self[keyPath: sections][index].declared ?? place
            return true
        }
        guard self[keyPath: sections].count < Draft.mostSections else {
            if overfull.insert(section.kind).inserted {
                diagnostics.append(
                    Diagnostic(
                        .error, at: place, "\(section) is one too many",
                        advice: "at most \(Draft.mostSections) sections of a kind are possible"))
            }
            return false
        }
        var draft = SectionDraft(name: section.name, builtIn: builtIn)
        draft.declared = place
        self[keyPath: sections].append(draft)
        return true
    }

    mutating func set(_ key: String, _ value: String, in section: SectionName, at place: Place) -> Bool {
        switch section.kind {
        case .session: return apply(value, to: key, among: KeyTable.session, of: \.main, at: place)
        case .playback: return apply(value, to: key, among: KeyTable.playback, of: \.main, at: place)
        case .state: return apply(value, to: key, among: KeyTable.state, of: \.main, at: place)
        case .recording: return apply(value, to: key, among: KeyTable.recording, of: \.recording, at: place)
        case .health: return false
        case .signal:
            return apply(value, to: key, among: KeyTable.signal, of: \.signals, named: section.name, at: place)
        case .button:
            return apply(value, to: key, among: KeyTable.button, of: \.buttons, named: section.name, at: place)
        case .output:
            return apply(value, to: key, among: KeyTable.output, of: \.outputs, named: section.name, at: place)
        case .sound:
            return apply(value, to: key, among: KeyTable.sound, of: \.sounds, named: section.name, at: place)
        case .input:
            return apply(value, to: key, among: KeyTable.input, of: \.inputs, named: section.name, at: place)
        case .player:
            return apply(value, to: key, among: KeyTable.player, of: \.players, named: section.name, at: place)
        }
    }

    private mutating func apply<Settings>(
        _ value: String, to key: String, among keys: [Key<Settings>],
        of section: WritableKeyPath<Draft, SectionDraft<Settings>>, at place: Place
    ) -> Bool {
        guard let key = keys.first(where: { $0.name == key }) else { return false }
        self[keyPath: section].apply(value, to: key, at: place).map { diagnostics.append($0) }
        return true
    }

    private mutating func apply<Settings>(
        _ value: String, to key: String, among keys: [Key<Settings>],
        of sections: WritableKeyPath<Draft, [SectionDraft<Settings>]>, named name: String, at place: Place
    ) -> Bool {
        guard let index = self[keyPath: sections].firstIndex(where: { $0.name == name }) else { return true }
        return apply(value, to: key, among: keys, of: sections.appending(path: \.[index]), at: place)
    }
}
