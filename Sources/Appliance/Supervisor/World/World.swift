import AudioSession
import Playback
import ResumeStore

/// All that the supervisor needs of the world: small, so that a virtual one runs the very same supervisor as the
/// appliance. Everything is called on the supervisor's own thread, and nothing may block.
public protocol World: AnyObject {
    /// The time of whatever is being handled, on a clock that never goes back.
    var now: Duration { get }
    /// Time since 1970 by the wall clock, which need not be right.
    var wallClock: Duration { get }

    /// The electrical levels of all lines, read in one go. A line that cannot be read is left out.
    func readLines() -> [SignalID: Bool]

    /// The state that was saved last; nil on a first boot.
    func loadState() throws(StateError) -> SavedState?
    /// Keeps a damaged state for diagnosis, where the next save does not destroy it.
    func setStateAside() throws(StateError)
    /// `urgently`: ahead of everything else.
    func save(_ state: SavedState, urgently: Bool)

    /// Where a new shuffled order begins.
    var shuffleSeed: UInt64 { get }
    /// A player of these tracks, in their order, with its device closed.
    func makePlayer(tracks: [Track], order: TrackOrder) -> Player
    func muteMicrophone(_ isMuted: Bool)

    /// Something happened, and all that follows from it has been done.
    func report(_ report: Report)
}
