import AudioSession
import Configuration
import Playback
import ResumeStore
import Signals

/// The shell around the session: translates what happens in a world into the session's events, and carries out the
/// session's actions. It has neither policy nor clock. The world supplies the time, and calls
///
/// * `boot()` once, first of all;
/// * an input (`line`, `edge`, `command`, `deviceLost`, …) for each external event;
/// * `step()` until it returns false: after each input (lines read together count as one), at `deadline`, and whenever the
///   player has events.
///
/// Not thread-safe: everything runs on one thread, and nothing here blocks.
public final class Supervisor {
    /// The ramp when the user changes the volume.
    static let volumeRamp = Duration.milliseconds(80)

    public private(set) var configuration: Configuration
    public private(set) var session: Session
    /// In the order in which they are played.
    public private(set) var tracks: TrackList
    let world: any World
    var player: (any Player)?
    private(set) var signals = SignalLines()
    /// Other events that wait to be handled.
    var pending: [Cause] = []
    /// The search in progress.
    var search: Search?
    /// When the search counts as late; nil once it does, and while there is none.
    var searchDeadline: Duration?
    /// Whether the search takes so long that the track heard meanwhile counts as the current one.
    var isSearchLate = false
    /// When the position is saved next; nil while it does not change.
    private var checkpoint: Duration?
    private var shuffleSeed: UInt64 = 0
    private var modes = ListModes()
    /// The programme's position, or the last known one, so that a boot without music does not lose it.
    private(set) var place: (track: String?, position: Duration) = (nil, .zero)
    /// The position in the current track from which the programme last continued, or to which it last jumped.
    var continuedFrom = Duration.zero
    /// The last directive that the player received.
    var applied = Directive.silent
    /// When the last falling ramp of the programme, to silence or to a lower level, reaches its end.
    var rampEnd = Duration.zero
    /// When the programme was last started out of silence: its first frame is heard then, after an amplifier's lead.
    var startedAt: Duration?
    var outputs = Outputs()
    /// The outputs that the world was last ordered to assert; nil before that.
    var driven: [OutputID]?
    var isWorldHealthy = true
    var playing: PlayingSound?
    var soundHasEnded = false
    /// Whether it ended before its last frame.
    var isSoundCut = false
    /// How many sounds have been ordered, and how many announcements requested.
    var soundOrders = 0
    var announcements: Announcement.ID = 0
    /// What announcements are heard with instead of their sounds' own files, until they have ended.
    var clips: [Announcement.ID: SoundClip] = [:]
    /// The lengths of the sounds that have been read.
    public internal(set) var soundLengths: [SoundID: Duration] = [:]
    /// What is wrong with the files of sounds.
    public internal(set) var soundProblems: [SoundID: SoundProblem] = [:]
    /// Whether the system has just woken: nothing is heard yet, so there is nothing to fade out.
    private(set) var hasJustAwoken = false
    /// Whether the player has replaced its device, and waits for the session to handle that.
    private var hasNewDevice = false
    /// Whether the device still counts as lost, as it did for the predecessor, until the player reports on it.
    var awaitsDevice = false
    /// Whether there are no tracks only because the library is still being read: then `play` is deferred.
    public var awaitsTracks = false
    /// The active signals at the last report; before the first report, the saved or inherited ones.
    private var active = ActiveSignals()

    /// - Parameter tracks: the library's, in its order.
    public init(configuration: Configuration, tracks: [Track], world: any World) {
        self.configuration = configuration
        self.tracks = TrackList(tracks)
        self.world = world
        session = Session(policy: configuration.session)
    }

    // MARK: Starting

