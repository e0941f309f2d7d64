import AudioSession
import Configuration
import Playback
import Systemd

/// The view and the controls of the appliance for clients on the bus. The interfaces do not use any other part of the
/// appliance.
protocol Remote: AnyObject {
    /// The current state, or nil while there is no installation, as between two configurations.
    var view: RemoteView? { get }
    func command(_ command: Command) -> Answer
    /// Plays a track, folder or playlist in place of the library's list.
    /// - Parameter then: Called once with the answer, after its tracks have been found.
    func choose(_ request: ChoiceRequest, then: @escaping (Answer) -> Void)
    /// Lists the names of the library's tracks.
    /// - Parameters:
    ///   - first: The number of the first name to return.
    ///   - then: Called once with the names, or nil if too many lists are being made, and with the processor time that
    ///     finding them has taken.
    func listTracks(matching text: String, from first: Int, then: @escaping (Library.Names?, Duration) -> Void)
    /// Chooses the repeat mode and the shuffle mode. A mode that is nil stays as it is.
    func setModes(repeats: Policy.Repeat?, shuffle: Bool?)
    /// - Parameters:
    ///   - announcement: The announcement. Its `id` is ignored.
    ///   - file: The path of a file to play instead of the sound's own file, or nil.
    ///   - level: The level of the file relative to the sound's own level.
    ///   - then: Called once after the file has been read, with the answer and the announcement's number, which is 0 if
    ///     it was not accepted.
    func announce(
        _ announcement: Announcement, file: String?, level: Level, then: @escaping (Answer, Announcement.ID) -> Void)
    /// Replaces the configured preference until the configuration is loaded again.
    /// - Throws: `BusError` while there is no installation.
    func setPrefersNoInterruptionsFromSystemAlerts(_ isPreferred: Bool) throws(BusError)
    /// Sets the level of a signal with `Source=bus`.
    /// - Parameter lease: The requested lease, or nil for a deassertion without a lease.
    /// - Throws: `BusError` if there is no such signal.
    func set(_ signal: SignalID, asserted: Bool, lease: ProgramLevels.Lease?) throws(BusError) -> Answer
    /// Takes a report about a player.
    /// - Parameters:
    ///   - isOwn: True if the player has changed on its own, and false if it was found in this state.
    ///   - order: The number of the last order that the caller has received. An outdated report is ignored.
    /// - Throws: `BusError` if there is no such player, or if the caller may not report.
    func report(_ player: PlayerID, _ report: PlayerReport, isOwn: Bool, after order: UInt64) throws(BusError)
    /// Takes a report of the reason why a player cannot be controlled, which is empty if it can.
    /// - Throws: `BusError` if there is no such player, or if the caller may not report.
    func report(_ player: PlayerID, problem: String) throws(BusError)
    /// Takes a report about an input whose audio a helper receives.
    /// - Returns: The complete URL of the stream, and the path of its pipe.
    /// - Throws: `BusError` if there is no such stream, or if the caller may not report.
    func report(
        _ input: InputID, title: String, artist: String, problem: String
    ) throws(BusError) -> (url: String, pipe: String)
    /// The number of the last order to a player.
    func lastOrder(to player: PlayerID) -> UInt64
}

extension Remote {
    /// Carries out a written command. A relative one refers to the present position and volume.
    /// - Parameter then: Called once with the answer, at once or, for a choice, after its tracks have been found.
    func execute(_ written: WrittenCommand, then: @escaping (Answer) -> Void = { _ in }) {
        if case .choose(let request) = written { return choose(request, then: then) }
        let view = view
        let command = written.sessionCommand(
            at: view?.scene.session.volume ?? .full, position: view?.scene.position, trackLength: view?.length)
        if let command { then(self.command(command)) }
    }
}

struct RemoteView {
    var context: ExplanationContext
    /// The current track's length.
    var length: Duration?
    var tags: TrackTags?
    /// The path of a picture.
    var art: String?
    /// The time at which a state was last written, by the wall clock, or nil if none has been written yet.
    var lastCheckpoint: Duration?
    /// Returns the lines that the daemon holds.
    var lines: () -> [HeldLine] = { [] }
    var readings: () -> (polled: [PolledLine], repairs: Int) = { ([], 0) }
    /// Returns the peak of what has just arrived at an input, where 1 is full scale.
    var peak: (InputID) -> Float = { _ in 0 }
    /// Returns the tracks around the current one in the order in which they are played.
    var list: () -> ListedTracks = { ListedTracks() }
    var playlists = LibraryPlaylists()

    var scene: StateSnapshot { context.scene }
}
