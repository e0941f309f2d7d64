import AudioSession
import Playback
import Systemd

/// What clients on the bus see and control: all that the interfaces know of the appliance.
protocol Remote: AnyObject {
    /// The current state; nil while there is no installation, as between two configurations.
    var view: RemoteView? { get }
    func command(_ command: Command) -> Answer
    /// Chooses what repeats, and whether the list is shuffled; nil: as before.
    func choose(repeats: Policy.Repeat?, shuffle: Bool?)
    /// - Parameters:
    ///   - announcement: its `id` does not matter.
    ///   - file: the path of what is heard instead of the sound's own file; nil for that.
    ///   - level: the file's, relative to the sound's own.
    ///   - then: called once, when the file has been read, with the answer and the announcement's number; 0 if it was not
    ///     accepted.
    func announce(
        _ announcement: Announcement, file: String?, level: Level, then: @escaping (Answer, Announcement.ID) -> Void)
    /// Replaces the configured preference until the configuration is loaded again.
    /// - Throws: `BusError` while there is no installation.
    func setPrefersNoInterruptionsFromSystemAlerts(_ isPreferred: Bool) throws(BusError)
    /// Sets the level of a signal of `Source=bus`.
    /// - Parameter lease: for a deassertion: nil if the program does not vouch for it.
    /// - Throws: `BusError` if there is no such signal.
    func set(_ signal: SignalID, asserted: Bool, lease: ProgramLevels.Lease?) throws(BusError) -> Answer
}

struct RemoteView {
    var context: ExplanationContext
    /// The current track's length.
    var length: Duration?
    var tags: TrackTags?
    /// The path of a picture.
    var art: String?
    /// When a state was last written, by the wall clock; nil if none has been yet.
    var lastCheckpoint: Duration?
    /// Looks up the lines that the daemon holds.
    var lines: () -> [HeldLine] = { [] }

    var scene: StateSnapshot { context.scene }
}