    /// Starts. Reads the state, then the lines, and only then opens the device, so that there is no burst of sound while a
    /// phone is ringing.
    /// - Parameters:
    ///   - predecessor: a retired supervisor of this process. Its reports are not repeated, and its lines' state is
    ///     inherited.
    ///   - isHealthy: like for `setHealth`; with a predecessor, what it knew counts until then.
    public func boot(after predecessor: Supervisor? = nil, isHealthy: Bool = true) {
        let now = world.now
        let saved = loadState()
        shuffleSeed = saved?.shuffleSeed ?? world.shuffleSeed
        modes = ListModes(saved, configuration)
        session = Session(policy: modes.policy(configuration))
        if isShuffled {
            tracks = TrackList(
                tracks.library, shuffledBy: shuffleSeed, repeats: session.policy.repeats != .none)
        }
        let (restored, track) = restore(saved, at: now)

        let lines = startConditioning(held: restored?.held ?? [], after: predecessor, at: now)
        // Before the player reports on them.
        inheritSounds(of: predecessor)
        inheritOutputs(of: predecessor, isHealthy: isHealthy)
        let player = makePlayer()
        let isOpen = player.open()
        awaitsDevice = isOpen && predecessor?.session.servicesAvailable == false
        let found = loadFirst(or: track, at: place.position)
        active = predecessor?.active ?? ActiveSignals(restored, under: configuration.session)
        let areTracksGone = found.contains(.event(.tracksAvailable(0)))
        let event = Event.boot(
            Boot(
                saved: restored, lines: lines, servicesAvailable: isOpen && !awaitsDevice,
                captureAvailable: !session.policy.canRecord || world.openCapture(),
                trackCount: areTracksGone ? 0 : tracks.count,
                unreadableSounds: soundProblems.filter(\.value.isFault).map(\.key),
                predecessor: predecessor.map { Boot.Predecessor($0.session) }))
        var report = Report(time: now, cause: .event(event))
        if areTracksGone { report.foundTracks = 0 }
        handle(event, &report)
        inheritFaults(of: predecessor, &report)
        handle(found.filter { $0 != .event(.tracksAvailable(0)) }, &report)
        finish(report)
        reportClearedFaults(of: predecessor)
    }

    private func loadState() -> SavedState? {
        do throws(StateError) {
            return try world.loadState()
        } catch {
            complain(of: error)
            return nil
        }
    }

    /// The saved state in the session's terms, and the track to resume, if the library still has it.
    private func restore(_ saved: SavedState?, at now: Duration) -> (SavedSession?, track: Int?) {
        guard let saved else { return (nil, nil) }
        let track = saved.track.flatMap { FormerTrack(path: $0, number: saved.trackNumber).number(in: tracks) }
        // If the wall clock has gone back, the time without power is unknown.
        let elapsed = min(max(.zero, world.wallClock - saved.savedAt), SavedState.longest)
        do throws(StateError) {
            let restored = try SavedSession(saved, track: track, elapsed: elapsed, now: now)
            place = (saved.track, saved.position)
            // An empty library may only be unavailable so far.
            let isPlaceLost = track == nil && !tracks.isEmpty
            continuedFrom = isPlaceLost ? .zero : saved.continuedFrom
            if let path = saved.track, isPlaceLost { pending.append(.note(.placeLost(path))) }
            return (restored, track)
        } catch {
            complain(of: error)
            return (nil, nil)
        }
    }

    private func complain(of error: StateError) {
        pending.append(.note(.stateUnreadable("\(error)")))
        let isDamage = error.isDamage
        do throws(StateError) {
            try world.setStateAside()
        } catch {
            // A file that cannot be read often cannot be renamed either.
            if isDamage { pending.append(.note(.stateUnreadable("\(error)"))) }
        }
    }

    private func makePlayer() -> any Player {
        let repeats = session.policy.repeats
        let count = tracks.count
        let player = world.makePlayer(
            tracks: tracks,
            order: TrackOrder(
                successor: { repeats.successor(of: $0, count: count) },
                next: { repeats.neighbour(of: $0, count: count, .forwards) },
                previous: { repeats.neighbour(of: $0, count: count, .backwards) }),
            sounds: sounds)
        self.player = player
        return player
    }

    private func startConditioning(
        held: [SavedSession.Held], after predecessor: Supervisor?, at now: Duration
    ) -> [SignalID: Boot.Line] {
        let levels = world.readLines()
        var lines: [SignalID: Boot.Line] = [:]
        let conditioners = configuration.session.signals.map { signal in
            let saved = held.first { $0.signal == signal.id }.map(HeldAssertion.init)
            let policy = configuration.lines[signal.id] ?? LinePolicy()
            let level = levels[signal.id]
            let line =
                predecessor?.conditioner(of: signal.id, under: policy, level: level, at: now)
                ?? Conditioner(policy: policy, level: level, at: now, held: saved)
            lines[signal.id] =
                switch (level, line.isAsserted) {
                case (nil, true): .assumed
                case (nil, false): .unknown
                case (_, true): .asserted
                case (_, false): .deasserted
                }
            return (signal: signal.id, conditioner: line)
        }
        signals = SignalLines(conditioners)
        return lines
    }

