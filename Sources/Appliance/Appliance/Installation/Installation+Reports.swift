import AudioSession
import Playback
import ResumeStore
import Supervisor
import Systemd

/// What the supervisor reports, and its consequences for the journal and the health.
extension Installation {
    func report(_ report: Report) {
        // A level is reported once it has settled; a faulty line can have thousands of edges.
        if case .note(.line) = report.cause, report.notifications.isEmpty, report.remarks.isEmpty { return }
        if case .note(.playback(let event)) = report.cause { noteTrouble(event) }
        noteSearch(report)
        if let count = report.trackCount { onTracks(count) }
        noteAudibility(report)
        let scene = scene
        for entry in journalist.entries(for: report, in: scene, from: issuer) { JournalWriter.write(entry) }
        inform(report, scene)
        onChange()
    }

    /// A search through rubbish takes long, and is not the storage's fault.
    private func noteSearch(_ report: Report) {
        if !supervisor.isSearching {
            skipped = nil
        } else if case .note(.trackSkipped(_, let reason, isPlayed: false)) = report.cause {
            skipped = ((skipped?.count ?? 0) + 1, reason)
        }
    }

    /// Since when it has been quiet is saved, so that it is known after a restart.
    private func noteAudibility(_ report: Report) {
        let since = audibility.since
        audibility.note(report, supervisor.session)
        if case .event(.boot, _) = report.cause, since == nil, let saved = world.reading?.state, let quiet = saved.quiet
        {
            let elapsed = min(max(.zero, world.wallClock - saved.savedAt), SavedState.longest)
            audibility.wasQuiet(since: world.now - elapsed - quiet.age)
        }
        noteStall()
        // `handle`, which is carrying out this report, carries out the save next.
        if audibility.isQuiet, ending == nil, since != audibility.since { take(.save(urgently: false)) }
    }

    var quietTime: Duration? {
        guard audibility.isQuiet, let since = audibility.since else { return nil }
        return world.now - since
    }

    func lookForStall() {
        guard ending == nil, sleeping == nil, let player = world.player else { return }
        pass()
        player.postponeWatch()
        let hasChanged = audibility.look(
            isAdvancing: player.isAdvancing, isLoading: player.isLoading, supervisor.session, at: world.now)
        noteStall()
        if hasChanged { onChange() }
    }

    /// A stall is a trouble; it is watched for while the programme should play.
    func noteStall() {
        let words: String? =
            switch audibility.stall {
            // A lost storage is a trouble of its own; a slow one is silent, too.
            case .storage?:
                health[.storage] != nil
                    ? nil : skipped.map(Situation.searching) ?? "the storage does not keep up"
            case .device?: "the sound device takes no frames"
            case nil: nil
            }
        health.set(.stall, words)
        let isDue = supervisor.session.directive != .silent && ending == nil && sleeping == nil
        if !isDue {
            stallTimer?.deadline = nil
        } else if stallTimer?.deadline.map({ $0 <= world.monotonic(world.now) }) ?? true {
            stallTimer?.call(
                around: world.monotonic(world.now) + StallWatch.pace, tolerance: StallWatch.pace / 4)
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
            rewindMargin = nil
            microphoneReports.opened()
            world.useMixer(ofCard: configuration.card)
        case .routeLost(let route), .routeBack(let route), .routeFound(let route): use(route)
        case .rewindMeasured(let margin), .rewoundTooLate(let margin): rewindMargin = margin
        case .storageLost(let loss): health.set(.storage, "\(loss)")
        case .storageReturned: health.set(.storage, nil)
        case .notRealTime(let reason): health.set(.realTime, reason)
        default: break
        }
    }

    func use(_ route: OutputRoute) {
        self.route = route.index > 0 ? route : nil
        let reason = route.reason.map { ": \($0)" } ?? ""
        health.set(
            .route,
            route.index > 0 ? "plays on \(route.device) instead of \(configuration.playback.device)\(reason)" : nil)
    }

    func tellLoss(of signal: SignalID, _ problem: String) {
        journalist.explain(signal, problem)
        tell(journalist.fault(Fault(signal, .lost), in: scene))
    }

    func tell(_ entry: JournalEntry) {
        journalist.limit(entry, at: world.now).map(JournalWriter.write)
    }

    func watchMicrophone() throws(SystemdError) {
        guard microphoneSource == nil, let microphone = world.microphone else { return }
        microphoneSource = try loop.whenReadable(microphone.descriptor) { [unowned self] in
            guard let outcome = microphone.takeOutcome() else { return }
            if let outcome = microphoneReports.take(outcome) { tell(outcome) }
        }
    }

    func tell(_ outcome: Microphone.Outcome) {
        if let entry = journalist.entry(for: outcome) { tell(entry) }
        set(.microphone, outcome.trouble)
    }
}
