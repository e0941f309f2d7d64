/// A sound to play in place of any other sound. See <doc:Semantics#Sounds>.
public struct SoundOrder: Hashable, Sendable {
    /// The ramp of the music that must end before the sound starts, so that the music is quiet enough for its first
    /// frame.
    public enum Wait: Hashable, Sendable {
        /// The sound does not wait, because the request does not affect the music.
        case none
        /// The sound waits for the fade-out that begins now.
        case fadeOut
        /// The sound waits for the attack of the duck that begins now.
        case duckAttack
        /// The music does not have to be turned down any further, so the sound waits only for the rest of the last
        /// fade-out or attack, if it is still in progress.
        case remainder
        /// The sound begins again, so it waits only for the rest of its previous wait.
        case previous
    }

    /// The position at which the sound starts.
    public enum Start: Hashable, Sendable {
        /// The sound starts at its beginning, whenever it is ordered.
        case beginning
        /// The sound starts at its beginning. If it is cut, a later order can continue it.
        case anew
        /// The sound continues where it was cut during the same request, or starts at its beginning if it has not been
        /// played yet.
        case position
    }

    public var sound: SoundID
    /// The announcement that requested the sound, or nil for a cue.
    public var announcement: Announcement.ID?
    /// The signal that requested the sound, or nil for an announcement.
    public var signal: SignalID?
    /// True if the sound repeats without a gap until it is stopped.
    public var repeats: Bool
    public var wait: Wait
    public var start: Start

    public init(
        sound: SoundID, announcement: Announcement.ID? = nil, signal: SignalID? = nil, repeats: Bool = false,
        wait: Wait = .none, start: Start = .beginning
    ) {
        self.sound = sound
        self.announcement = announcement
        self.signal = signal
        self.repeats = repeats
        self.wait = wait
        self.start = start
    }

    /// The request for the sound, or nil if the order does not name it.
    public var request: DueSound.Request? {
        announcement.map(DueSound.Request.announcement) ?? signal.map(DueSound.Request.cue)
    }
}
