/// A sound to play from its beginning, in place of any other sound. See <doc:Semantics#Sounds>.
public struct SoundOrder: Hashable, Sendable {
    /// How long the sound waits for the music, so that the music has given way before the sound's first frame.
    public enum Wait: Hashable, Sendable {
        /// Not at all: the request requires nothing of the music.
        case none
        /// For the fade-out that begins now.
        case fadeOut
        /// For the attack of the duck that begins now.
        case duckAttack
        /// For the rest of the last fade-out or attack, if it has not ended yet: the music was already low enough.
        case remainder
    }

    public var sound: SoundID
    /// The announcement that requested it; nil for a cue.
    public var announcement: Announcement.ID?
    /// Whether it repeats, without a gap, until it is stopped.
    public var repeats: Bool
    public var wait: Wait

    public init(sound: SoundID, announcement: Announcement.ID? = nil, repeats: Bool = false, wait: Wait = .none) {
        self.sound = sound
        self.announcement = announcement
        self.repeats = repeats
        self.wait = wait
    }
}
