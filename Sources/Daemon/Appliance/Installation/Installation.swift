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

/// Everything that is created from one configuration and one library, such as the levels, the supervisor and the
/// player. A reload creates another installation.
///
/// Use it on the control thread only. A source or timer never calls back after it is released. The installation owns
/// them all, so their handlers can refer to it `unowned`. Strong references would keep it alive forever.
final class Installation {
    /// Something that is reported to the owner at once.
    enum News {
        /// An event is about to be handled. The system may have been asleep before it.
        case passing
        /// `context` may have changed.
        case changed
        /// An event has been handled, so regular checks can share its wake-up.
        case settled
        /// A report and the state after it.
        case reported(Report, StateSnapshot)
        /// A state is being saved.
        case saving
        /// None of the tracks can be played, or some of them can be played again.
        case tracks(count: Int)
        /// The list must be created anew.
        case listChosen
        /// A player is ordered to do something.
        case playerOrdered(PlayerID, PlayerCommand)
        /// A client has changed a preference. A successor with the same configuration keeps the new value.
        case preferred(Bool)
    }

    enum Phase {
        /// The last sleep and its end, or nil if there was none.
        case awake(after: (sleep: Sleep, until: Duration)?)
        /// The installation waits until everything is quiet, or everything is already quiet.
        case sleeping(ConditionWait, since: Duration)
        /// The installation waits until the engine has ended.
        case ending(ConditionWait)
    }

    let tracks: [Track]
    let world: ApplianceWorld
    var supervisor: Supervisor
    let levels: Levels
    let liveInputs: LiveInputs
    /// Watches the mixer of the card in use.
    let mixer: OutputMixer
    var reports = HelperReports()
    let helpers: HelperWatch
    let outputs: OutputLines
    let recording: RecordingControl
    let reservations: DeviceReservations?
    /// Delays the reports to followers while a recording is being completed.
    var gate = FollowerGate()
    let loop: EventLoop
    var wakeups: Wakeups?
    var phase = Phase.awake(after: nil)
    var buttons: [ButtonPress] = []
    var formatter = JournalFormatter()
    var health: Health
    /// Reads the files of announcements.
    let clips: ClipLoader
    var requests = Requests()
    var output = SoundOutput()
    /// The audible state of playback and the time of its last change.
    var audible = AudibleState()
    /// Called with each piece of news. The owner sets this handler before `start`. The installation does not retain the
    /// owner longer than the owner retains the installation.
    var onNews: (News) -> Void = { _ in }

    /// The requests that are being carried out.
    struct Requests {
        var loading = LoadingAnnouncements()
        /// Finds tracks in the library.
        var lookups = LibraryLookups()
        /// The issuer of the command that is being carried out.
        var issuer: Issuer?
    }

    var configuration: Configuration { supervisor.configuration }

    /// True if the library is still being read.
    var isLibraryPending: Bool {
        get { supervisor.awaitsTracks }
        set { handle(.library(isPending: newValue)) }
    }

    var isAwake: Bool { if case .awake = phase { true } else { false } }

    /// True if `end` has been called.
    var isEnding: Bool { if case .ending = phase { true } else { false } }

    /// Acquires the sources of levels. Nothing is played before `start`.
    /// - Parameters:
    ///   - tracks: The tracks, which are empty if the library cannot be read.
    ///   - chosen: The tracks of the choice in the saved state, which are empty if there is none or nothing of it can be
    ///     read.
    ///   - health: The troubles known so far.
    ///   - timeout: The time to wait for lines and devices that are missing.
    ///   - outputs: Drives the outputs' lines, and outlives this installation.
    ///   - recording: Records, and outlives this installation.
    ///   - reservations: Reserves the sound cards, and outlives this installation.
    ///   - host: Creates the readers of the devices.
    ///   - remote: The levels that come over the bus, which survive a reload, or nil to create them.
    ///   - helpers: Watches the programs that report over the bus, and outlives this installation.
    init(
        _ configuration: Configuration, tracks: [Track], chosen: [Track] = [], health: Health, store: ResumeStore,
        writer: StateWriter, timeout: Duration, loop: EventLoop, outputs: OutputLines, recording: RecordingControl,
        reservations: DeviceReservations? = nil, on host: HostSystem, remote: RemoteLevels? = nil,
        helpers: HelperWatch = HelperWatch()
    ) throws(SystemdError) {
        self.tracks = tracks
        self.health = health
        self.loop = loop
        self.outputs = outputs
        // A line may have been an output before.
        outputs.use(configuration.outputs)
        self.recording = recording
        self.reservations = reservations
        self.helpers = helpers
        clips = ClipLoader(host.loadClip)
        recording.use(configuration)
        let shared = if let remote { remote } else { try RemoteLevels(in: loop) }
        let levels = try Levels(configuration, timeout: timeout, in: loop, on: host, remote: shared)
        self.levels = levels
        liveInputs = try LiveInputs(configuration, in: loop)
        mixer = try OutputMixer(host.jacks, read: host.readMixer, in: loop)
        world = ApplianceWorld(
            configuration: configuration, store: store, writer: writer, levels: levels, inputs: liveInputs.inputs,
            outputs: outputs,
            recording: recording, suspendedTime: host.suspendedTime)
        supervisor = Supervisor(configuration: configuration, tracks: tracks, chosen: chosen)
        wakeups = try Wakeups(
            in: loop, settle: { [unowned self] in settle() },
            lookForStall: { [unowned self] in
                lookForStall()
                onNews(.settled)
            })
        levels.onChanges = { [unowned self] in take($0) }
        mixer.onChange = { [unowned self] in take($0) }
        liveInputs.onArrival = { [unowned self] in take(arrival: $1, at: $0, $2) }
        liveInputs.onProblem = { [unowned self] in noteInput($0, $1) }
        liveInputs.onDelivery = { [unowned self] in noteDelivery($0, isHeard: $1) }
    }

