import AudioSession
import Clocks
import Configuration
import Glibc
import Playback
import ResumeStore
import Systemd
import Threads
import Vocabulary

/// Runs the supervisor as a service in one event loop from the start to SIGTERM.
///
/// There is one daemon, which lives until the process exits. Handlers refer to it `unowned` because it owns them.
public final class Daemon {
    /// The longest time for the fade-out, the engine's end and the last save together.
    private static let farewell = Duration.milliseconds(800)
    /// The longest time that a start waits for the library before it continues without it.
    private static let timeout = Duration.seconds(3)
    /// The longest time that a start waits for missing lines.
    private static let lineTimeout = Duration.seconds(2)

    /// The signals that would kill the process needlessly. (SIGPIPE is raised when a sound server disappears.)
    private static let ignoredSignals =
        [SIGPIPE, SIGUSR1, SIGUSR2, SIGALRM, SIGVTALRM, SIGPROF, SIGIO, SIGPWR, SIGSTKFLT]
        + Array(__libc_current_sigrtmin()...__libc_current_sigrtmax())

    let host: HostSystem
    let loop: EventLoop
    let notices: ManagerNotices
    let source: ConfigurationSource
    private var active: ActiveConfiguration
    let probation: Probation
    private(set) var installation: Installation?
    /// The outputs' lines, which keep their levels through a reload.
    private let outputs: OutputLines
    /// The recorder, which keeps its file through a reload.
    let recording: RecordingControl
    /// The reservations of the sound cards, which outlive a reload, or nil if no bus is to be used.
    private let reservations: DeviceReservations?
    let saver: StateSaver
    /// The troubles that outlive an installation.
    var health = Health()
    let formatter = JournalFormatter()
    let librarySearch: LibrarySearch
    var reloading = Reloading()
    private let busKind: BusKind?
    private var server: BusServer?
    /// The levels that come over the bus.
    private let remoteLevels: RemoteLevels
    private let helpers = HelperWatch()
    private var watchdog: Watchdog?
    private var monitor: DeviceMonitor?
    private var sources: [EventSource] = []
    var sleepWatch: SleepWatch
    private var sleepChecks = SleepChecks()
    /// The inhibitor, or nil if there is no bus.
    private(set) var inhibitor: SleepInhibitor?
    private var phase = Phase.running

    /// The regular checks for a sleep, on CLOCK_BOOTTIME.
    private struct SleepChecks {
        var times = RegularCheck(at: SystemClock.bootTime.now)
        var timer: EventTimer?
    }

    private enum Phase {
        case running, stopping
        /// The daemon waits until everything has been written or cannot be written.
        case leaving(ConditionWait)
    }

    var configuration: Configuration { active.configuration }

    var isStopping: Bool { if case .running = phase { false } else { true } }

