import AudioSession
import Configuration
import Playback
import ResumeStore

/// The tracks and their order, together with the modes and the seed that determine it.
struct PlayList {
    /// The tracks in the order in which they are played.
    private(set) var tracks: TrackList
    private(set) var shuffleSeed: UInt64 = 0
    private(set) var modes = ListModes()
    /// The place at which the library was left, or nil while no choice is played.
    var left: LeftPlace?
    /// The saved choice whose tracks could not be found because there is no library yet, and the index of its track.
    var unresolved: (choice: SavedState.ChosenList, index: Int)?
    /// True if there are no tracks only because the library is still being read.
    var isAwaited = false
    /// The search for a playable track, or nil if none is in progress.
    var search: TrackSearch?

    /// Determines when the playlist for idle times is chosen.
    var idle = IdleTimer()
    /// The tracks of the saved choice, until the boot.
    private var saved: [Track]

    /// - Parameters:
    ///   - tracks: The library's tracks in their order.
    ///   - chosen: The tracks of the saved choice.
    init(_ tracks: [Track], chosen: [Track] = []) {
        self.tracks = TrackList(tracks)
        saved = chosen
    }

    /// Returns the tracks of the saved choice, and forgets them.
    mutating func takeSaved() -> [Track] {
        defer { saved = [] }
        return saved
    }

    /// Replaces the tracks of the last choice.
    /// - Parameter found: The tracks that the request names, which must not be empty.
    mutating func choose(_ request: ChoiceRequest, _ found: [Track]) -> Choice {
        Choice(request, tracks: tracks.choose(found, repeats: request.then == .repeat))
    }

    /// Restores the saved modes and order.
    /// - Parameter newSeed: The seed of the order if none was saved.
    mutating func open(_ saved: SavedState?, _ configuration: Configuration, newSeed: UInt64) {
        shuffleSeed = saved?.shuffleSeed ?? newSeed
        modes = ListModes(saved, configuration)
        guard modes.shuffles(configuration) else { return }
        tracks = TrackList(
            tracks.library, shuffledBy: shuffleSeed, repeats: modes.repeats(configuration) != .none)
    }

    /// Shuffles the list again at its end, so that it plays in another order the next time. The save that follows
    /// contains the new seed.
    mutating func drawAgain() { shuffleSeed = tracks.drawAgain() ?? shuffleSeed }

    /// Chooses the repeat mode and the shuffle mode from the next boot on.
    /// - Returns: True if the modes differ from the last choice.
    mutating func setModes(repeats: Policy.Repeat?, shuffle: Bool?, _ configuration: Configuration) -> Bool {
        let former = modes
        if let repeats { modes.repeats = repeats == configuration.session.repeats ? nil : repeats }
        if let shuffle { modes.shuffle = shuffle == configuration.playback.shuffle ? nil : shuffle }
        return modes != former
    }
}
