/// A sound to play from its beginning, in place of any other sound. See <doc:Semantics#Sounds>.
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
    }

    public var sound: SoundID
    /// The announcement that requested the sound, or nil for a cue.
    public var announcement: Announcement.ID?
    /// True if the sound repeats without a gap until it is stopped.
    public var repeats: Bool
    public var wait: Wait

    public init(sound: SoundID, announcement: Announcement.ID? = nil, repeats: Bool = false, wait: Wait = .none) {
        self.sound = sound
        self.announcement = announcement
        self.repeats = repeats
        self.wait = wait
    }
}
