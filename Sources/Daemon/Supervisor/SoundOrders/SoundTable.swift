import AudioSession
import Playback

/// The sound that is playing, the clips of announcements, and the lengths and problems of the sounds' files.
struct SoundTable {
    var playing: PlayingSound?
    /// The clips that announcements play instead of their sounds' own files. Each is kept until its announcement has
    /// ended.
    private(set) var clips: [Announcement.ID: SoundClip] = [:]
    /// The places of the requests whose sounds continue where they are cut. Each is kept until its request has ended.
    private(set) var places: [DueSound.Request: Place] = [:]
    private(set) var lengths: [SoundID: Duration] = [:]
    private(set) var problems: [SoundID: SoundProblem] = [:]
    /// The number of sounds that have been ordered.
    private var orders = 0
    private var announcements: Announcement.ID = 0

    /// The time by which the current sound will have been played to its end, or nil if it repeats or if its length is
    /// unknown.
    var end: Duration? {
        guard let playing, !playing.repeats, let length = playing.length ?? lengths[playing.sound] else { return nil }
        return playing.begins + max(.zero, length - (playing.place?.position ?? .zero))
    }

    struct Place {
        let sound: SoundID
        let position: SoundPlace
    }

    /// Continues the numbers of announcements, and keeps their clips and the places of sounds. Sounds that could not be
    /// read are still treated as unreadable until the player reports on them.
    /// - Parameter isSame: Returns true if a sound still has the same file.
    mutating func inherit(_ predecessor: SoundTable, where isSame: (SoundID) -> Bool) {
        announcements = predecessor.announcements
        clips = predecessor.clips
        places = predecessor.places.filter { isSame($0.value.sound) }
        problems = predecessor.problems.filter { isSame($0.key) }
    }

    /// Numbers an announcement.
    mutating func number(_ clip: SoundClip?) -> Announcement.ID {
        announcements += 1
        clips[announcements] = clip
        return announcements
    }

    /// Releases the clips and places of the requests that have ended.
    mutating func releaseEnded(_ session: Session) {
        guard !clips.isEmpty || !places.isEmpty else { return }
        let requests = session.soundRequests
        clips = clips.filter { requests.contains(.announcement($0.key)) }
        places = places.filter { requests.contains($0.key) }
    }

    /// - Parameters:
    ///   - index: The sound's index in the player's sounds.
    ///   - level: The linear gain that applies in addition to the sound's own.
    mutating func play(_ order: SoundOrder, _ index: Int, level: Float, at now: Duration, after wait: Duration)
        -> PlayerOrder.SoundStart
    {
        orders += 1
        if case .partial? = problems[order.sound] { problems[order.sound] = nil }
        let clip = order.announcement.flatMap { clips[$0] }
        let (place, continues) = place(for: order)
        playing = PlayingSound(
            number: orders, sound: order.sound, announcement: order.announcement, begins: now + wait,
            repeats: order.repeats, length: clip?.length, place: place)
        return PlayerOrder.SoundStart(
            sound: index, clip: clip, order: orders, isCue: order.announcement == nil, repeats: order.repeats,
            level: level, place: place, continues: continues, wait: wait)
    }

    /// Returns the place at which the sound of an order starts, or nil if it is not kept, and true if an earlier order
    /// has used it.
    private mutating func place(for order: SoundOrder) -> (SoundPlace?, continues: Bool) {
        guard order.start != .beginning, let request = order.request else { return (nil, false) }
        if order.start == .position, let known = places[request], known.sound == order.sound {
            return (known.position, true)
        }
        let place = SoundPlace()
        places[request] = Place(sound: order.sound, position: place)
        return (place, false)
    }

    /// Handles an event of the player about a sound.
    /// - Returns: The cause to report, or nil if nothing has changed.
    mutating func follow(_ event: PlaybackEvent, _ sounds: [SoundPolicy]) -> Cause? {
        switch event {
        case .soundReadable(let index, let length, let defect):
            let sound = sounds[index].id
            lengths[sound] = length
            let wasUnreadable = problems[sound]?.isFault ?? false
            problems[sound] = defect.map { .inaudible($0.message) }
            return wasUnreadable ? .event(.soundReadable(sound, true)) : nil
        case .soundUnreadable(let index, let reason):
            let sound = sounds[index].id
            lengths[sound] = nil
            let wasUnreadable = problems[sound]?.isFault ?? false
            problems[sound] = .unreadable("\(reason)")
            return wasUnreadable ? nil : .event(.soundReadable(sound, false), .unreadable(reason: "\(reason)"))
        case .soundBroken(let index, let reason):
            let sound = sounds[index].id
            // A problem with a clip is not a problem with the sound's own file.
            if playing?.length == nil || playing?.sound != sound { problems[sound] = .partial("\(reason)") }
            return .note(.soundBroken(sound, reason: "\(reason)", isPlayed: reason.reason == .gap))
        case .soundEnded(let number) where playing?.number == number: playing?.outcome = .soundEnded
        case .soundCut(let number) where playing?.number == number: playing?.outcome = .soundBroken
        default: break
        }
        return nil
    }

    /// Removes the current sound and returns its outcome, or returns nil while it plays.
    mutating func takeEnded() -> Cause? {
        guard let ended = playing, let outcome = ended.outcome else { return nil }
        playing = nil
        return .event(outcome, .sound(ended.sound))
    }
}

/// The sound that the player has been ordered to play.
struct PlayingSound {
    /// The order's number. The event for the end of the sound contains this number, so that the end of an earlier order
    /// is ignored.
    let number: Int
    let sound: SoundID
    /// The announcement, or nil for a cue.
    let announcement: Announcement.ID?
    /// The time at which its first frame is played, when the music is quiet enough.
    let begins: Duration
    let repeats: Bool
    /// The length of its clip, or nil if the sound's own file is played.
    let length: Duration?
    /// The place with which it started, or nil if it started at its first frame.
    let place: SoundPlace?
    /// The event with which the sound has ended, or nil while it plays.
    ///
    /// It is not in `Agenda.pending`, because another order must discard it. Otherwise, the session would mistake it
    /// for the end of the sound that has replaced this one. It also precedes the announcements that expire at the same
    /// time.
    var outcome: Event?
}

/// A problem with a sound's file, in the words of the system or the decoder.
public enum SoundProblem: Hashable, Sendable {
    /// The file cannot be read, which is a fault.
    case unreadable(String)
    /// The file can be read but is inaudible.
    case inaudible(String)
    /// A part beyond the one held in memory could not be read when the sound was last played.
    case partial(String)

    public var isFault: Bool { if case .unreadable = self { true } else { false } }

    public var reason: String {
        switch self {
        case .unreadable(let reason), .inaudible(let reason), .partial(let reason): reason
        }
    }
}