    /// - Parameter predecessor: The previous installation of this process, which has ended.
    func start(after predecessor: Installation? = nil) throws(SystemdError) {
        world.pass()
        if let predecessor {
            formatter.resume(after: predecessor.formatter)
            audible = predecessor.audible
            reports.resume(after: predecessor.reports, predecessor.configuration, configuration)
            health.lost = presentProblems
        }
        outputs.onChange = { [unowned self] in outputsHaveChanged() }
        reservations?.onNews = { [unowned self] in take($0) }
        buttons = configuration.buttons.map {
            ButtonPress($0, level: levels.level(of: .button($0.name)), at: world.now)
        }
        // The faults must be known before the outputs are driven for the first time.
        health.buttons = ButtonFault.all(of: buttons).map(\.advice)
        health.outputs = OutputFault.all(of: outputs).map(\.advice)
        var facts = world.startingFacts()
        facts.predecessor = predecessor?.supervisor
        if let predecessor { facts.players = predecessor.supervisor.session.inheritedReports }
        facts.isHealthy = health.isGood
        handle(.boot(facts))
        try followMicrophone()
        followRecorder()
        startJack(isSuccessor: predecessor != nil)
        for signal in configuration.session.signals {
            let problem = levels.problem(of: .signal(signal.id)) ?? levels.problem(of: .complement(signal.id))
            if let problem { logLoss(of: signal.id, problem) }
        }
        logPolling()
        logFaults(of: buttons, since: predecessor?.buttons ?? [])
        logOutputFaults()
        if let player = world.player {
            wakeups?.player = try loop.whenReadable(player.descriptor) { [unowned self, unowned player] in
                if player.hasNews() { settle() }
            }
        }
        wakeups?.threads.append(try loop.whenReadable(clips.descriptor) { [unowned self] in takeClips() })
        wakeups?.threads.append(
            try loop.whenReadable(requests.lookups.choices.descriptor) { [unowned self] in takeChoices() })
        wakeups?.threads.append(
            try loop.whenReadable(requests.lookups.listings.descriptor) { [unowned self] in takeListings() })
        settle()
    }

    var scene: StateSnapshot {
        let player = world.playerState
        let track = supervisor.track(of: player)
        var scene = StateSnapshot(
            session: supervisor.session, configuration: configuration, track: track?.path,
            position: supervisor.position(of: player), length: trackLength)
        scene.stall = audible.stall
        scene.route = output.route
        scene.audibility = supervisor.audibility
        scene.outputs = supervisor.assertedOutputs
        scene.recordingFile = recording.file
        scene.recorded = recording.recorded
        scene.file = track
        scene.isSearching = supervisor.isSearching
        scene.isShuffled = supervisor.isShuffled
        scene.trackNumber = supervisor.trackNumber(of: player)
        return scene
    }

    /// The current state and its causes for the views. It is correct even in the middle of an event, whose time does
    /// not change.
    var context: ExplanationContext {
        let now = world.present
        let since = audible.since ?? now
        var context = ExplanationContext(scene: scene, health: health, now: now)
        context.changed = (SystemClock.wallClock(at: since), now - since)
        context.rewindMargin = output.rewindMargin
        switch phase {
        case .awake(let last):
            context.lastSleep = last.map { ($0.sleep, SystemClock.wallClock(at: $0.until), now - $0.until) }
        case .sleeping: context.isAsleep = true
        case .ending: break
        }
        for signal in configuration.session.signals.map(\.id) {
            context.places[signal] = levels.place(of: .signal(signal))
            context.releases[signal] = supervisor.pendingRelease(of: signal)
        }
        context.reports = reports
        context.holder = output.holder
        context.isUnplugged = output.isUnplugged
        context.soundLengths = supervisor.soundLengths
        context.soundProblems = supervisor.soundProblems
        context.soundEnd = supervisor.soundEnd
        context.lostFrames = recording.lostFrames
        context.isRecordingWaiting = recording.isWaiting
        if supervisor.isSearching, world.player?.isLoading == true { context.skipped = audible.skipped }
        return context
    }

