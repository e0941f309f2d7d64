import AudioSession
import Clocks
import Configuration
import Playback
import ResumeStore
import Signals
import Supervisor
import Systemd

/// The supervisor's reports and their consequences for followers, the journal and the health.
extension Installation {
    func report(_ report: Report) {
        // A level is reported after it has settled, because the level of a faulty line may change thousands of times.
        if case .note(.arrival) = report.cause { return }
        if case .note(.line) = report.cause, report.notifications.isEmpty, report.noOpReasons.isEmpty { return }
        if case .note(.playback(let event)) = report.cause { noteTrouble(event) }
        if let count = report.trackCount { onNews(.tracks(count: count)) }
        noteAudibleState(report)
        let scene = scene
        for entry in formatter.entries(for: report, in: scene, from: requests.issuer) { JournalWriter.write(entry) }
        inform(report, scene)
        onNews(.changed)
    }

    /// Reports to followers as soon as the recorded data is on the disk.
    private func inform(_ report: Report, _ scene: StateSnapshot) {
        for (report, scene) in gate.pass(report, scene, isComplete: recording.isComplete, at: world.now) {
            onNews(.reported(report, scene))
        }
    }

    func openGate() {
        for (report, scene) in gate.open(isComplete: recording.isComplete || isEnding, at: world.now) {
            onNews(.reported(report, scene))
        }
    }

    /// True if followers have not received the current state yet.
    var holdsFollowers: Bool { gate.isClosed }

    /// Saves the time since which it has been quiet, so that it is available after a restart.
    private func noteAudibleState(_ report: Report) {
        let since = audible.since
        audible.note(report, supervisor.session, isSearching: supervisor.isSearching)
        if case .event(.boot, _) = report.cause, since == nil, let saved = world.reading?.state, let quiet = saved.quiet
        {
            let elapsed = min(max(.zero, world.wallClock - saved.savedAt), SavedState.longest)
            audible.wasQuiet(since: world.now - elapsed - quiet.age)
        }
        noteStall()
        // `handle`, which is carrying out this report, then carries out the save.
        if audible.isQuiet, !isEnding, since != audible.since { take(.save(urgently: false)) }
    }

    var quietTime: Duration? {
        guard audible.isQuiet, let since = audible.since else { return nil }
        return world.now - since
    }

    func lookForStall() {
        guard isAwake, let player = world.player else { return }
        pass()
        let hasChanged = audible.look(
            advancesUntil: player.advancesUntil, isLoading: player.isLoading, supervisor.session, at: world.now)
        noteStall()
        if hasChanged { onNews(.changed) }
    }

    /// Checks for a stall if the regular check is nearly due.
    func lookForStallIfDue() {
        if isAwake, wakeups?.takeStallCheck(at: SystemClock.monotonic.now) == true { lookForStall() }
    }

    /// Records a stall as a trouble. Tacet watches for stalls while the music should play.
    func noteStall() {
        let words: String? =
            switch audible.stall {
            // Lost storage is a separate trouble. Slow storage also causes silence.
            case .storage?:
                health[.storage] != nil
                    ? nil : audible.skipped?.words ?? "the storage does not keep up"
            case .device?: "the sound device accepts no frames"
            // A mute is a fault of the session.
            case .output?, nil: nil
            }
        health.set(.stall, words)
        wakeups?.watchForStall(
            isAwake && supervisor.session.directive != .silent,
            isAdvancing: world.player.map { $0.advancesUntil > world.now } ?? false, at: world.monotonic(world.now))
    }

    private func noteTrouble(_ event: PlaybackEvent) {
        output.note(event)
        reserveCards(after: event)
        switch event {
        case .deviceLost(let error):
            health.set(.device, "\(error)")
            world.deviceLost().map(log)
            mixer.follow(card: nil)
        case .deviceOpened(let opened):
            health.set(.device, nil)
            // The card's mixer mutes the microphone, unless Tacet records from another device.
            world.deviceOpened(card: configuration.recording == nil ? opened.card : nil)
            mixer.follow(card: opened.card)
        case .deviceClosed: mixer.follow(card: nil)
        case .routeLost, .routeBack, .routeFound:
            health.set(
                .route,
                output.route.map { route in
                    let reason = route.reason.map { ": \($0)" } ?? ""
                    return "plays on \(route.device) instead of \(configuration.playback.device)\(reason)"
                })
        case .storageLost(let loss): health.set(.storage, "\(loss)")
        case .storageReturned: health.set(.storage, nil)
        case .notRealTime(let reason): health.set(.realTime, reason)
        default: break
        }
    }

    func logLoss(of signal: SignalID, _ problem: String) {
        formatter.explain(signal, problem)
        log(formatter.fault(Fault(signal, .lost), in: scene))
    }

    /// Records a problem of an input's pipe, or nil if it can be read.
    func noteInput(_ input: InputID, _ problem: String?) {
        reports.take(pipe: problem, of: input)
        noteProblems()
    }

    /// Records whether what arrives at an input that is played is heard. If not, the input is begun anew.
    func noteDelivery(_ input: InputID, isHeard: Bool) {
        reports.take(isHeard: isHeard, of: input)
        if !isHeard, let index = configuration.inputs.firstIndex(where: { $0.id == input }) {
            world.player?.renewInput(index)
        }
        noteProblems()
    }

    /// Takes a report of the program that receives an input.
    func report(_ input: InputID, title: String, artist: String, problem: String) {
        reports.take(title: title, artist: artist, problem: problem, of: input)
        noteProblems()
        onNews(.changed)
    }

    /// Takes a report of the program that controls players.
    func report(_ player: PlayerID, problem: String) {
        reports.take(problem: problem, of: player)
        noteProblems()
        onNews(.changed)
    }

    /// The problems of inputs and players at present.
    var presentProblems: [Fault: String] {
        let now = SystemClock.monotonic.now
        return reports.problems(configuration) { helpers.isMissing($0, at: now) }
    }

    /// Logs the fault of an input or a player when it begins and when it clears. Until it clears, the fault is part of the
    /// health.
    func noteProblems() {
        let (before, present) = (health.lost, presentProblems)
        guard before != present else { return }
        health.lost = present
        for fault in Set(before.keys).union(present.keys).sorted() {
            if (before[fault] == nil) != (present[fault] == nil) { log(formatter.lost(fault, present[fault])) }
        }
        updateHealth()
    }

    /// Logs that an edge was lost.
    func logRepair(of change: LevelChange<WireID>) {
        guard case .turned(let level) = change.state else { return }
        log(formatter.edgeLost(change.id, level: level, count: levels.repairs))
    }

    /// Logs which lines are polled, unless this has been logged.
    func logPolling() {
        let polled = levels.takePolled()
        for chip in Set(polled.map(\.chip)).sorted() {
            log(formatter.linesPolled(polled.filter { $0.chip == chip }, of: chip))
        }
    }

    func log(_ entry: JournalEntry) {
        formatter.limit(entry, at: world.now).map(JournalWriter.write)
    }

    func followMicrophone() throws(SystemdError) {
        guard let microphone = world.microphone else { return }
        wakeups?.threads.append(
            try loop.whenReadable(microphone.descriptor) { [unowned self] in
                if let outcome = world.takeMicrophoneOutcome() { log(outcome) }
            })
    }

    private func log(_ outcome: Microphone.Outcome) {
        if let entry = formatter.entry(for: outcome) { log(entry) }
        set(.microphone, outcome.trouble)
    }
}
