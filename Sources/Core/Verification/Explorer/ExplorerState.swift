import AudioSession

/// A session, and the part of its environment to which the rules refer.
///
/// This bookkeeping is deliberately simple and independent of the session's own, so that the two can be compared. There
/// are millions of states, so each takes only a few bytes, and refers to sessions and saved states by their numbers in
/// `Sessions`.
struct ExplorerState: Numerable {
    /// The value that stands for the session while the power is off, and for the saved state before the first save.
    static let none: Int32 = -1

    var session = ExplorerState.none
    /// The saved state that the next boot reads. It is set while the power is off.
    var lastSaved = ExplorerState.none
    var lines = Lines()
    /// True if the sound device is available, or the capture device if recording is explored.
    var deviceIsAvailable = true
    /// True if enough time has passed for every interruption to outlast its `ResumeWithin`.
    var late = false
    /// True if the user's last command about playing was a pause or a stop.
    var userWantsQuiet = false
    /// True if an observer of the notifications has seen a `began` without its `ended`.
    var observedInterrupted = false
    /// True while nothing blocks any more, but a `ResumeDelay` continues the episode.
    var delaysEpisode = false
    /// The level of the last duck while a `ResumeDelay` holds it. It is stored as its number among the levels of the
    /// policy, from 1, or as 0 if none is held.
    var heldDuck: UInt8 = 0
    var silencedPlayback = SilencedPlayback.none
    /// True if the user's last command about recording was to stop.
    var userWantsNoRecording = false
    /// The same as `silencedPlayback`, for recording.
    var pausedRecording = SilencedPlayback.none
    var sounds = Sounds()

    /// The state of music that an episode silenced, until it resumes or the user plays.
    enum SilencedPlayback: UInt8 {
        case none
        /// The episode is in progress.
        case interrupted
        /// The episode ended without recommending that the music resume.
        case waitsForUser
    }

    /// The sounds that have been requested, and which of them have played.
    struct Sounds: Hashable {
        /// The signals whose cue has played to its end since they began.
        var doneCues: SignalSet = []
        /// The announcements that should be due or waiting, by their numbers in the alphabet.
        var pending: UInt8 = 0
        /// Those of them that have begun and continue after a cut, so that they no longer expire.
        var begun: UInt8 = 0
        /// The announcements of sounds of which a request has been accepted so recently that others are ignored.
        var accepted: UInt8 = 0

        static func bit(_ announcement: Announcement.ID) -> UInt8 { 1 << UInt8(announcement) }
        func isPending(_ announcement: Announcement.ID) -> Bool { pending & Sounds.bit(announcement) != 0 }
        func hasBegun(_ announcement: Announcement.ID) -> Bool { begun & Sounds.bit(announcement) != 0 }
        mutating func request(_ announcement: Announcement.ID) { pending |= Sounds.bit(announcement) }
        mutating func begin(_ announcement: Announcement.ID) { begun |= Sounds.bit(announcement) }
        mutating func drop(_ announcement: Announcement.ID) {
            pending &= ~Sounds.bit(announcement)
            begun &= ~Sounds.bit(announcement)
        }
    }

    struct Lines: Hashable {
        var asserted: SignalSet = []
        /// The signals that are asserted but not active, because they were suppressed when they began or dropped as
        /// stuck.
        var ineffective: SignalSet = []
        var stuck: SignalSet = []
        var chatters: SignalSet = []

        /// The signals whose effect should apply.
        var active: SignalSet { asserted.union(chatters).subtracting(ineffective) }

        mutating func begin(_ signals: SignalSet, suppressed: SignalSet) {
            stuck.subtract(signals)
            chatters.subtract(signals)
            ineffective.subtract(signals)
            ineffective.formUnion(signals.intersection(asserted).intersection(suppressed))
        }
    }

    var isOn: Bool { session != ExplorerState.none }

    var fingerprint: Int {
        let numbers = UInt64(UInt32(bitPattern: session)) << 32 | UInt64(UInt32(bitPattern: lastSaved))
        let levels = UInt64(lines.asserted.rawValue) << 48 | UInt64(lines.chatters.rawValue) << 32
        let effects = UInt64(lines.ineffective.rawValue) << 16 | UInt64(lines.stuck.rawValue)
        // This is computed in steps, because Swift 6.0 cannot type-check it as one expression.
        var flags = UInt64(silencedPlayback.rawValue) << 5 | UInt64(heldDuck) << 7
        flags |= UInt64(sounds.doneCues.rawValue) << 15
        flags |= UInt64(pausedRecording.rawValue) << 31
        if userWantsNoRecording { flags |= 1 << 33 }
        if deviceIsAvailable { flags |= 1 }
        if late { flags |= 2 }
        if userWantsQuiet { flags |= 4 }
        if observedInterrupted { flags |= 8 }
        if delaysEpisode { flags |= 16 }
        let announcements = UInt64(sounds.pending) | UInt64(sounds.begun) << 8 | UInt64(sounds.accepted) << 16
        let state = numbers ^ flags << 28 ^ announcements
        let mixed = state.multipliedFullWidth(by: 0x9E37_79B9_7F4A_7C15)
        let rest = (levels ^ effects ^ mixed.low).multipliedFullWidth(by: 0xD6E8_FEB8_6659_FD93)
        return Int(truncatingIfNeeded: mixed.high ^ rest.high ^ rest.low)
    }
}