    /// The line's conditioner for a successor; nil if the line differs.
    private func conditioner(of signal: SignalID, under policy: LinePolicy, level: Bool?, at now: Duration)
        -> Conditioner?
    {
        guard var line = signals[signal], line.policy.isActiveLow == policy.isActiveLow else { return nil }
        line.adopt(policy, at: now)
        // The successor boots with the resulting level; it detects a loss on its own.
        _ = level.map { line.edge($0, at: now) } ?? line.lost(at: now)
        return line
    }

    // MARK: Ending

    /// Silences the programme and the sound for good, and saves. The intent is unchanged, so that the next boot resumes. Call only
    /// `saveLast` afterwards.
    /// - Parameter longest: the longest fade-out allowed.
    public func retire(within longest: Duration) {
        player?.stopSound()
        player?.silence(over: min(configuration.playback.fadeOut, longest))
        save(urgently: true)
    }

    /// Saves once more, now that the fade-out has ended and the position at which it began is known.
    public func saveLast() { save(urgently: true) }

    // MARK: Reloading

    /// Whether another configuration can be adopted while the programme plays, because nothing has to be rebuilt for it.
    public func canAdopt(_ other: Configuration) -> Bool {
        // The number of frames kept for the fade-out is fixed at the start. It also suffices for the rest of a duck to mute
        // that an interruption continues: the engine shortens what is longer.
        other.playback.fadeOut <= configuration.playback.fadeOut && configuration.adopting(other) == other
    }

    /// Adopts a configuration that `canAdopt` allows, and applies it to the sound.
    public func adopt(_ other: Configuration) {
        guard canAdopt(other), let actions = session.adopt(modes.policy(other), at: world.now) else { return }
        configuration = other
        signals.adopt(other.lines, at: world.now)
        outputs.adopt(other.outputs.map(\.policy))
        prepareOutputs()
        if !other.sounds.isEmpty { player?.readSounds() }
        var report = Report(time: world.now, cause: .note(.reloaded))
        for action in actions { perform(action, &report) }
        finish(report)
    }

    /// Changes Apple's preference of the same name: for signals with `Alert=yes` that are asserted from now on.
    public func setPrefersNoInterruptionsFromSystemAlerts(_ isPreferred: Bool) {
        configuration.session.prefersNoInterruptionsFromSystemAlerts = isPreferred
        guard let actions = session.adopt(modes.policy(configuration), at: world.now) else { return }
        var report = Report(time: world.now, cause: .note(.preferenceChanged))
        for action in actions { perform(action, &report) }
        finish(report)
    }

    /// A signal's release that `ReleaseDelay` still delays; nil if there is none.
    public func pendingRelease(of signal: SignalID) -> PendingRelease? { signals[signal]?.pendingRelease }

    /// Saves the present state, because the world's additions to it have changed.
    public func saveAgain() { save(urgently: false) }

    /// Whether the list is shuffled.
    public var isShuffled: Bool { modes.shuffles(configuration) }

    /// Chooses what repeats, and whether the list is shuffled, and saves that. It takes effect at the next boot, because
    /// the player was created with its list.
    /// - Returns: whether that differs from what is in effect.
    public func choose(repeats: Policy.Repeat? = nil, shuffle: Bool? = nil) -> Bool {
        var new = modes
        if let repeats { new.repeats = repeats == configuration.session.repeats ? nil : repeats }
        if let shuffle { new.shuffle = shuffle == configuration.playback.shuffle ? nil : shuffle }
        guard new != modes else { return false }
        modes = new
        save(urgently: true)
        return true
    }

    // MARK: Inputs

    /// Applies a line's raw level; nil if the line can no longer be read.
    public func line(_ signal: SignalID, level: Bool?) {
        signals.edge(of: signal, level: level, at: world.now)
        finish(Report(time: world.now, cause: .note(.line(signal, level: level))))
    }

    /// Sets a signal's level after conditioning; for rehearsals.
    public func edge(_ edge: Edge) {
        signals.force(edge, at: world.now)
        take(.event(.edge(edge)))
    }

