import AudioSession
import Clocks
import Configuration
import Glibc
import Playback
import ResumeStore
import Spelling
import Systemd
import Threads
import Vocabulary

/// The supervisor as a service: one event loop, from the start to SIGTERM.
///
/// There is one daemon, which lives until the process exits: handlers refer to it `unowned` because it owns them.
public final class Daemon {
    /// How long the fade-out, the engine's end and the last save can take together.
    private static let farewell = Duration.milliseconds(800)
    /// How long a start waits for the library before it continues without.
    private static let patience = Duration.seconds(3)
    /// How long a start waits for lines that are missing.
    private static let linePatience = Duration.seconds(2)

    /// Signals that would kill the process without a reason. (SIGPIPE: a sound server has disappeared.)
    private static let ignoredSignals =
        [SIGPIPE, SIGUSR1, SIGUSR2, SIGALRM, SIGVTALRM, SIGPROF, SIGIO, SIGPWR, SIGSTKFLT]
        + Array(__libc_current_sigrtmin()...__libc_current_sigrtmax())

    /// How long a configuration must work before it is kept for a start whose own configuration has mistakes.
    private static let probation = Duration.seconds(5)

    /// How long a start waits for another daemon that is about to end, and still has the state's folder.
    private static let lockPatience = Duration.seconds(2)

    let host: HostSystem
    let loop: EventLoop
    let notices: ManagerNotices
    let source: ConfigurationSource
    var configuration: Configuration
    /// The present configuration has mistakes, and an older one is used; nil if the present one is.
    private(set) var degradation: Degradation?
    /// When the configuration in use first worked, by the wall clock: time since 1970.
    private var workedAt: Duration
    private let keeper = ConfigurationKeeper()
    /// The configuration in use, until it is kept; and when to check whether it works.
    private var unproven: LoadedConfiguration?
    private var probationTimer: EventTimer?
    private(set) var installation: Installation?
    /// The outputs' lines, which keep their levels through a reload.
    private var outputs: OutputLines?
    /// The recorder, which keeps its file through a reload.
    let recording: RecordingControl
    private var store: ResumeStore
    /// Created after the signals are blocked, so that its thread does not receive them.
    private(set) lazy var writer = StateWriter(store, lock: lock, boot: BootID.service)
    /// On the state's folder, until the writer has it.
    private var lock: StateLock?
    private var writerSource: EventSource?
    /// Fires when a write takes too long.
    private var writerTimer: EventTimer?
    var health = Health()
    let journalist = Journalist()
    private let busKind: BusKind?
    private var server: MPRISServer?
    /// The levels that come over the bus.
    private let remoteLevels: RemoteLevels
    private var watchdog: Watchdog?
    private var monitor: DeviceMonitor?
    private var sources: [EventSource] = []
    private var status: StatusLine?
    private(set) var isStopping = false
    /// Waits until the state is written, or cannot be.
    private var farewell: ConditionWait?
    var loaders = LibraryLoaders()
    /// Reports changes of the library in use.
    private(set) var libraryChanges: LibraryChanges?
    /// Whether the library has changed since it was read.
    var isLibraryStale = false
    /// Whether the list must be made anew from the library.
    var isListStale = false
    /// When the library was last read.
    var libraryReadAt = SystemClock.monotonic.now
    /// The pending library, when it is next searched for, and the pause until then.
    var libraryQuery: LibraryQuery?
    var libraryTimer: EventTimer?
    var libraryBackoff = Backoff(from: .seconds(10), to: .seconds(60))
    /// A new configuration that is being applied, and its library.
    var candidate: LoadedConfiguration?
    var candidateQuery: LibraryQuery?
    /// Whether a reload was requested while another was in progress.
    var isReloadDue = false
    var sleepWatch: SleepWatch
    private var sleepTimer: EventTimer?
    /// Nil without a bus.
    private(set) var inhibitor: SleepInhibitor?
    /// Whether logind has announced a sleep that is not over yet.
    var isAsleep = false
    /// How long the system has been suspended since the announcement.
    var announcedSleep = Duration.zero
    /// Delays an announced sleep until the state is written.
    var drowsiness: ConditionWait?