    /// The lines that the daemon holds, and their levels.
    var heldLines: [HeldLine] { isEnding ? [] : levels.heldLines + outputs.held }

    /// The lines that are polled, and the number of edges that were lost and repaired.
    var lineReadings: (polled: [PolledLine], repairs: Int) { isEnding ? ([], 0) : (levels.polled, levels.repairs) }

    /// The saved state from which the installation started, or nil if there was none.
    var reading: StateReading? { world.reading }

    /// The progress of the engine's threads, or nil before the start.
    var progress: EngineProgress? { world.player?.progress }

    var recorderProgress: RecorderProgress? { recording.progress }

    func poke(_ parts: [ProgressWatch.Part]) {
        if parts.contains(.capture) || parts.contains(.recording) { recording.poke() }
        world.player?.poke(render: parts.contains(.render), storage: parts.contains(.storage))
    }

    /// Converts an instant of the session's clock to CLOCK_MONOTONIC.
    func monotonic(_ time: Duration) -> Duration { world.monotonic(time) }

    /// Checks for sound devices, because one may have appeared.
    func devicesMayHaveChanged() {
        world.player?.retryDevice()
        recording.retryDevice()
    }

    /// Checks for GPIO chips, input devices and cards, because one may have appeared.
    func levelsMayHaveChanged() {
        levels.lookAgain()
        outputs.chipsMayHaveChanged()
    }

    /// Reads the levels again, because the kernel may have lost an edge.
    func rereadLevels() {
        guard isAwake else { return }
        levels.reread()
    }

    /// Records that the watchdog is fed, or that it no longer is.
    func makesProgress(_ makesProgress: Bool) {
        guard makesProgress != health.makesProgress else { return }
        health.makesProgress = makesProgress
        pass()
        updateHealth()
        settle()
    }

    func set(_ trouble: Health.Trouble, _ words: String?) {
        health.set(trouble, words)
        onNews(.changed)
    }

    /// Carries out a user's command and returns its answer.
    func command(_ command: Command, from issuer: Issuer) -> Answer {
        pass()
        defer { settle() }
        return give(command, from: issuer)
    }

    @discardableResult
    func give(_ command: Command, from issuer: Issuer) -> Answer {
        if command.isAboutPlayback { cancelChoice() }
        requests.issuer = issuer
        defer { requests.issuer = nil }
        let answer = handle(.command(command, hasWithdrawn: command == .hush && withdrawLoading()))?.answer ?? .success
        // The recording is not on the disk until the disk accepts data again.
        return command == .record && answer == .success && recording.isWaiting ? .deferred : answer
    }

    /// The time at which a state was last written, by the wall clock, or nil if none has been written yet.
    var lastCheckpoint: Duration? { world.lastCheckpoint }

    /// The current track's length if it is known.
    var trackLength: Duration? {
        supervisor.trackNumber(of: world.playerState) == supervisor.session.track ? world.player?.trackLength : nil
    }

    /// Returns true if another configuration and library can be adopted without a new installation.
    func canAdopt(_ configuration: Configuration, _ tracks: [Track]) -> Bool {
        tracks == self.tracks && supervisor.canAdopt(configuration)
    }

    func adopt(_ configuration: Configuration) throws(SystemdError) {
        pass()
        if world.adopt(configuration) { try followMicrophone() }
        outputs.use(configuration.outputs)
        handle(.configuration(configuration))
        useRecorder()
        takeRecorderEvents()
        logOutputFaults()
        settle()
    }

    /// Changes Apple's preference of the same name. It applies to signals with `Alert=yes` that are asserted from now
    /// on.
    func setPrefersNoInterruptionsFromSystemAlerts(_ isPreferred: Bool, from issuer: Issuer) {
        pass()
        if configuration.session.prefersNoInterruptionsFromSystemAlerts != isPreferred {
            handle(.prefersNoInterruptionsFromSystemAlerts(isPreferred))
        }
        let outcome =
            isPreferred
            ? "signals with Alert=yes no longer interrupt" : "signals with Alert=yes interrupt again"
        log(
            JournalEntry(
                .command,
                "setPrefersNoInterruptionsFromSystemAlerts \(isPreferred): success. From now on, \(outcome)."
            )
            .with(.command, "setPrefersNoInterruptionsFromSystemAlerts \(isPreferred)").with(.answer, "success")
            .with(.outcome, outcome).from(requests.issuer))
        onNews(.preferred(isPreferred))
        settle()
    }

