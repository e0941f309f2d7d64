import AudioSession
import Playback
import ResumeStore

/// Everything that the supervisor needs from its environment, kept small so that a virtual world can run the same
/// supervisor as the appliance. All calls are made on the supervisor's thread, and none may block.
public protocol World: AnyObject {
    /// The time of the event that is being handled, on a clock that never goes back.
    var now: Duration { get }
    /// Time since 1970 by the wall clock, which can be wrong.
    var wallClock: Duration { get }

    /// The electrical levels of all lines, read together. A line that cannot be read is missing.
    func readLines() -> [SignalID: Bool]

    /// The state that was saved last; nil on a first boot.
    func loadState() throws(StateError) -> SavedState?
    /// Moves a damaged state out of the way of the next save, for diagnosis.
    func setStateAside() throws(StateError)
    /// - Parameter urgently: whether to save ahead of all other work.
    func save(_ state: SavedState, urgently: Bool)

    /// The seed of a new shuffled order.
    var shuffleSeed: UInt64 { get }
    /// A player of these tracks, in their order, with its device closed. It reads the sounds, and reports each with
    /// `soundReadable` or `soundUnreadable`.
    func makePlayer(tracks: TrackList, order: TrackOrder, sounds: [Sound]) -> Player
    func muteMicrophone(_ isMuted: Bool)
    /// Opens the capture device; called at a boot, before `record`, if the session can record.
    /// - Returns: whether it is available; also true if this is not known yet, and `captureLost` will report it.
    func openCapture() -> Bool
    /// Records the microphone, pauses or finishes, from the present frame of the capture device's clock on. Called at a
    /// boot, and whenever it changes.
    func record(_ directive: RecordingDirective)
    /// How much has been recorded since the boot, silence of a muted microphone included.
    var recorded: Duration { get }
    /// Drives the outputs: those named are asserted, and all others are not. Called before the player is ordered to play.
    func drive(_ outputs: [OutputID])

    /// Withdraws the announcements that have not been requested yet because their files are still being read; called at a
    /// hush.
    /// - Returns: whether there were any.
    func withdrawAnnouncements() -> Bool

    /// Called after an event, once all its consequences have been carried out.
    func report(_ report: Report)
}

extension World {
    public func withdrawAnnouncements() -> Bool { false }
}
