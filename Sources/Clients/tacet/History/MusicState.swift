import Timeline
import Vocabulary

/// What the entries of a run say about the music, as far as they have been read.
struct MusicState {
    /// Whether it plays; nil while that is not known.
    private(set) var plays: Bool?
    /// What the user wants; nil while that is not known.
    private(set) var intent: Timeline.Intent?
    /// Why it is interrupted; nil if it is not.
    private(set) var reason: String?
    /// The level to which signals turn it down, as in `LEVEL`; nil if none does.
    private(set) var duckLevel: String?
    /// The sound that is heard: `announcement gong`.
    private(set) var sound: String?
    /// The level to which that sound turns the music down; nil if it does not.
    private(set) var soundLevel: String?

    mutating func take(_ record: JournalRecord) {
        if let intent = record[.intent].flatMap(Timeline.Intent.init) { self.intent = intent }
        if let plays = record.plays { self.plays = plays }
        switch record.kind {
        case .interruptionBegan: reason = record[.reason] ?? ""
        case .interruptionEnded: reason = nil
        case .duckBegan, .duckChanged: duckLevel = record[.level] ?? ""
        case .duckEnded: duckLevel = nil
        case .soundBegan: (sound, soundLevel) = (record.sound, record[.level])
        // A hush also cuts announcements that wait.
        case .soundEnded where record.sound == sound, .soundCut where record.sound == sound:
            (sound, soundLevel) = (nil, nil)
        default: break
        }
    }
}
