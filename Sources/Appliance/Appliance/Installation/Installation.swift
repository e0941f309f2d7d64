import ALSA
import AudioSession
import Clocks
import Configuration
import Playback
import Recording
import ResumeStore
import Signals
import Supervisor
import Systemd

/// Everything that is built from one configuration and one library: levels, supervisor, player. A reload builds another.
///
/// For the control thread. A source or timer never calls back once it is released, and the installation owns them all,
/// so their handlers can refer to it `unowned`; strong references would keep it alive for ever.
final class Installation {
    private(set) var configuration: Configuration
    let tracks: [Track]
    let world: ApplianceWorld
    var supervisor: Supervisor
    let levels: Levels
    let outputs: OutputLines
    let recording: RecordingControl
    /// Holds back what followers learn while a recording is being completed.
    var gate = FollowerGate()
    var outputFaults: [OutputFault] = []
    /// Whether the library is still being read.
    var isLibraryPending: Bool {
        get { supervisor.awaitsTracks }
        set { handle(.library(isPending: newValue)) }
    }
    /// The files that the search in progress has skipped, and why the last one.
    var skipped: (count: Int, reason: String)?
    /// The library's files of kinds that cannot be played.
    var unplayable = UnplayableFiles()
    /// Whether the watchdog is fed.
    var makesProgress = true
    let loop: EventLoop
    var buttons: [ButtonPress] = []
    var journalist: Journalist
    var health: Health
    var timer: EventTimer?
    /// Fires while the programme should be heard.
    var stallTimer: EventTimer?
    var playerSource: EventSource?
    var microphoneSource: EventSource?
    /// Reads the files of announcements.
    let clips: ClipLoader
    private var clipSource: EventSource?
    var loading = LoadingAnnouncements()
    var ending: Ending?
    /// Nil while the system is awake.
    var sleeping: Sleeping?
    /// The last sleep, and when it ended; nil if there was none.
    var lastSleep: (sleep: Sleep, until: Duration)?
    /// Who gave the command that is being carried out.
    var issuer: Issuer?
    var microphoneReports = MicrophoneReports()
    /// The sound device in use, if it is not the preferred one.
    var route: OutputRoute?
    /// How close to what is being heard the device's queued frames can be replaced; nil if that has not been measured, or
    /// it cannot replace any.
    var rewindMargin: Duration?
    /// Whether a device has been opened since the session's idea of the route was last compared with it.
    var isRouteNew = false
    /// The program that holds the lost sound device.
    var holder: DeviceHolder?
    /// The jack of the output; nil if none is watched.
    var jack: OutputJack?
    /// Whether something is heard, and since when.
    var audibility = Audibility()
    // The owner sets these closures before `start`; the installation holds them no longer than the owner holds it.
    /// Called when `situation` can have changed.
    var onChange: () -> Void = {}
    /// Called with each report, and the state afterwards.
    var onReport: (Report, Scene) -> Void = { _, _ in }
    /// Called when a state is on its way to the disk.
    var onSave: () -> Void = {}
    /// Called when none of the tracks can be played, and when one can be again.
    var onTracks: (_ count: Int) -> Void = { _ in }
    /// A client has replaced a preference; a successor with the same configuration keeps it.
    var onPreference: (Bool) -> Void = { _ in }

    /// Called when the list must be made anew.
    var onChoice: () -> Void = {}

    /// Called before an event is handled, because the system can have been asleep meanwhile.
    var onPass: () -> Void = {}

    /// Whether `end` has been called.
    var isEnding: Bool { ending != nil }

    struct Ending {
        let timer: EventTimer
        let deadline: Duration
        /// Called once and then released, because it can retain the object that waits for the end.
        var then: (() -> Void)?
    }

    struct Sleeping {
        let timer: EventTimer
        let since: Duration
        /// On CLOCK_MONOTONIC.
        let deadline: Duration
        /// Called once everything is quiet.
        var then: (() -> Void)?
    }

