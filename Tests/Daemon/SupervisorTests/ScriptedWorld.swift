import AudioSession
import Configuration
import Playback
import ResumeStore
import Supervisor

/// The inputs that a test gives to a supervisor, and the effects of the supervisor, in order.
final class ScriptedWorld {
    var now = Duration.zero
    var wallClock = Duration.seconds(1_000)
    var levels: [SignalID: Bool] = ["phone-call": false, "alarm": false, "cover-closed": false]
    var state: SavedState?
    var deviceIsThere = true
    /// True if the next hush finds an announcement whose file is being read.
    var isLoading = false
    fileprivate(set) var calls: [String] = []
    fileprivate(set) var reports: [Report] = []
    let player = ScriptedPlayer()

    init() { player.log = { [unowned self] in calls.append($0) } }

    func takeCalls() -> [String] {
        defer { calls = [] }
        return calls
    }

    fileprivate func carryOut(_ effect: Supervisor.Effect) {
        switch effect {
        case .openPlayer: calls.append("open")
        case .player(let order): player.carryOut(order)
        case .command(let player, let command): calls.append("\(player) \(command)")
        case .muteMicrophone(let isMuted): calls.append("mute \(isMuted)")
        case .record(let directive): if directive != .off { calls.append("record \(directive)") }
        case .drive(let outputs): calls.append("drive \(outputs.map(\.rawValue))")
        case .save(let state, let urgently):
            calls.append(urgently ? "save urgently" : "save")
            self.state = state
        case .setStateAside: calls.append("set state aside")
        case .findIdleTracks: calls.append("find idle tracks")
        case .renewList: calls.append("renew list")
        case .report(let report): reports.append(report)
        case .takeEvents: break
        }
    }
}

/// A supervisor whose effects a scripted world carries out.
@dynamicMemberLookup final class ScriptedSupervisor {
    private var machine: Supervisor
    private let world: ScriptedWorld

    init(configuration: Configuration, tracks: [Track], world: ScriptedWorld) {
        machine = Supervisor(configuration: configuration, tracks: tracks)
        self.world = world
    }

    subscript<Value>(dynamicMember path: KeyPath<Supervisor, Value>) -> Value { machine[keyPath: path] }

    /// - Returns: the last report.
    @discardableResult
    func handle(_ input: Supervisor.Input) -> Report? {
        let known = world.reports.count
        take(input)
        while let effect = machine.next(world.player.state) {
            if effect == .takeEvents { take(.events(world.player.takeEvents())) } else { world.carryOut(effect) }
        }
        return world.reports.count > known ? world.reports.last : nil
    }

    private func take(_ input: Supervisor.Input) {
        machine.take(input, at: Moment(world.now, wallClock: world.wallClock))
    }

    func boot(after predecessor: ScriptedSupervisor? = nil) {
        world.calls += ["load state", "read lines"]
        var facts = StartingFacts(state: .success(world.state), levels: LineLevels(world.levels), shuffleSeed: 7)
        facts.isDeviceAvailable = world.deviceIsThere
        facts.predecessor = predecessor?.machine
        handle(.boot(facts))
    }

    func settle() { handle(.time) }
    func line(_ signal: SignalID, level: Bool?) { handle(.line(signal, level: level)) }
    func edge(_ edge: Edge) { handle(.edge(edge)) }
    func adopt(_ other: Configuration) { handle(.configuration(other)) }
    func canAdopt(_ other: Configuration) -> Bool { machine.canAdopt(other) }

    @discardableResult
    func command(_ command: Command) -> Answer? {
        defer { world.isLoading = false }
        return handle(.command(command, hasWithdrawn: command == .hush && world.isLoading))?.answer
    }

    @discardableResult
    func announce(_ sound: SoundID, expire: Announcement.Expire = .asConfigured, clip: SoundClip? = nil)
        -> (answer: Answer?, id: Announcement.ID)
    {
        let report = handle(.announce(Announcement(sound, expire: expire), clip: clip))
        return (report?.answer, report?.announcement ?? 0)
    }

    var position: Duration? { machine.position(of: world.player.state) }
    var track: Track? { machine.track(of: world.player.state) }
    var trackNumber: Int? { machine.trackNumber(of: world.player.state) }
}

/// A player that plays nothing. Its playhead stays where it was set.
final class ScriptedPlayer {
    var log: (String) -> Void = { _ in }
    private static let rate = 48_000
    /// True if a search is answered only by an event that the test adds.
    var isSlow = false
    var events: [PlaybackEvent] = []
    /// The position of the music that still plays while a track is being searched for, or nil if none plays.
    var before: Playhead? {
        didSet { state.heard = before ?? state.playhead }
    }
    private(set) var state = PlayerState()
    var playhead: Playhead? { state.playhead }

    init() { state.certainTrackLength = .seconds(60) }

    /// True if a fade-out that was ordered is still audible.
    var isFadingOut: Bool {
        get { state.isFadingOut }
        set { state.isFadingOut = newValue }
    }
    var trackLength: Duration? {
        get { state.certainTrackLength }
        set { state.certainTrackLength = newValue }
    }

    func carryOut(_ order: PlayerOrder) {
        switch order {
        case .tearDown: log("tear down")
        case .rebuild: log("rebuild")
        case .load(let track, let position, _):
            log("load \(track) at \(position)")
            move(track, position)
            if !isSlow { events.append(.loaded(track: track)) }
        case .seek(let position):
            log("seek \(position)")
            move(playhead?.track ?? 0, position)
        case .play(let gain, let ramp, let rewinding, let wait):
            let rewind = rewinding == .zero ? "" : " rewinding \(rewinding)"
            log("play \(gain) over \(ramp)\(rewind)\(wait == .zero ? "" : " after \(wait)")")
        case .silence(let ramp): log("silence over \(ramp)")
        case .playSound(let start):
            let content = start.clip.map { " with \($0.path)" } ?? ""
            log(
                "sound \(start.sound)\(content) as \(start.order) after \(start.wait)"
                    + (start.repeats ? " repeating" : "") + (start.level == 1 ? "" : " at \(start.level)"))
        case .setSoundLevel(let gain, let ramp): log("sound at \(gain) over \(ramp)")
        case .select(let input, let fadeOut): log("select \(input.map(String.init) ?? "library") over \(fadeOut)")
        case .playPage(let input, let wait): log("page \(input) after \(wait)")
        case .stopSound: log("stop sound")
        case .readSounds: log("read sounds")
        }
    }

    /// Plays the current track up to a position.
    func play(to position: Duration) { move(playhead?.track ?? 0, position) }

    func takeEvents() -> [PlaybackEvent] {
        defer { events = [] }
        return events
    }

    private func move(_ track: Int, _ position: Duration) {
        let frame = Int(position / .seconds(1) * Double(Self.rate))
        state.playhead = Playhead(track: track, frame: frame, rate: Self.rate)
        state.heard = before ?? state.playhead
    }
}