    /// Carries out a user's command.
    /// - Returns: the answer.
    @discardableResult
    public func command(_ command: Command) -> Answer {
        var command = command
        if case .seek(let position, let length) = command {
            let limit = Command.longestPosition
            // A position beyond an estimated length can be in the track.
            command = .seek(
                to: min(max(position, .zero - limit), limit), trackLength: length ?? player?.certainTrackLength)
        }
        // A button or a scenario does not number its announcements.
        if case .announce(let announcement) = command, announcement.id == 0 {
            return announce(
                announcement.sound, priority: announcement.priority, maximumPriority: announcement.maximumPriority,
                expire: announcement.expire
            ).answer
        }
        return take(.event(.command(command))).answer ?? .success
    }

    /// Handles an event of the devices or the route.
    public func handle(_ event: Event) { take(.event(event)) }

    /// Handles the system's waking: reads the lines again before anything is heard.
    /// - Parameters:
    ///   - since: when the device stopped.
    ///   - changes: what happened to the device, the route and the device's format meanwhile.
    public func wake(since: Duration, after changes: [Event] = []) {
        // A programme that plays continues its ramp where it stopped; a fade-out is over.
        rampEnd = applied == .silent ? .zero : rampEnd + (world.now - since)
        let edges = signals.wake(world.readLines(), at: world.now)
        hasJustAwoken = true
        defer { hasJustAwoken = false }
        let event = Event.awoke(edges, devices: changes)
        var report = Report(time: world.now, cause: .event(event))
        handle(event, &report)
        if session.directive != .silent, let heard = player?.playhead?.position, heard != continuedFrom {
            continuedFrom = heard
            save(urgently: false)
        }
        finish(report)
    }

    // MARK: Spontaneous events

    /// The latest time for the next `step`; nil if nothing is due.
    public var deadline: Duration? {
        if !pending.isEmpty || soundHasEnded || !signals.isSettled { return world.now }
        return [signals.deadline, session.deadline, outputs.deadline, checkpoint, searchDeadline].compactMap { $0 }
            .min()
    }

    /// Handles one spontaneous event that is due.
    /// - Returns: whether there was one.
    public func step() -> Bool {
        collectPlaybackEvents()
        let now = world.now
        // If outcomes wait, everything due was read with them.
        if pending.isEmpty || !signals.isSettled { signals.settle(by: now) }
        let cause =
            signals.next().map { .event($0) } ?? session.elapsed(by: now).map { .event(.delayElapsed($0)) }
            ?? takeEndedSound()
            ?? session.expiredAnnouncement(by: now).map { .event(.announcementExpired, .sound($0)) }
            ?? (pending.isEmpty ? nil : pending.removeFirst())
            ?? outputs.elapse(by: now).map { .note(.output($0, asserted: false)) }
        if let cause {
            take(cause)
            return true
        }
        if let searchDeadline, searchDeadline <= now {
            self.searchDeadline = nil
            isSearchLate = true
            take(.note(.trackDelayed))
            return true
        }
        if let checkpoint, checkpoint <= now { save(urgently: false) }
        return false
    }

    private func collectPlaybackEvents() {
        let found = collectAnswers()
        pending += found
    }

    /// Takes the player's events, and queues them.
    /// - Returns: the consequences of a search that has ended, which are not queued.
    func collectAnswers() -> [Cause] {
        var found: [Cause] = []
        for event in player?.takeEvents() ?? [] {
            switch event {
            case .trackAdvanced(let track): pending.append(.event(.trackBegan(track)))
            // A list that repeats ends only if none of its tracks can be played.
            case .programmeEnded:
                pending.append(.event(session.policy.repeats == .none ? .programmeEnded : .tracksAvailable(0)))
            case .trackSkipped(let track, let reason):
                let path = tracks[track].path
                pending.append(
                    .note(.trackSkipped(path: path, reason: "\(reason)", isPlayed: reason.reason == .gap)))
            // The fade-out has ended. Its position has not changed since it began, but is saved once more, because the
            // power can have failed during the earlier save.
            case .faded: save(urgently: false)
            case .loaded(let track): found += conclude(found: track)
            case .nothingToLoad: found += conclude(found: nil)
            case .deviceLost: pending += [.note(.playback(event)), .event(.mediaServicesLost)]
            case .deviceReset: pending.append(.event(.mediaServicesReset))
            case .routeLost: pending += [.note(.playback(event)), .event(.routeLost)]
            case .routeBack(let route):
                pending += [.note(.playback(event)), .event(.routeBack)]
                // Another fallback only: the preferred device is still to come.
                if route.index > 0 { pending.append(.event(.routeFound)) }
            case .routeFound: pending += [.note(.playback(event)), .event(.routeFound)]
            case .configurationChanged: pending.append(.event(.configurationChanged))
            case .soundReadable, .soundUnreadable, .soundBroken, .soundEnded, .soundCut:
                follow(sound: event).map { pending.append($0) }
            case .soundHeard, .deviceOpened, .deviceClosed, .underrun, .storageStarved, .storageRecovered, .storageLost,
                .storageReturned, .effect, .notRealTime, .routeUnsteady, .rewindMeasured, .rewoundTooLate:
                pending.append(.note(.playback(event)))
            }
        }
        return found
    }