    /// Acquires the sources of levels. Nothing is heard before `start`.
    /// - Parameters:
    ///   - tracks: empty if the library cannot be read.
    ///   - health: the troubles known so far.
    ///   - patience: how long to wait for lines and devices that are missing.
    ///   - outputs: drives the outputs' lines, and outlives this installation.
    ///   - recording: records, and outlives this installation.
    ///   - host: creates the readers of the devices.
    ///   - remote: what comes over the bus, and survives a reload; nil: of its own.
    init(
        _ configuration: Configuration, tracks: [Track], health: Health, store: ResumeStore, writer: StateWriter,
        patience: Duration, loop: EventLoop, outputs: OutputLines, recording: RecordingControl, on host: HostSystem,
        remote: RemoteLevels? = nil
    ) throws(SystemdError) {
        self.configuration = configuration
        self.tracks = tracks
        self.health = health
        self.loop = loop
        journalist = Journalist()
        self.outputs = outputs
        // A line can have been an output before.
        outputs.use(configuration.outputs)
        self.recording = recording
        clips = ClipLoader(host.loadClip)
        recording.use(configuration)
        let shared = if let remote { remote } else { try RemoteLevels(in: loop) }
        let levels = try Levels(configuration, patience: patience, in: loop, on: host, remote: shared)
        self.levels = levels
        world = ApplianceWorld(
            configuration: configuration, store: store, writer: writer, levels: levels, outputs: outputs,
            recording: recording, suspendedTime: host.suspendedTime)
        supervisor = Supervisor(configuration: configuration, tracks: tracks)
        timer = try loop.timer { [unowned self] in settle() }
        stallTimer = try loop.timer { [unowned self] in lookForStall() }
        levels.onChanges = { [unowned self] in take($0) }
    }

    /// - Parameter predecessor: the previous installation of this process, which has ended.
    func start(after predecessor: Installation? = nil) throws(SystemdError) {
        world.pass()
        if let predecessor {
            journalist.resume(after: predecessor.journalist)
            audibility = predecessor.audibility
        }
        outputs.onChange = { [unowned self] in outputsHaveChanged() }
        outputFaults = predecessor?.outputFaults ?? []
        buttons = configuration.buttons.map {
            ButtonPress($0, level: levels.level(of: .button($0.name)), at: world.now)
        }
        // Known before the outputs are driven for the first time.
        health.buttons = ButtonFault.all(of: buttons).map(\.advice)
        health.outputs = OutputFault.all(of: outputs).map(\.advice)
        var facts = world.startingFacts()
        facts.predecessor = predecessor?.supervisor
        facts.isHealthy = health.buttons.isEmpty && health.outputs.isEmpty
        handle(.boot(facts))
        try watchMicrophone()
        followRecorder()
        startJack(isSuccessor: predecessor != nil)
        for signal in configuration.session.signals {
            if let problem = levels.problem(of: .signal(signal.id)) { tellLoss(of: signal.id, problem) }
        }
        tellFaults(of: buttons, since: predecessor?.buttons ?? [])
        tellOutputFaults()
        if let player = world.player {
            playerSource = try loop.whenReadable(player.descriptor) { [unowned self, unowned player] in
                if player.hasNews() { settle() }
            }
        }
        clipSource = try loop.whenReadable(clips.descriptor) { [unowned self] in takeClips() }
        settle()
    }

    var scene: Scene {
        let player = world.playerState
        let track = supervisor.track(of: player)
        var scene = Scene(
            session: supervisor.session, configuration: configuration, track: track?.path,
            position: supervisor.position(of: player), length: trackLength)
        scene.stall = audibility.stall
        scene.route = route
        scene.outputs = supervisor.assertedOutputs
        scene.recordingFile = recording.file
        scene.recorded = recording.recorded
        scene.file = track
        scene.isSearching = supervisor.isSearching
        scene.isShuffled = supervisor.isShuffled
        scene.trackNumber = supervisor.trackNumber(of: player)
        return scene
    }

