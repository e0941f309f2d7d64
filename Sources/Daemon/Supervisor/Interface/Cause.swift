import AudioSession
import Playback
import Signals
import Vocabulary

/// The subject of a report. It is an event of the session, with a note if there is more to say about it, or only a
/// note.
public enum Cause: Hashable, Sendable {
    case event(Event, Note? = nil)
    case note(Note)

    /// The session's event, or nil if it does not concern the session.
    public var event: Event? { if case .event(let event, _) = self { event } else { nil } }

    public var note: Note? {
        switch self {
        case .event(_, let note): note
        case .note(let note): note
        }
    }
}

/// Information about an event that the session does not need but followers and technicians do.
public enum Note: Hashable, Sendable {
    /// Another configuration is active.
    case reloaded
    /// A program now prefers that alerts do not interrupt, or no longer prefers it.
    case preferenceChanged
    /// The raw level of a signal's line, or of the line with the opposite contact, or nil if the line is lost.
    case line(SignalID, Contact = .main, level: Bool?)
    /// Audio has begun to arrive at an input, or has ceased.
    case arrival(InputID, Bool)
    /// Only an output has changed.
    case output(OutputID, asserted: Bool)
    /// The sound that has ended, or whose announcement has expired.
    case sound(SoundID)
    /// The reason why a sound cannot be read.
    case unreadable(reason: String)
    /// The rest of a long sound cannot be read for the given reason.
    /// - Parameter isPlayed: True if only a part of the sound is silent.
    case soundBroken(SoundID, reason: String, isPlayed: Bool = false)
    /// A track cannot be read for the given reason and was skipped, or only a part of it is silent if `isPlayed`.
    case trackSkipped(path: String, reason: String, isPlayed: Bool = false)
    /// A search has found the track that begins.
    case trackFound
    /// The storage is slow to deliver the selected track, so the previous one continues.
    case trackDelayed
    /// A search for playable tracks has begun.
    case tracksSought
    /// The saved state cannot be read for the given reason, so this is treated as a first boot. A damaged state is kept
    /// for diagnosis.
    case stateUnreadable(String)
    /// The track that was playing, which had this path, is no longer in the library, so the music starts over.
    case placeLost(String)
    /// The command `hush` has withdrawn announcements whose files were still being read.
    case announcementsWithdrawn
    /// An event of the player that the session ignores.
    case playback(PlaybackEvent)
}

extension Cause: CustomStringConvertible {
    /// The text in traces and on the bus.
    public var description: String {
        switch self {
        case .event(let event, .sound(let sound)?): "\(event) \(sound)"
        case .event(_, .trackFound?): "track found"
        case .event(let event, _): event.description
        case .note(let note): note.description
        }
    }
}

extension Note: CustomStringConvertible {
    public var description: String {
        switch self {
        case .reloaded: "reloaded"
        case .preferenceChanged: "preference changed"
        case .line(let signal, let contact, let level):
            "\(contact.word.rawValue) \(signal) \(level.map { $0 ? "1" : "0" } ?? "lost")"
        case .arrival(let input, let arrives): "\(ScenarioWord.input.rawValue) \(input) \(arrives ? "1" : "0")"
        case .output(let output, let isAsserted): "output \(output) \(isAsserted ? "1" : "0")"
        case .sound(let sound): "sound \(sound)"
        case .unreadable: "unreadable"
        case .soundBroken(let sound, _, let isPlayed): "sound \(isPlayed ? "damaged" : "broken") \(sound)"
        case .trackSkipped(let path, _, let isPlayed): "track \(isPlayed ? "damaged" : "skipped") \(path)"
        case .trackFound: "track found"
        case .trackDelayed: "track delayed"
        case .tracksSought: "tracks sought"
        case .stateUnreadable: "state unreadable"
        case .placeLost: "place lost"
        case .announcementsWithdrawn: "announcements withdrawn"
        case .playback(let event): event.words
        }
    }
}

extension Contact {
    /// The word for a change in a scenario.
    public var word: ScenarioWord {
        switch self {
        case .main: .line
        case .complement: .complement
        }
    }
}

extension PlaybackEvent {
    fileprivate var words: String {
        switch self {
        case .deviceOpened: "device opened"
        case .deviceClosed: "device closed"
        case .underrun: "underrun"
        case .rewindMeasured: "rewind measured"
        case .rewoundTooLate: "rewound too late"
        case .audibilityChanged(let audibility): "\(ScenarioWord.output.rawValue) \(audibility.word)"
        case .storageStarved: "storage starved"
        case .storageRecovered: "storage recovered"
        case .storageLost: "storage lost"
        case .storageReturned: "storage back"
        case .notRealTime: "not real-time"
        case .effect: "heard"
        case .soundHeard: "sound heard"
        case .routeLost, .routeBack, .routeFound: "route changed"
        case .routeUnsteady: "route unsteady"
        // The other events are events of the session or have their own note.
        default: "\(self)"
        }
    }
}