    // MARK: The session

    @discardableResult
    func take(_ cause: Cause, file: AnnouncedFile? = nil) -> Report {
        let event = cause.event
        let hasWithdrawn = event == .command(.hush) && world.withdrawAnnouncements()
        var report = Report(time: world.now, cause: cause)
        report.file = file
        switch cause {
        case .event(.command, _): lookForTracksAgain(&report)
        case .event(.trackBegan(let track), .trackFound?) where track == session.track: break
        // Another track begins at its start, or the same one again.
        case .event(.trackBegan, _), .event(.programmeEnded, _): continuedFrom = .zero
        default: break
        }
        let before = session.track
        if event == .programmeEnded { drawAgain() }
        if let event { handle(event, &report) }
        if hasWithdrawn { report.answer = .success }
        if awaitsTracks, tracks.isEmpty, event == .command(.play) || event == .command(.playPause),
            report.answer == .noActionableNowPlayingItem
        {
            report.answer = .deferred
        }
        // It was not faded out.
        if event == .programmeEnded { rampEnd = .zero }
        // When a track repeats, only the position changes, and the session requests no save.
        if case .event(.trackBegan(let next), nil) = cause, next == before { save(urgently: false) }
        finish(report)
        followRoute(cause)
        if case .note(.playback(let event)) = cause { follow(event) }
        return report
    }

    /// Shuffles the list again at its end, so that whoever starts it again hears it in another order. The save that follows
    /// contains its seed.
    func drawAgain() { shuffleSeed = tracks.drawAgain() ?? shuffleSeed }

    /// Rebuilds the programme on another device, once the session has decided whether it plays there.
    private func followRoute(_ cause: Cause) {
        switch cause {
        case .note(.playback(.routeLost)), .note(.playback(.routeBack)): hasNewDevice = true
        case .event(.routeLost, _), .event(.routeBack, _):
            // After a loss of services, their reset rebuilds it.
            if hasNewDevice, session.servicesAvailable { player?.rebuild() }
            hasNewDevice = false
        default: break
        }
    }

    func handle(_ event: Event, _ report: inout Report) {
        let actions = session.handle(event, at: world.now)
        prepareOutputs()
        for action in actions { perform(action, &report) }
    }

    func save(urgently: Bool) {
        // A search for any playable track has no position worth saving.
        if session.track != nil, search?.isForPlace ?? true, let playhead = player?.playhead {
            place = (tracks[playhead.track].path, playhead.position)
        }
        var state = SavedState(
            session.saved, at: world.now, wallClock: world.wallClock, track: place.track,
            position: resumePosition(from: place.position), continuedFrom: continuedFrom, shuffleSeed: shuffleSeed)
        modes.save(in: &state, configuration)
        world.save(state, urgently: urgently)
        checkpoint = session.directive == .silent ? nil : world.now + configuration.state.interval
    }

    func finish(_ report: Report) {
        settleOutputs()
        releaseClips()
        if session.directive == .silent {
            checkpoint = nil
        } else if checkpoint == nil {
            checkpoint = world.now + configuration.state.interval
        }
        let before = active
        active = ActiveSignals(session)
        // During a `ResumeDelay` the episode or duck still belongs to its signals.
        if session.isInterrupted, active.blocking.isEmpty { active.blocking = before.blocking }
        if session.duckLevel != nil, active.ducking.isEmpty { active.ducking = before.ducking }
        var report = report
        report.over = before.subtracting(active)
        report.begun = active.subtracting(before)
        world.report(report)
    }
}