    /// Reads the configuration, and handles SIGTERM, SIGINT and SIGHUP. Call it before there are other threads.
    /// - Parameters:
    ///   - isStrict: whether to fail if the configuration has mistakes; otherwise the last one that worked is used.
    ///   - bus: the bus on which to appear; nil for none.
    /// - Throws: `ConfigurationError` if there is no configuration to start with.
    public convenience init(_ source: ConfigurationSource, isStrict: Bool = false, bus: BusKind? = nil) throws {
        try self.init(source, isStrict: isStrict, bus: bus, on: HostSystem())
    }

    init(_ source: ConfigurationSource, isStrict: Bool = false, bus: BusKind? = nil, on host: HostSystem) throws {
        Heap.keepSmall()
        self.host = host
        self.source = source
        busKind = bus
        let start = try StartingConfiguration(source, isStrict: isStrict)
        unproven = start.degradation == nil ? start.loaded : nil
        degradation = start.degradation
        workedAt = start.degradation?.time ?? SystemClock.wallClock
        configuration = start.loaded.configuration
        store = ResumeStore(directory: configuration.state.directory)
        loop = try EventLoop()
        notices = try ManagerNotices(in: loop, host.attempt)
        remoteLevels = try RemoteLevels(in: loop)
        recording = RecordingControl(in: loop)
        sleepWatch = SleepWatch(at: host.monotonicTime(), suspended: host.suspendedTime())
        for number in Daemon.ignoredSignals { host.ignore(number) }
        for number in [SIGTERM, SIGINT] {
            sources.append(try loop.whenSignalled(number, priority: .important) { [unowned self] in stop() })
        }
        sources.append(try loop.whenSignalled(SIGHUP) { [unowned self] in reload() })
        sources.append(try loop.whenSignalled(SIGCONT, priority: .first) { [unowned self] in hasContinued() })
        libraryTimer = try loop.timer { [unowned self] in lookForLibrary() }
        libraryChanges = try LibraryChanges(in: loop) { [unowned self] in libraryHasChanged() }
        probationTimer = try loop.timer { [unowned self] in keepIfItWorks() }
        for warning in start.loaded.warnings { JournalWriter.write("\(warning)") }
    }

    /// Runs until a signal requests a stop.
    /// - Returns: the exit code.
    /// - Throws: `StateError.inUse` if another process uses the state's folder; and any error that prevents the start.
    public func run() throws -> Int32 {
        try start()
        return try loop.run()
    }

    /// Starts everything that `run` then runs.
    func start() throws {
        lock = try StateLock.take(store.directory, patience: Self.lockPatience)
        if let degradation {
            health.set(.configuration, degradation.words)
            if let entry = degradation.entry { JournalWriter.write(entry) }
        }
        try watchWriter()
        lock = nil
        let loader = loaders.load(configuration.playback.library)
        let outcome = loader.wait(Self.patience)
        // CLOCK_BOOTTIME, so that it is due as soon as the system resumes.
        sleepTimer = try loop.timer(on: .bootTime, priority: .second) { [unowned self] in watchForSleep() }
        try install(outcome ?? .unanswered, patience: Self.linePatience)
        watchForSleep()
        if outcome == nil { try expect(loader) }
        // Only a hint, which a sandbox without a network does not receive; `/dev` is watched, too.
        monitor = try? DeviceMonitor(["sound", "gpio", "input"], in: loop) { [unowned self] change in
            guard change.kind == .added else { return }
            installation?.levelsMayHaveChanged()
            if change.subsystem == "sound" { installation?.devicesMayHaveChanged() }
        }
        watchdog = try host.watchdogInterval().map { [host] interval in
            try Watchdog(interval: interval, in: loop, notify: { host.attempt([.watchdog]) }) { [unowned self] in
                installation
            }
        }
        watchdog?.onProgress = { [unowned self] in installation?.makesProgress($0) }
        if let installation {
            let lastRun = RunEnd(installation.reading?.state.run, boot: BootID.service)
            JournalWriter.write(journalist.started(installation.scene, from: installation.reading, lastRun: lastRun))
        }
        server = try busKind.map {
            try MPRISServer($0, in: loop, programs: remoteLevels.programs) { [unowned self] in installation }
        }
        inhibitor = try busKind.map { _ in
            try SleepInhibitor(
                in: loop, onSleep: { [unowned self] in fallAsleep() }, onWake: { [unowned self] in wakeUp() },
                onRejection: { JournalWriter.write(Daemon.undelayed($0)) })
        }
        notices.send(.ready)
        if let unproven { prove(unproven) }
    }