    /// The present state and its causes, for the views; even in the middle of an event, whose time stays as it is.
    var situation: Situation {
        let now = world.present
        let since = audibility.since ?? now
        var situation = Situation(scene: scene, health: health, now: now)
        situation.changed = (SystemClock.wallClock(at: since), now - since)
        situation.rewindMargin = rewindMargin
        situation.isAsleep = sleeping != nil
        situation.lastSleep = lastSleep.map { ($0.sleep, SystemClock.wallClock(at: $0.until), now - $0.until) }
        for signal in configuration.session.signals.map(\.id) {
            situation.places[signal] = levels.place(of: .signal(signal))
            situation.releases[signal] = supervisor.pendingRelease(of: signal)
        }
        situation.holder = holder
        situation.isUnplugged = jack?.isUnplugged ?? false
        situation.soundLengths = supervisor.soundLengths
        situation.soundProblems = supervisor.soundProblems
        situation.soundEnd = supervisor.soundEnd
        situation.lostFrames = recording.lostFrames
        situation.isRecordingWaiting = recording.isWaiting
        situation.unplayable = unplayable
        if supervisor.isSearching, world.player?.isLoading == true { situation.skipped = skipped }
        return situation
    }

    /// The lines that the daemon holds, with their levels.
    var heldLines: [HeldLine] { ending == nil ? levels.heldLines + outputs.held : [] }

    /// The saved state from which it started; nil if there was none.
    var reading: StateReading? { world.reading }

    /// The progress of the engine's threads; nil before the start.
    var progress: EngineProgress? { world.player?.progress }

    var recorderProgress: RecorderProgress? { recording.progress }

    func poke(_ parts: [ProgressWatch.Part]) {
        if parts.contains(.capture) || parts.contains(.recording) { recording.poke() }
        world.player?.poke(render: parts.contains(.render), storage: parts.contains(.storage))
    }

    /// An instant of the session's clock, on CLOCK_MONOTONIC.
    func monotonic(_ time: Duration) -> Duration { world.monotonic(time) }

    /// A hint: a sound device can have appeared.
    func devicesMayHaveChanged() {
        world.player?.retryDevice()
        recording.retryDevice()
    }

    /// A hint: a GPIO chip, an input device or a card can have appeared.
    func levelsMayHaveChanged() {
        levels.lookAgain()
        outputs.chipsMayHaveChanged()
    }

    /// The watchdog is fed, or not any more.
    func makesProgress(_ makesProgress: Bool) {
        guard makesProgress != self.makesProgress else { return }
        self.makesProgress = makesProgress
        pass()
        updateHealth()
        settle()
    }

    func set(_ trouble: Health.Trouble, _ words: String?) {
        health.set(trouble, words)
        onChange()
    }

    /// Carries out a user's command, and returns its answer.
    func command(_ command: Command, from issuer: Issuer) -> Answer {
        pass()
        defer { settle() }
        return give(command, from: issuer)
    }

    /// Requests an announcement.
    /// - Returns: the answer, and the announcement's number; 0 if it was not accepted.
    func announce(_ announcement: Announcement, from issuer: Issuer) -> (answer: Answer, id: Announcement.ID) {
        pass()
        defer { settle() }
        self.issuer = issuer
        defer { self.issuer = nil }
        return request(announcement, clip: nil)
    }

    @discardableResult
    func give(_ command: Command, from issuer: Issuer) -> Answer {
        self.issuer = issuer
        defer { self.issuer = nil }
        let answer = handle(.command(command, hasWithdrawn: command == .hush && withdrawLoading()))?.answer ?? .success
        // What is recorded is not on the disk before the disk takes it again.
        return command == .record && answer == .success && recording.isWaiting ? .deferred : answer
    }

    /// When a state was last written, by the wall clock; nil if none has been yet.
    var lastCheckpoint: Duration? { world.lastCheckpoint }

    /// The current track's length, if known.
    var trackLength: Duration? {
        supervisor.trackNumber(of: world.playerState) == supervisor.session.track ? world.player?.trackLength : nil
    }