    /// Reads the configuration, and handles SIGTERM, SIGINT and SIGHUP. Call it before there are other threads.
    /// - Parameters:
    ///   - isStrict: True to fail if the configuration has mistakes. If false, the last configuration that worked is
    ///     used instead.
    ///   - bus: The bus on which Tacet appears, or nil for none.
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
        active = ActiveConfiguration(start)
        loop = try EventLoop()
        notices = try ManagerNotices(in: loop, host.attempt)
        remoteLevels = try RemoteLevels(in: loop)
        recording = RecordingControl(in: loop)
        reservations = try bus.map { [loop] _ in try DeviceReservations(in: loop) }
        outputs = try OutputLines(host.writer(), in: loop)
        saver = StateSaver(directory: start.loaded.configuration.state.directory, in: loop)
        librarySearch = try LibrarySearch(in: loop)
        probation = try Probation(of: start.fallbackConfiguration == nil ? start.loaded : nil, from: source, in: loop)
        sleepWatch = SleepWatch(at: host.monotonicTime(), suspended: host.suspendedTime())
        saver.onOutcome = { [unowned self] in set(.state, saver.problem) }
        helpers.onChange = { [unowned self] in installation?.helpersHaveChanged() }
        librarySearch.onNews = { [unowned self] in take($0) }
        probation.works = { [unowned self] in
            guard let scene = installation?.scene else { return false }
            return scene.session.track != nil && !scene.isSearching
        }
        for number in Daemon.ignoredSignals { host.ignore(number) }
        for number in [SIGTERM, SIGINT] {
            sources.append(try loop.whenSignalled(number, priority: .first) { [unowned self] in stop() })
        }
        sources.append(try loop.whenSignalled(SIGHUP) { [unowned self] in reload() })
        sources.append(try loop.whenSignalled(SIGCONT, priority: .second) { [unowned self] in hasContinued() })
        for warning in start.loaded.warnings { JournalWriter.write("\(warning)") }
    }

    /// Runs until a signal requests a stop.
    /// - Returns: The exit code.
    /// - Throws: `StateError.inUse` if another process uses the state's folder, and any error that prevents the start.
    public func run() throws -> Int32 {
        try start()
        return try loop.run()
    }

    /// Starts everything that `run` then runs.
    func start() throws {
        try saver.start()
        if let fallbackConfiguration = active.fallbackConfiguration {
            health.set(.configuration, fallbackConfiguration.words)
            if let entry = fallbackConfiguration.entry { JournalWriter.write(entry) }
        }
        let choice = (try? saver.store.load())?.choice?.name
        let loader = librarySearch.loaders.load(configuration.playback.library, choice: choice)
        let outcome = loader.wait(Self.timeout)
        // The timer uses CLOCK_BOOTTIME so that it fires as soon as the system resumes.
        sleepChecks.timer = try loop.timer(on: .bootTime, priority: .third) { [unowned self] in checkRegularly() }
        try install(outcome ?? .unanswered, timeout: Self.lineTimeout)
        watchForSleep()
        if outcome == nil { try expect(loader) }
        // The monitor only provides hints, and does not work in a sandbox without a network. `/dev` is therefore also
        // watched.
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
        watchdog?.onTimer = { [unowned self] in checkRegularly() }
        watchdog?.onProgress = { [unowned self] in installation?.makesProgress($0) }
        if let installation {
            let lastRun = RunEnd(installation.reading?.state.run, boot: BootID.service)
            JournalWriter.write(formatter.started(installation.scene, from: installation.reading, lastRun: lastRun))
        }
        server = try busKind.map {
            try BusServer($0, in: loop, programs: remoteLevels.programs, helpers: helpers) { [unowned self] in
                installation
            }
        }
        inhibitor = try busKind.map { _ in
            try SleepInhibitor(
                in: loop, onSleep: { [unowned self] in fallAsleep() }, onWake: { [unowned self] in wakeUp() },
                onRejection: { JournalWriter.write(Daemon.undelayed($0)) })
        }
        notices.send(.ready)
        probation.begin()
    }

    /// Replaces the configuration in use.
    func use(_ configuration: Configuration) { active.configuration = configuration }

    /// - Parameter cause: The reason why the configuration on the disk is not used, or nil if it is used.
    func degrade(_ cause: FallbackConfiguration.Cause?) {
        active.degrade(cause)
        set(.configuration, active.fallbackConfiguration?.words)
    }

    /// - Parameter words: The description of the problem, or nil after it has cleared.
    func set(_ trouble: Health.Trouble, _ words: String?) {
        health.set(trouble, words)
        // If the installation is ending, its successor begins with these troubles.
        if let installation, !installation.isEnding { installation.set(trouble, words) }
    }

    // MARK: The installation

    private func install(
        _ library: LibraryLoader.Outcome, timeout: Duration = .zero, after predecessor: Installation? = nil
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
                JournalWriter.write(formatter.libraryEmpty(reason))
            }
            scheduleLibrary()
        }
        let installation = try Installation(
            configuration, tracks: library.tracks, chosen: predecessor?.chosen ?? library.chosen, health: health,
            store: saver.store, writer: saver.writer,
            timeout: timeout, loop: loop, outputs: outputs, recording: recording,
            reservations: reservations, on: host, remote: remoteLevels,
            helpers: helpers)
        self.installation = installation
        installation.use(library.playlists)
        librarySearch.isListStale = false
        installation.onNews = { [unowned self, unowned installation] in take($0, from: installation) }
        try installation.start(after: predecessor)
        watchdog?.startOver()
        if isAsleep { fallAsleep() }
        take(.changed, from: installation)
    }

    private func take(_ news: Installation.News, from installation: Installation) {
        switch news {
        case .passing: lookForSleep()
        case .settled: checkRegularly()
        case .changed:
            // The status that reports the stop must not be replaced.
            if !isStopping { notices.show(StatusLine(installation.context)) }
            if !installation.holdsFollowers { server?.update() }
        case .reported(let report, let scene):
            server?.publish(report, in: scene, at: installation.monotonic(report.time))
            lookForNewFiles(after: report, in: scene)
        case .saving: saver.expectOutcome()
        case .tracks(let count):
            notePlayable(because: count == 0 ? "none of the library's files can be played" : nil)
            if count == 0 { scheduleLibrary() }
        case .listChosen:
            librarySearch.isListStale = true
            lookForLibrary()
        case .playerOrdered(let player, let command): server?.order(player, command)
        case .preferred(let isPreferred):
            active.configuration.session.prefersNoInterruptionsFromSystemAlerts = isPreferred
        }
    }

    /// Ends the current installation and continues with another.
    /// - Parameter then: Called when the new installation has started.
    func reinstall(_ library: LibraryLoader.Outcome, then: @escaping () -> Void) throws {
        guard let installation, !installation.isEnding else { return }
        // The closure must not retain the old installation, because that would keep its files, threads and memory.
        try installation.end(within: Self.farewell) { [unowned self] in
            guard !isStopping, let installation = self.installation else { return leave() }
            do {
                try saver.move(to: configuration.state.directory)
                try install(library, after: installation)
            } catch { return fail(error) }
            then()
            reloadIfDue()
        }
    }

    /// Restarts the watchdog's observation, so that it does not mistake a period in which nothing was running for a
    /// stall.
    func startWatchdogOver() { watchdog?.startOver() }

    /// Performs the regular checks that are nearly due. Call this after every event, so that they share its wake-up.
    func checkRegularly() {
        if sleepChecks.times.isDue(at: SystemClock.bootTime.now) { watchForSleep() }
        watchdog?.lookIfDue()
        installation?.lookForStallIfDue()
        outputs.lookIfDue()
    }

    /// Schedules the next regular check of the clocks.
    func scheduleSleepWatch() {
        sleepChecks.times.pass(at: SystemClock.bootTime.now)
        sleepChecks.timer?.deadline = sleepChecks.times.deadline
    }

    func fail(_ error: any Error) {
        JournalWriter.write("tacetd: \(error)")
        loop.exit(1)
    }

    // MARK: Shutdown

    private func stop() {
        guard !isStopping else { return }
        saver.writer.noteStop()
        notices.send(.stopping, .status("Stopping"))
        server?.retire()
        guard let installation else { return loop.exit() }
        phase = .stopping
        recording.end()
        // An installation that is already ending also calls back.
        guard !installation.isEnding else { return }
        do throws(SystemdError) {
            try installation.end(within: Self.farewell) { [unowned self] in leave() }
        } catch { fail(error) }
    }

    private func leave() {
        outputs.release()
        let words = saver.problem == nil ? "saves its position" : "cannot save its position"
        JournalWriter.write(
            JournalEntry(.stopping, "Tacet is stopping and \(words).", priority: .notice)
                .with(.playing, false).with(.outcome, words))
        do throws(SystemdError) {
            let wait = try ConditionWait(
                in: loop, until: { [unowned self] in saver.writer.isIdle && recording.isComplete },
                before: SystemClock.monotonic.now + .seconds(2)
            ) { [unowned self] in
                // Installations no longer handle these events.
                for event in recording.takeEvents() {
                    if let entry = formatter.entry(for: event) { JournalWriter.write(entry) }
                }
                loop.exit()
            }
            phase = .leaving(wait)
            wait.look()
        } catch { loop.exit() }
    }
}