    /// Another configuration is in use.
    func prove(_ loaded: LoadedConfiguration) {
        unproven = loaded
        probationTimer?.deadline = SystemClock.monotonic.now + Self.probation
    }

    /// A configuration works if something can be played with it. A start whose own configuration has mistakes uses it.
    private func keepIfItWorks() {
        guard let loaded = unproven else { return }
        guard let scene = installation?.scene, scene.session.track != nil, !scene.isSearching else {
            probationTimer?.deadline = SystemClock.monotonic.now + Self.probation
            return
        }
        unproven = nil
        keeper.keep(
            KeptConfiguration(loaded, from: source, at: SystemClock.wallClock),
            in: ConfigurationKeeper.directories(
                loaded.configuration.state.directory, ConfigurationKeeper.serviceDirectory))
    }

    /// - Parameter cause: why the configuration on the disk is not used; nil if it is.
    func degrade(_ cause: Degradation.Cause?) {
        if cause == nil, degradation != nil { workedAt = SystemClock.wallClock }
        degradation = cause.map { Degradation(time: workedAt, cause: $0) }
        health.set(.configuration, degradation?.words)
        installation?.set(.configuration, degradation?.words)
    }

    // MARK: The installation

    private func install(
        _ library: LibraryLoader.Outcome, patience: Duration = .zero, after predecessor: Installation? = nil
    ) throws {
        switch library {
        case .loaded:
            if health.set(.library, nil) {
                JournalWriter.write(
                    JournalEntry(.libraryFound, "The library is available.")
                        .with(.outcome, "the library is read"))
            }
            reportMissing(of: library)
        case .nothing(let reason):
            if health.set(.library, Self.nothingToPlay(reason)) {
                JournalWriter.write(journalist.libraryEmpty(reason))
            }
            scheduleLibrary()
        }
        let outputs = try self.outputs ?? OutputLines(host.writer(), in: loop)
        self.outputs = outputs
        let installation = try Installation(
            configuration, tracks: library.tracks, health: health, store: store, writer: writer, patience: patience,
            loop: loop, outputs: outputs, recording: recording, on: host, remote: remoteLevels)
        self.installation = installation
        isListStale = false
        installation.onNews = { [unowned self, unowned installation] in take($0, from: installation) }
        try installation.start(after: predecessor)
        watchdog?.startOver()
        if isAsleep { fallAsleep() }
        take(.changed, from: installation)
    }

    private func take(_ news: Installation.News, from installation: Installation) {
        switch news {
        case .passing: lookForSleep()
        case .changed:
            tellStatus()
            if !installation.holdsFollowers { server?.update() }
        case .reported(let report, let scene):
            server?.tell(report, in: scene, at: installation.monotonic(report.time))
            lookForNewFiles(after: report, in: scene)
        case .saving: expectWriter()
        case .tracks(let count):
            notePlayable(because: count == 0 ? "nothing of it can be played" : nil)
            if count == 0 { scheduleLibrary() }
        case .listChosen:
            isListStale = true
            lookForLibrary()
        case .preferred(let isPreferred):
            configuration.session.prefersNoInterruptionsFromSystemAlerts = isPreferred
        }
    }

    /// Ends the present installation, and continues with another.
    /// - Parameter then: called when the new installation has started.
    func reinstall(_ library: LibraryLoader.Outcome, then: @escaping () -> Void) throws {
        guard let installation, !installation.isEnding else { return }
        // The closure must not hold the old installation, which would keep its files, threads and memory.
        try installation.end(within: Self.farewell) { [unowned self] in
            guard !isStopping, let installation = self.installation else { return leave() }
            do {
                try moveState()
                try install(library, after: installation)
            } catch { return fail(error) }
            then()
            reloadIfDue()
        }
    }