    /// Chooses the repeat mode and the shuffle mode.
    func setModes(repeats: Policy.Repeat? = nil, shuffle: Bool? = nil) {
        pass()
        handle(.modes(repeats: repeats, shuffle: shuffle))
    }

    /// Takes a report about a player.
    /// - Parameter isOwn: True if the player has changed on its own, and false if it was found in this state.
    func report(_ player: PlayerID, _ report: PlayerReport, isOwn: Bool) {
        pass()
        handle(.event(isOwn ? .player(player, report) : .playerFound(player, report)))
        settle()
    }

    /// Handles the arrival or departure of a helper.
    func helpersHaveChanged() {
        guard !isEnding else { return }
        pass()
        settle()
    }

    /// Searches for playable tracks again, because some may have returned.
    func lookForTracksAgain() {
        pass()
        handle(.tracksMayHaveReturned)
        settle()
    }

    // MARK: Events

    func pass() {
        onNews(.passing)
        world.pass()
    }

    /// Handles everything that has happened without an input, and then waits for the next event.
    func settle() {
        guard isAwake else { return }
        onNews(.passing)
        repeat {
            world.pass()
            handle(.time)
            advanceJack()
            settleRoute()
            releaseCards()
            requestLoaded()
            dropOverdueChoice()
            noteProblems()
        } while pressButtons()
        for entry in formatter.due(at: world.now) { JournalWriter.write(entry) }
        openGate()
        let deadlines =
            [
                supervisor.deadline, formatter.deadline, output.jack?.deadline, gate.deadline,
                requests.loading.deadline,
                requests.lookups.choice?.deadline,
            ]
            + buttons.map(\.deadline)
        let next = deadlines.compactMap { $0 }.min().map(world.monotonic)
        wakeups?.settle(at: [next, helpers.deadline()].compactMap { $0 }.min())
        onNews(.changed)
        onNews(.settled)
    }

    /// Handles level changes from all sources.
    private func take(_ changes: [LevelChange<WireID>]) {
        // The levels are saved as they were when the shutdown or the sleep began, and they are read again afterwards.
        guard isAwake else { return }
        onNews(.passing)
        for change in changes {
            world.pass(to: change.time)
            if change.isRepaired { logRepair(of: change) }
            if case .found = change.state { logPolling() }
            switch (change.id, change.state) {
            case (.signal(let signal), let state): take(state, of: signal, .main)
            case (.complement(let signal), let state): take(state, of: signal, .complement)
            case (.button(let name), .turned(let level)), (.button(let name), .found(let level)):
                press(name, level: level)
            case (.button(let name), .missing): press(name, level: nil)
            case (.outputJack, .turned(let level)), (.outputJack, .found(let level)): turnJack(level)
            case (.outputJack, .missing(let reason)): turnJack(nil, because: reason)
            }
        }
        settle()
    }

    /// Handles the arrival of audio at an input.
    /// - Parameter time: The time on CLOCK_MONOTONIC at which it began or ceased.
    private func take(arrival arrives: Bool, at input: InputID, _ time: Duration) {
        guard isAwake else { return }
        world.pass()
        handle(.arrival(input, arrives, at: world.instant(time)))
        settle()
    }

    /// Handles what the mixer of the card in use does.
    private func take(_ audibility: DeviceAudibility) {
        guard isAwake, audibility != supervisor.audibility else { return }
        world.pass()
        handle(.output(audibility))
        settle()
    }

    private func take(_ state: LevelChange<WireID>.State, of signal: SignalID, _ contact: Contact) {
        switch state {
        case .turned(let level):
            let line = configuration.lines[signal] ?? LinePolicy()
            let isAsserted = (contact == .main ? level : !level) != line.isActiveLow
            // A changeover contact has turned when both lines have.
            let other = levels.level(of: contact == .main ? .complement(signal) : .signal(signal))
            if !line.hasComplement || other == !level {
                formatter.turned(signal, toAssert: isAsserted, at: world.now, debounce: line.debounce)
            }
            handle(.line(signal, contact, level: level))
        case .found(let level): handle(.line(signal, contact, level: level))
        case .missing(let reason):
            formatter.explain(signal, reason)
            formatter.turned(signal, toAssert: false, at: world.now, debounce: .zero)
            handle(.line(signal, contact, level: nil))
        }
    }
}
