import AudioSession
import Configuration
import Playback
import ResumeStore

/// The tracks, their order, and how both came about.
struct PlayList {
    /// In the order in which they are played.
    private(set) var tracks: TrackList
    private(set) var shuffleSeed: UInt64 = 0
    private(set) var modes = ListModes()
    /// Whether there are no tracks only because the library is still being read.
    var isAwaited = false

    /// - Parameter tracks: the library's, in its order.
    init(_ tracks: [Track]) { self.tracks = TrackList(tracks) }

    /// Takes over what was saved.
    /// - Parameter newSeed: of the order, if none was saved.
    mutating func open(_ saved: SavedState?, _ configuration: Configuration, newSeed: UInt64) {
        shuffleSeed = saved?.shuffleSeed ?? newSeed
        modes = ListModes(saved, configuration)
        guard modes.shuffles(configuration) else { return }
        tracks = TrackList(
            tracks.library, shuffledBy: shuffleSeed, repeats: modes.repeats(configuration) != .none)
    }

    /// Shuffles the list again at its end, so that whoever starts it again hears it in another order. The save that follows
    /// contains its seed.
    mutating func drawAgain() { shuffleSeed = tracks.drawAgain() ?? shuffleSeed }

    /// Chooses what repeats, and whether the list is shuffled, from the next boot on.
    /// - Returns: whether that differs from the last choice.
    mutating func choose(repeats: Policy.Repeat?, shuffle: Bool?, _ configuration: Configuration) -> Bool {
        let former = modes
        if let repeats { modes.repeats = repeats == configuration.session.repeats ? nil : repeats }
        if let shuffle { modes.shuffle = shuffle == configuration.playback.shuffle ? nil : shuffle }
        return modes != former
    }
}