    /// The watchdog must not mistake the time in which nothing ran for a stall.
    func startWatchdogOver() { watchdog?.startOver() }

    /// The next regular look at the clocks.
    func scheduleSleepWatch() {
        sleepTimer?.call(around: SystemClock.bootTime.now + SleepWatch.pace, tolerance: SleepWatch.tolerance)
    }

    func fail(_ error: any Error) {
        JournalWriter.write("tacetd: \(error)")
        loop.exit(1)
    }

    private func tellStatus() {
        guard let installation, !isStopping else { return }
        let line = StatusLine(installation.situation)
        guard line != status else { return }
        // If the manager is busy, the next change updates the status.
        if host.attempt([.status("\(line)")]) != .busy { status = line }
    }

    // MARK: The state

    /// Moves the state to another folder, if the configuration requires it.
    private func moveState() throws(SystemdError) {
        guard configuration.state.directory != store.directory else { return }
        store = ResumeStore(directory: configuration.state.directory)
        writer.quit()
        writer = StateWriter(store, last: writer.last, boot: BootID.service)
        try watchWriter()
    }

    private func watchWriter() throws(SystemdError) {
        writerTimer = try loop.timer { [unowned self] in tellDelay() }
        writerSource = try loop.whenReadable(writer.descriptor) { [unowned self] in
            guard let outcome = writer.takeOutcome() else { return }
            writerTimer?.deadline = nil
            tell(outcome)
        }
    }

    /// A state is on its way to the disk, which must not take too long.
    private func expectWriter() {
        guard writerTimer?.deadline == nil else { return }
        writerTimer?.deadline = SystemClock.monotonic.now + StateWriter.patience
    }

    private func tellDelay() {
        guard let delay = writer.delay else { return }
        guard delay >= StateWriter.patience else {
            writerTimer?.deadline = SystemClock.monotonic.now + StateWriter.patience - delay
            return
        }
        tellTrouble("the disk has taken more than \(Int(StateWriter.patience / .seconds(1))) s to write it")
    }

    private func tell(_ outcome: StateWriter.Outcome) {
        switch outcome {
        case .written:
            guard health.set(.state, nil) else { break }
            JournalWriter.write(
                JournalEntry(.stateWrittenAgain, "The state can be saved again.", priority: .notice)
                    .with(.outcome, "a power cut no longer loses the position"))
        case .failed(let error): return tellTrouble("\(error)")
        }
        installation?.set(.state, health[.state])
    }

    private func tellTrouble(_ words: String) {
        if health.set(.state, words) {
            JournalWriter.write(
                JournalEntry(
                    .stateUnwritable, "The state cannot be saved, and a power cut would lose the position: \(words)",
                    priority: .error
                ).with(.reason, words).with(.outcome, "a power cut would lose the position"))
        }
        installation?.set(.state, health[.state])
    }

    // MARK: The end

    private func stop() {
        guard !isStopping else { return }
        writer.noteStop()
        notices.send(.stopping, .status("Stopping"))
        server?.retire()
        guard let installation else { return loop.exit() }
        isStopping = true
        recording.end()
        // An installation that is already ending calls back, too.
        guard !installation.isEnding else { return }
        do throws(SystemdError) {
            try installation.end(within: Self.farewell) { [unowned self] in leave() }
        } catch { fail(error) }
    }

    private func leave() {
        outputs?.release()
        let words = health[.state] == nil ? "it will resume where it stopped" : "its position cannot be saved"
        JournalWriter.write(
            JournalEntry(.stopping, "Tacet is stopping; \(words).", priority: .notice)
                .with(.playing, false).with(.outcome, words))
        do throws(SystemdError) {
            farewell = try ConditionWait(
                in: loop, until: { [unowned self] in writer.isIdle && recording.isComplete },
                before: SystemClock.monotonic.now + .seconds(2)
            ) { [unowned self] in
                // Installations no longer take them.
                for event in recording.takeEvents() {
                    if let entry = journalist.entry(for: event) { JournalWriter.write(entry) }
                }
                loop.exit()
            }
            farewell?.look()
        } catch { loop.exit() }
    }
}
