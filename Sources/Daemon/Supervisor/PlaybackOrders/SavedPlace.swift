/// The place at which the library was left for a choice.
struct LeftPlace {
    /// The path of the track, or nil if there was none.
    let track: String?
    let position: Duration
}

/// The music's position in the form in which it is saved.
struct SavedPlace {
    /// The path of the track. It is kept during a boot without music.
    var track: String?
    var position = Duration.zero
    /// The position in the current track from which the music last continued or to which it last jumped.
    var continuedFrom = Duration.zero
    /// The time at which the position is saved next, or nil while it does not change.
    var checkpoint: Duration?
}
