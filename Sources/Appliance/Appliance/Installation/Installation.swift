import ALSA
import AudioSession
import Configuration
import Playback
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
    private let world: ApplianceWorld
    private let supervisor: Supervisor
    private let levels: Levels
    private let outputs: OutputLines
    private var outputFaults: [OutputFault] = []
    /// Whether the watchdog is fed.
    private var makesProgress = true
    private let loop: EventLoop
    private var buttons: [ButtonPress] = []
    private var journalist: Journalist
    private(set) var health: Health
    private var timer: EventTimer?
    /// Fires while the programme should be heard.
    private var stallTimer: EventTimer?
    private var playerSource: EventSource?
    private var microphoneSource: EventSource?
    private var ending: Ending?
    /// Nil while the system is awake.
    private var sleeping: Sleeping?
    /// The last sleep, and when it ended; nil if there was none.
    private var lastSleep: (sleep: Sleep, until: Duration)?
    /// Who gave the command that is being carried out.
    private var issuer: Issuer?
    private var microphoneReports = MicrophoneReports()
    /// The sound device in use, if it is not the preferred one.
    private var route: OutputRoute?
    /// Whether a device has been opened since the session's idea of the route was last compared with it.
    private var isRouteNew = false
    /// The program that holds the lost sound device.
    private var holder: DeviceHolder?
    /// The jack of the output; nil if none is watched.
    private var jack: OutputJack?
    /// Whether something is heard, and since when.
    private var audibility = Audibility()
    // The owner sets these closures before `start`; the installation holds them no longer than the owner holds it.
    /// Called when `situation` can have changed.
    var onChange: () -> Void = {}
    /// Called with each report, and the state afterwards.
    var onReport: (Report, Scene) -> Void = { _, _ in }
    /// Called when a state is on its way to the disk.
    var onSave: () -> Void {
        get { world.onSave }
        set { world.onSave = newValue }
    }
    /// Called when none of the tracks can be played, and when one can be again.
    var onTracksGone: () -> Void = {}
    var onTracksFound: () -> Void = {}

    /// Called before an event is handled, because the system can have been asleep meanwhile.
    var onPass: () -> Void = {}

    /// Whether `end` has been called.
    var isEnding: Bool { ending != nil }

    private struct Ending {
        let timer: EventTimer
        let deadline: Duration
        /// Called once and then released, because it can retain the object that waits for the end.
        var then: (() -> Void)?
    }

    private struct Sleeping {
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
    ///   - host: creates the readers of the devices.
    ///   - remote: what comes over the bus, and survives a reload; nil: of its own.
    init(
        _ configuration: Configuration, tracks: [Track], health: Health, store: ResumeStore, writer: StateWriter,
        patience: Duration, loop: EventLoop, outputs: OutputLines, on host: HostSystem, remote: RemoteLevels? = nil
    ) throws(SystemdError) {
        self.configuration = configuration
        self.tracks = tracks
        self.health = health
        self.loop = loop
        journalist = Journalist()
        self.outputs = outputs
        // A line can have been an output before.
        outputs.use(configuration.outputs)
        let shared = if let remote { remote } else { try RemoteLevels(in: loop) }
        let levels = try Levels(configuration, patience: patience, in: loop, on: host, remote: shared)
        self.levels = levels
        world = ApplianceWorld(
            configuration: configuration, store: store, writer: writer, levels: levels,
            suspendedTime: host.suspendedTime)
        supervisor = Supervisor(configuration: configuration, tracks: tracks, world: world)
        timer = try loop.timer { [unowned self] in settle() }
        stallTimer = try loop.timer { [unowned self] in lookForStall() }
        world.quietTime = { [unowned self] in quietTime }
        world.onReport = { [unowned self] in report($0) }
        world.onDrive = { outputs.drive($0) }
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
        supervisor.boot(after: predecessor?.supervisor)
        buttons = configuration.buttons.map {
            ButtonPress($0, level: levels.level(of: .button($0.name)), at: world.now)
        }
        try watchMicrophone()
        startJack(isSuccessor: predecessor != nil)
        for signal in configuration.session.signals {
            if let problem = levels.problem(of: .signal(signal.id)) { tellLoss(of: signal.id, problem) }
        }
        tellFaults(of: buttons, since: predecessor?.buttons ?? [])
        tellOutputFaults()
        if let player = world.player {
            playerSource = try loop.whenReadable(player.descriptor) { [unowned self] in settle() }
        }
        settle()
    }

    var scene: Scene {
        var scene = Scene(
            session: supervisor.session, configuration: configuration, track: supervisor.track?.path,
            position: supervisor.position, length: trackLength)
        scene.stall = audibility.stall
        scene.route = route
        scene.outputs = supervisor.assertedOutputs
        scene.file = supervisor.track
        scene.isSearching = supervisor.isSearching
        scene.trackNumber = supervisor.trackNumber
        return scene
    }

    /// The present state and its causes, for the views; even in the middle of an event, whose time stays as it is.
    var situation: Situation {
        let now = world.present
        let since = audibility.since ?? now
        var situation = Situation(scene: scene, health: health, now: now)
        situation.changed = (EventClock.wallClock(at: since), now - since)
        situation.isAsleep = sleeping != nil
        situation.lastSleep = lastSleep.map { ($0.sleep, EventClock.wallClock(at: $0.until), now - $0.until) }
        for signal in configuration.session.signals.map(\.id) {
            situation.places[signal] = levels.place(of: .signal(signal))
            situation.releases[signal] = supervisor.pendingRelease(of: signal)
        }
        situation.holder = holder
        situation.isUnplugged = jack?.isUnplugged ?? false
        situation.soundLengths = supervisor.soundLengths
        situation.soundProblems = supervisor.soundProblems
        situation.soundEnd = supervisor.soundEnd
        return situation
    }

    /// The lines that the daemon holds, with their levels.
    var heldLines: [HeldLine] { ending == nil ? levels.heldLines + outputs.held : [] }

    /// The saved state from which it started; nil if there was none.
    var reading: StateReading? { world.reading }

    /// The progress of the engine's threads; nil before the start.
    var progress: EngineProgress? { world.player?.progress }

    /// Makes the engine's threads show that they are alive.
    func poke() { world.player?.poke() }

    /// An instant of the session's clock, on CLOCK_MONOTONIC.
    func monotonic(_ time: Duration) -> Duration { world.monotonic(time) }

    /// A hint: a sound device can have appeared.
    func devicesMayHaveChanged() { world.player?.retryDevice() }

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
        let (answer, id) = supervisor.announce(
            announcement.sound, priority: announcement.priority, expire: announcement.expire)
        return (answer, answer == .success || answer == .deferred ? id : 0)
    }

    @discardableResult
    private func give(_ command: Command, from issuer: Issuer) -> Answer {
        self.issuer = issuer
        defer { self.issuer = nil }
        return supervisor.command(command)
    }

    /// When a state was last written, by the wall clock; nil if none has been yet.
    var lastCheckpoint: Duration? { world.lastCheckpoint }

    /// The current track's length, if known.
    var trackLength: Duration? {
        supervisor.trackNumber == supervisor.session.track ? world.player?.trackLength : nil
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
        supervisor.adopt(configuration)
        tellOutputFaults()
        settle()
    }

    /// Some track can be playable again.
    func lookForTracksAgain() {
        pass()
        supervisor.lookForTracksAgain()
        settle()
    }

    // MARK: Events

    private func pass() {
        onPass()
        world.pass()
    }

    /// Handles everything that has happened without an input, and waits for the next event.
    private func settle() {
        guard ending == nil, sleeping == nil else { return }
        onPass()
        repeat {
            world.pass()
            while supervisor.step() {}
            advanceJack()
            settleRoute()
        } while pressButtons()
        for entry in journalist.due(at: world.now) { JournalWriter.write(entry) }
        let deadlines = [supervisor.deadline, journalist.deadline, jack?.deadline] + buttons.map(\.deadline)
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
                supervisor.line(signal, level: level)
            case (.signal(let signal), .found(let level)): supervisor.line(signal, level: level)
            case (.signal(let signal), .missing(let reason)):
                journalist.explain(signal, reason)
                journalist.turned(signal, toAssert: false, at: world.now, debounce: .zero)
                supervisor.line(signal, level: nil)
            case (.button(let name), .turned(let level)), (.button(let name), .found(let level)):
                press(name, level: level)
            case (.button(let name), .missing): press(name, level: nil)
            case (.outputJack, .turned(let level)), (.outputJack, .found(let level)): turnJack(level)
            case (.outputJack, .missing(let reason)): turnJack(nil, because: reason)
            }
        }
        settle()
    }

    // MARK: The jack

    private func startJack(isSuccessor: Bool) {
        guard let name = configuration.playback.jack else { return }
        jack = OutputJack(level: levels.level(of: .outputJack), at: world.now)
        if jack?.isUnplugged == true, !supervisor.session.isOnFallback {
            // At a boot nothing was unplugged: only the plug's return is news.
            isSuccessor ? supervisor.routeLost() : supervisor.routeFound()
        }
        if let problem = levels.problem(of: .outputJack) { tellJackFault(name, problem) }
    }

    private func turnJack(_ level: Bool?, because problem: String? = nil) {
        guard let name = configuration.playback.jack, var jack else { return }
        let wasMissing = jack.isMissing
        let changes = jack.edge(level, at: world.now)
        self.jack = jack
        tellJack(name, wasMissing: wasMissing, problem)
        follow(changes)
    }

    private func wakeJack() {
        guard let name = configuration.playback.jack, var jack else { return }
        let wasMissing = jack.isMissing
        let changes = jack.wake(levels.level(of: .outputJack), at: world.now)
        self.jack = jack
        tellJack(name, wasMissing: wasMissing, wasMissing ? nil : levels.problem(of: .outputJack))
        follow(changes)
        while supervisor.step() {}
    }

    private func tellJack(_ name: String, wasMissing: Bool, _ problem: String?) {
        guard let jack else { return }
        if jack.isMissing {
            if let problem { tellJackFault(name, problem) }
        } else if wasMissing {
            clearJackFault("The \(name) of the output can be read again.")
        }
    }

    private func clearJackFault(_ words: String) {
        health.set(.jack, nil)
        tell(JournalEntry(.faultCleared, words).with(.fault, "jack"))
    }

    private func advanceJack() {
        guard let changes = jack?.advance(to: world.now), !changes.isEmpty else { return }
        follow(changes)
        while supervisor.step() {}
    }

    private func follow(_ changes: [OutputJack.Change]) {
        for change in changes {
            switch change {
            // Another card plays: the plug matters again when this one does.
            case .unplugged where route == nil: supervisor.routeLost()
            case .plugged where route == nil: supervisor.routeBack()
            case .unplugged, .plugged: break
            case .chatters:
                let name = configuration.playback.jack ?? ""
                let words = "the \(name) of the output chatters: check for a loose plug"
                health.set(.jack, words)
                tell(JournalEntry(.fault, "A plug is loose: \(words).", priority: .warning).with(.fault, "jack"))
            case .settled: clearJackFault("The plug in the \(configuration.playback.jack ?? "") chatters no longer.")
            }
        }
    }

    /// Tells the session what it cannot know: the plug was pulled while another card played, or something changed during a
    /// reload.
    private func settleRoute() {
        guard isRouteNew else { return }
        isRouteNew = false
        let isAway = route != nil || jack?.isUnplugged ?? false
        guard isAway != supervisor.session.isOnFallback else { return }
        isAway ? supervisor.routeLost() : supervisor.routeBack()
        while supervisor.step() {}
    }

    private func tellJackFault(_ name: String, _ problem: String) {
        health.set(.jack, "the jack of the output: \(problem)")
        tell(
            JournalEntry(.fault, "The jack of the output: \(problem).", priority: .warning)
                .with(.fault, "jack").with(.reason, problem).with(
                    .outcome, "pulling the plug does not pause the music"))
    }

    // MARK: Buttons

    private func press(_ name: String, level: Bool?) {
        guard let index = buttons.firstIndex(where: { $0.button.name == name }) else { return }
        _ = turn(index) { $0.edge(level, at: world.now) }
    }

    /// - Returns: whether a button was pressed.
    private func pressButtons() -> Bool {
        var wasPressed = false
        for index in buttons.indices {
            wasPressed = turn(index) { $0.advance(to: world.now) } > 0 || wasPressed
        }
        return wasPressed
    }

    /// - Parameter body: what happens to the button; returns how often that pressed it.
    private func turn(_ index: Int, _ body: (inout ButtonPress) -> Int) -> Int {
        let before = buttons[index]
        let count = body(&buttons[index])
        // A command applies to the state before it.
        if count > 0 { while supervisor.step() {} }
        for _ in 0..<count {
            give(before.button.command.sessionCommand(at: supervisor.session.volume), from: .button(before.button.name))
        }
        tellFaults(of: [buttons[index]], since: [before])
        return count
    }

    /// Logs a fault of a button's line when it begins and when it clears; meanwhile it is part of the health.
    private func tellFaults(of buttons: [ButtonPress], since before: [ButtonPress]) {
        let (now, earlier) = (ButtonFault.all(of: buttons), ButtonFault.all(of: before))
        for fault in earlier where !now.contains(where: fault.isLike) { tell(fault.clearedEntry) }
        for fault in now where !earlier.contains(fault) {
            tell(fault.entry(because: levels.problem(of: .button(fault.button.name))))
        }
        health.buttons = ButtonFault.all(of: self.buttons).map(\.advice)
        updateHealth()
    }

    // MARK: Outputs

    private func outputsHaveChanged() {
        guard ending == nil else { return }
        pass()
        tellOutputFaults()
        settle()
    }

    /// Logs the loss of an output's line when it begins and when it clears; meanwhile it is part of the health.
    private func tellOutputFaults() {
        let (now, earlier) = (OutputFault.all(of: outputs), outputFaults)
        outputFaults = now
        for fault in earlier where !now.contains(where: fault.isLike) { tell(fault.clearedEntry) }
        for fault in now where !earlier.contains(where: fault.isLike) { tell(fault.entry) }
        health.outputs = now.map(\.advice)
        updateHealth()
    }

    /// The output `healthy` follows the signals' faults, which the session has, and these.
    private func updateHealth() {
        guard ending == nil else { return }
        supervisor.setHealth(isGood: makesProgress && health.buttons.isEmpty && health.outputs.isEmpty)
    }

    // MARK: Reports

    private func report(_ report: Report) {
        // A level is reported once it has settled; a faulty line can have thousands of edges.
        if case .line = report.happening, report.notifications.isEmpty, report.remarks.isEmpty { return }
        if case .noticed(let event) = report.happening { noteTrouble(event) }
        switch report.searchResult ?? report.happening {
        case .tracksGone: onTracksGone()
        case .tracksFound: onTracksFound()
        default: break
        }
        noteAudibility(report)
        let scene = scene
        for entry in journalist.entries(for: report, in: scene, from: issuer) { JournalWriter.write(entry) }
        onReport(report, scene)
        onChange()
    }

    /// Since when it has been quiet is saved, so that it is known after a restart.
    private func noteAudibility(_ report: Report) {
        let since = audibility.since
        audibility.note(report, supervisor.session)
        if case .boot = report.happening, since == nil, let saved = world.reading?.state, let quiet = saved.quiet {
            let elapsed = min(max(.zero, world.wallClock - saved.savedAt), SavedState.longest)
            audibility.wasQuiet(since: world.now - elapsed - quiet.age)
        }
        noteStall()
        if audibility.isQuiet, ending == nil, since != audibility.since { supervisor.saveAgain() }
    }

    private var quietTime: Duration? {
        guard audibility.isQuiet, let since = audibility.since else { return nil }
        return world.now - since
    }

    private func lookForStall() {
        guard ending == nil, sleeping == nil, let player = world.player else { return }
        pass()
        let hasChanged = audibility.look(
            isAdvancing: player.isAdvancing, isLoading: player.isLoading, supervisor.session, at: world.now)
        noteStall()
        if hasChanged { onChange() }
    }

    /// A stall is a trouble; it is watched for while the programme should play.
    private func noteStall() {
        let words: String? =
            switch audibility.stall {
            // A lost storage is a trouble of its own; a slow one is silent, too.
            case .storage?: health[.storage] == nil ? "the storage does not keep up" : nil
            case .device?: "the sound device takes no frames"
            case nil: nil
            }
        health.set(.stall, words)
        let isDue = supervisor.session.directive != .silent && ending == nil && sleeping == nil
        if !isDue {
            stallTimer?.deadline = nil
        } else if stallTimer?.deadline.map({ $0 <= world.monotonic(world.now) }) ?? true {
            stallTimer?.deadline = world.monotonic(world.now) + StallWatch.pace
        }
    }

    private func noteTrouble(_ event: PlaybackEvent) {
        switch event {
        case .deviceLost(let error):
            health.set(.device, "\(error)")
            holder = error.holder
            microphoneReports.lost().map(tell)
        case .deviceOpened(let configuration):
            health.set(.device, nil)
            holder = nil
            isRouteNew = true
            microphoneReports.opened()
            world.microphone?.use(card: configuration.card)
        case .routeLost(let route), .routeBack(let route), .routeFound(let route): use(route)
        case .storageLost(let loss): health.set(.storage, "\(loss)")
        case .storageReturned: health.set(.storage, nil)
        case .notRealTime(let reason): health.set(.realTime, reason)
        default: break
        }
    }

    private func use(_ route: OutputRoute) {
        self.route = route.index > 0 ? route : nil
        let reason = route.reason.map { ": \($0)" } ?? ""
        health.set(
            .route,
            route.index > 0 ? "plays on \(route.device) instead of \(configuration.playback.device)\(reason)" : nil)
    }

    private func tellLoss(of signal: SignalID, _ problem: String) {
        journalist.explain(signal, problem)
        tell(journalist.fault(Fault(signal, .lost), in: scene))
    }

    private func tell(_ entry: JournalEntry) {
        journalist.limit(entry, at: world.now).map(JournalWriter.write)
    }

    private func watchMicrophone() throws(SystemdError) {
        guard microphoneSource == nil, let microphone = world.microphone else { return }
        microphoneSource = try loop.whenReadable(microphone.descriptor) { [unowned self] in
            guard let outcome = microphone.takeOutcome() else { return }
            if let outcome = microphoneReports.take(outcome) { tell(outcome) }
        }
    }

    private func tell(_ outcome: Microphone.Outcome) {
        if let entry = journalist.entry(for: outcome) { tell(entry) }
        set(.microphone, outcome.trouble)
    }

    // MARK: Sleep

    /// The system is about to sleep: fades out, closes the device and saves the state; then calls back, but no later than
    /// the timeout. Until `wake`, no event is handled.
    func sleep(within timeout: Duration, then: @escaping () -> Void) throws(SystemdError) {
        guard ending == nil, sleeping == nil else { return then() }
        settle()
        for entry in journalist.due(at: nil) { JournalWriter.write(entry) }
        tell(journalist.fallingAsleep(in: scene))
        world.player?.sleep(fadeOut: min(configuration.playback.fadeOut, timeout / 2))
        supervisor.saveLast()
        timer?.deadline = nil
        stallTimer?.deadline = nil
        playerSource?.isEnabled = false
        let timer = try loop.timer { [unowned self] in continueFallingAsleep() }
        sleeping = Sleeping(
            timer: timer, since: world.now, deadline: EventClock.monotonic.now + timeout, then: then)
        continueFallingAsleep()
        onChange()
    }

    /// Whether everything is quiet, so that an announced sleep can begin.
    var isAsleep: Bool { sleeping.map { $0.then == nil } ?? false }

    private func continueFallingAsleep() {
        guard let sleeping, let then = sleeping.then else { return }
        let now = EventClock.monotonic.now
        guard world.player?.isReleased ?? true || now >= sleeping.deadline else {
            sleeping.timer.deadline = now + .milliseconds(5)
            return
        }
        // The position at which the fade-out began is known now.
        world.pass()
        supervisor.saveLast()
        self.sleeping?.then = nil
        then()
    }

    /// The system has woken. Reads the lines before anything is heard, and continues.
    /// - Parameter sleep: nil: the announced one, of which the clocks show nothing.
    func wake(from sleep: Sleep?) {
        guard ending == nil else { return }
        world.pass()
        let announced = sleeping
        let sleep = sleep ?? Sleep(cause: .announced, length: announced.map { world.now - $0.since } ?? .zero)
        sleeping = nil
        lastSleep = (sleep, world.now)
        audibility.wake()
        world.player?.restartWatch()
        journalist.woke(from: sleep)
        // All edges up to now are dropped, and the levels count.
        supervisor.wake(since: announced?.since ?? world.now - sleep.length)
        let before = buttons
        for index in buttons.indices {
            buttons[index].wake(levels.level(of: .button(buttons[index].button.name)), at: world.now)
        }
        tellFaults(of: buttons, since: before)
        wakeJack()
        world.player?.wake(fadeIn: configuration.playback.fadeIn)
        playerSource?.isEnabled = true
        noteStall()
        settle()
    }

    // MARK: The end

    /// Fades out, saves the state for the next start, and ends the engine; then calls back, after the fade, but no later
    /// than the timeout.
    func end(within timeout: Duration, then: @escaping () -> Void) throws(SystemdError) {
        guard ending == nil else { return }
        sleeping = nil
        world.pass()
        supervisor.retire(within: timeout / 2)
        let timer = try loop.timer { [unowned self] in goOnEnding() }
        ending = Ending(timer: timer, deadline: world.now + timeout, then: then)
        self.timer?.deadline = nil
        for entry in journalist.due(at: nil) { JournalWriter.write(entry) }
        stallTimer?.deadline = nil
        playerSource = nil
        goOnEnding()
    }

    private func goOnEnding() {
        guard let ending, let then = ending.then else { return }
        world.pass()
        let hasStopped = world.player?.stop(within: .zero) ?? true
        guard hasStopped || world.now >= ending.deadline else {
            ending.timer.deadline = EventClock.monotonic.now + .milliseconds(5)
            return
        }
        supervisor.saveLast()
        // The next installation requests the same lines.
        levels.letGo()
        self.ending?.then = nil
        then()
    }
}