    /// Whether another configuration and library can be adopted without a new installation.
    func canAdopt(_ configuration: Configuration, _ tracks: [Track]) -> Bool {
        tracks == self.tracks && supervisor.canAdopt(configuration)
    }

    func adopt(_ configuration: Configuration) throws(SystemdError) {
        self.configuration = configuration
        pass()
        world.adopt(configuration)
        try watchMicrophone()
        outputs.use(configuration.outputs)
        handle(.configuration(configuration))
        useRecorder()
        takeRecorderEvents()
        tellOutputFaults()
        settle()
    }

    /// Changes Apple's preference of the same name: for signals with `Alert=yes` that are asserted from now on.
    func setPrefersNoInterruptionsFromSystemAlerts(_ isPreferred: Bool, from issuer: Issuer) {
        pass()
        if configuration.session.prefersNoInterruptionsFromSystemAlerts != isPreferred {
            configuration.session.prefersNoInterruptionsFromSystemAlerts = isPreferred
            world.adopt(configuration)
            handle(.prefersNoInterruptionsFromSystemAlerts(isPreferred))
        }
        let outcome =
            isPreferred
            ? "signals with Alert=yes no longer interrupt" : "signals with Alert=yes interrupt again"
        tell(
            JournalEntry(.command, "setPrefersNoInterruptionsFromSystemAlerts \(isPreferred): success; \(outcome).")
                .with(.command, "setPrefersNoInterruptionsFromSystemAlerts \(isPreferred)").with(.answer, "success")
                .with(.outcome, outcome).from(issuer))
        onPreference(isPreferred)
        settle()
    }

    /// Chooses what repeats, and whether the list is shuffled.
    func choose(repeats: Policy.Repeat? = nil, shuffle: Bool? = nil) {
        pass()
        handle(.choice(repeats: repeats, shuffle: shuffle))
    }

    /// Some track can be playable again.
    func lookForTracksAgain() {
        pass()
        handle(.tracksMayHaveReturned)
        settle()
    }

    // MARK: Events

    func pass() {
        onPass()
        world.pass()
    }

    /// Handles everything that has happened without an input, and waits for the next event.
    func settle() {
        guard ending == nil, sleeping == nil else { return }
        onPass()
        repeat {
            world.pass()
            handle(.time)
            advanceJack()
            settleRoute()
            requestLoaded()
        } while pressButtons()
        for entry in journalist.due(at: world.now) { JournalWriter.write(entry) }
        openGate()
        let deadlines =
            [supervisor.deadline, journalist.deadline, jack?.deadline, gate.deadline, loading.deadline]
            + buttons.map(\.deadline)
        timer?.deadline = deadlines.compactMap { $0 }.min().map(world.monotonic)
        onChange()
    }

    /// The levels of all sources arrive here.
    private func take(_ changes: [LevelChange]) {
        // The levels are saved as they were when the end or the sleep began. They are read again afterwards.
        guard ending == nil, sleeping == nil else { return }
        onPass()
        for change in changes {
            world.pass(to: change.time)
            switch (change.id, change.state) {
            case (.signal(let signal), .turned(let level)):
                let line = configuration.lines[signal] ?? LinePolicy()
                journalist.turned(
                    signal, toAssert: level != line.isActiveLow, at: world.now, debounce: line.debounce)
                handle(.line(signal, level: level))
            case (.signal(let signal), .found(let level)): handle(.line(signal, level: level))
            case (.signal(let signal), .missing(let reason)):
                journalist.explain(signal, reason)
                journalist.turned(signal, toAssert: false, at: world.now, debounce: .zero)
                handle(.line(signal, level: nil))
            case (.button(let name), .turned(let level)), (.button(let name), .found(let level)):
                press(name, level: level)
            case (.button(let name), .missing): press(name, level: nil)
            case (.outputJack, .turned(let level)), (.outputJack, .found(let level)): turnJack(level)
            case (.outputJack, .missing(let reason)): turnJack(nil, because: reason)
            }
        }
        settle()
    }
}
