import AudioSession
import Playback
import Spelling
import Supervisor
import Systemd

/// The interfaces' view of the current installation.
final class InstallationRemote: Remote {
    private let newest: () -> Installation?
    let programs: ProgramLevels
    private let helpers: HelperWatch
    var card: TagReader.Card?
    private var players = Reporter.players
    private var streams = Reporter.streams
    private var orders = PlayerOrderNumbers()

    init(_ installation: @escaping () -> Installation?, _ programs: ProgramLevels, _ helpers: HelperWatch) {
        newest = installation
        self.programs = programs
        self.helpers = helpers
    }

    /// The installation, or nil while there is none, as between two configurations.
    private var installation: Installation? { newest().flatMap { $0.isEnding ? nil : $0 } }

    /// The view that is shared by all properties that are read together.
    private var shared: RemoteView??

    var view: RemoteView? { shared ?? look() }

    func share(during read: () -> Void) {
        shared = .some(look())
        read()
        shared = nil
    }

    private func look() -> RemoteView? {
        guard let installation else { return nil }
        let context = installation.context
        let card = card?.file == context.scene.file ? card : nil
        return RemoteView(
            context: context, length: installation.trackLength, tags: card?.tags, art: card?.art,
            lastCheckpoint: installation.lastCheckpoint, lines: { installation.heldLines },
            readings: { installation.lineReadings }, peak: { installation.liveInputs.peak(of: $0) },
            list: { installation.listedTracks }, playlists: installation.requests.lookups.playlists)
    }

    /// The caller of the method that is being answered.
    var caller: () -> BusCaller? = { nil }

    private var issuer: Issuer { .bus(caller() ?? BusCaller()) }

    func command(_ command: Command) -> Answer {
        installation?.command(command, from: issuer) ?? .commandFailed(Installation.absence)
    }

    func choose(_ request: ChoiceRequest, then: @escaping (Answer) -> Void) {
        guard let installation else { return then(.commandFailed(Installation.absence)) }
        installation.choose(request, from: issuer, then: then)
    }

    func listTracks(matching text: String, from first: Int, then: @escaping (Library.Names?, Duration) -> Void) {
        guard let installation else { return then(Library.Names(), .zero) }
        installation.listTracks(matching: text, from: first, then: then)
    }

    func setModes(repeats: Policy.Repeat?, shuffle: Bool?) {
        installation?.setModes(repeats: repeats, shuffle: shuffle)
    }

    func announce(
        _ announcement: Announcement, file: String?, level: Level,
        then: @escaping (Answer, Announcement.ID) -> Void
    ) {
        guard let installation else { return then(.commandFailed(Installation.absence), 0) }
        installation.announce(announcement, file: file, level: level, from: issuer, then: then)
    }

    func setPrefersNoInterruptionsFromSystemAlerts(_ isPreferred: Bool) throws(BusError) {
        guard let installation else { throw .failed(Installation.absence) }
        installation.setPrefersNoInterruptionsFromSystemAlerts(isPreferred, from: issuer)
    }

    /// The connection whose call is being answered.
    var sender: () -> String? = { nil }
    /// Called with the connection of a program that holds a level or reports something.
    var onConnection: (String) -> Void = { _ in }

    func set(_ signal: SignalID, asserted: Bool, lease: ProgramLevels.Lease?) throws(BusError) -> Answer {
        guard let installation, let sender = sender() else { return .commandFailed(Installation.absence) }
        if !asserted { programs.withdraw(signal, by: sender) }
        try installation.configuration.checkIsFromBus(signal)
        let caller = caller() ?? BusCaller()
        programs.set(signal, asserted, for: lease, by: sender, called: caller.words, of: caller.user)
        onConnection(sender)
        return .success
    }

    func lastOrder(to player: PlayerID) -> UInt64 { orders[player] }

    /// Counts an order to a player, and returns its number.
    func count(_ command: PlayerCommand, to player: PlayerID) -> UInt64 { orders.count(command, to: player) }

    /// Records that the caller is a helper. Call this after its user has been checked.
    private func noteHelper(_ helper: Helper) {
        guard let sender = sender() else { return }
        helpers.reported(helper, by: sender)
        onConnection(sender)
    }

    func report(_ player: PlayerID, _ report: PlayerReport, isOwn: Bool, after order: UInt64) throws(BusError) {
        let installation = try installation(knowing: player)
        if order == orders[player] { installation.report(player, report, isOwn: isOwn) }
    }

    func report(_ player: PlayerID, problem: String) throws(BusError) {
        try installation(knowing: player).report(player, problem: problem)
    }

    /// Returns the installation for a report about a player.
    private func installation(knowing player: PlayerID) throws(BusError) -> Installation {
        try players.check(caller())
        noteHelper(.players)
        guard let installation else { throw .failed(Installation.absence) }
        let names = installation.configuration.session.players.map(\.rawValue)
        guard names.contains(player.rawValue) else {
            let shown = player.rawValue.utf8.count <= 40 ? player.rawValue.visibleLines() : "of this name"
            throw .invalidArguments(
                Spelling.unknown("player", shown, among: names, otherwise: "add [Player NAME] to the configuration"))
        }
        return installation
    }

    func report(
        _ input: InputID, title: String, artist: String, problem: String
    ) throws(BusError) -> (url: String, pipe: String) {
        try streams.check(caller())
        noteHelper(.streams)
        guard let installation else { throw .failed(Installation.absence) }
        let settings = installation.configuration.inputs.first { $0.id == input }
        guard let settings, case .stream(let url) = settings.origin else {
            throw .invalidArguments("there is no input of this name with From=stream")
        }
        installation.report(input, title: title, artist: artist, problem: problem)
        return (url.text, settings.streamPath)
    }
}
