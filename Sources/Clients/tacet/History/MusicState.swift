import Timeline
import Vocabulary

/// The state of the music according to the entries of a run that have been read.
struct MusicState {
    /// True if it plays, or nil while that is unknown.
    private(set) var plays: Bool?
    /// The user's intent, or nil while that is unknown.
    private(set) var intent: Timeline.Intent?
    /// The names of the signals that interrupted it, or nil if it is not interrupted.
    private(set) var interrupting: String?
    /// The level to which signals duck the music, in the format of `LEVEL`, or nil if no signal does.
    private(set) var duckLevel: String?
    /// The names of the signals that duck the music. They are only valid if there is a `duckLevel`.
    private(set) var ducking = ""
    /// The sound that is playing, such as `announcement gong`.
    private(set) var sound: String?
    /// The level to which that sound ducks the music, or nil if it does not.
    private(set) var soundLevel: String?

    mutating func take(_ record: JournalRecord) {
        if let intent = record[.intent].flatMap(Timeline.Intent.init) { self.intent = intent }
        if let plays = record.plays { self.plays = plays }
        switch record.kind {
        case .interruptionBegan: interrupting = record.signals.joined(separator: ", ")
        case .interruptionEnded: interrupting = nil
        case .duckBegan: (duckLevel, ducking) = (record[.level] ?? "", record.signals.joined(separator: ", "))
        case .duckChanged: duckLevel = record[.level] ?? ""
        case .duckEnded: duckLevel = nil
        case .soundBegan: (sound, soundLevel) = (record.sound, record[.level])
        // A hush also cuts queued announcements.
        case .soundEnded where record.sound == sound, .soundCut where record.sound == sound:
            (sound, soundLevel) = (nil, nil)
        default: break
        }
    }
}
