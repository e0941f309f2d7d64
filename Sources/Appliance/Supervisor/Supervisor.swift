import AudioSession
import Configuration
import Playback
import ResumeStore
import Signals

/// The shell around the session: turns what happens in a world into its events, and carries out its actions. It has
/// no policy of its own, and no clock: the world tells the time and calls
///
/// * `boot()` once, first of all;
/// * one of the inputs (`line`, `edge`, `command`, `deviceLost`, …) for what comes from outside;
/// * `step()` until it answers false, after an input (lines that were read in one go are one), and whenever `deadline`
///   has come or the player has events.
///
/// Not thread-safe: everything runs on one thread, and nothing here blocks.
public final class Supervisor {
    /// How fast the user's volume is turned.
    static let volumeRamp = Duration.milliseconds(80)

    public private(set) var configuration: Configuration
    public private(set) var session: Session
    /// In the order in which they are played.
    public private(set) var tracks: [Track]
    let world: any World
    var player: (any Player)?
    private(set) var signals = SignalLines()
    /// What else has happened by itself, and has not been handled yet.
    var pending: [Happening] = []
    /// What is being looked for.
    var search: Search?
    /// When a search counts as late; nil once it does, and while nothing is looked for.
    var searchDeadline: Duration?
    /// Whether the search takes so long that what is heard meanwhile counts as the current track.
    var isSearchLate = false
    /// When the position is saved next; nil while it does not change.
    private var checkpoint: Duration?
    private var shuffleSeed: UInt64 = 0
    /// Where the programme is, or was when there last was one: a boot without music does not lose the place.
    private(set) var place: (track: String?, position: Duration) = (nil, .zero)
    /// The position in the current track from which the programme last continued, or to which it last jumped.
    var continuedFrom = Duration.zero
    /// What the player was told last.
    var applied = Directive.silent
    /// Whether nothing has been played since the system was asleep: there is nothing to fade out.
    private(set) var hasJustAwoken = false
    /// Whether the device is taken for lost, as it was with a predecessor, until the player has told what became of it.
    var awaitsDevice = false
    /// As of the last report; before the first one, as they were left.
    private var inForce = SignalsInForce()

    /// - Parameter tracks: the library's, in its order.
    public init(configuration: Configuration, tracks: [Track], world: any World) {
        self.configuration = configuration
        self.tracks = tracks
        self.world = world
        session = Session(policy: configuration.session)
    }

    // MARK: Starting

    /// Starts: the state is read, then the lines, and only then is the device opened, so that there is no burst of
    /// sound in front of a ringing phone.
    /// - Parameter predecessor: one that has retired in this process: what it has told of is no news, and what its lines
    ///   were doing they go on with.
    public func boot(after predecessor: Supervisor? = nil) {
        let now = world.now
        let saved = loadState()
        shuffleSeed = saved?.shuffleSeed ?? world.shuffleSeed
        tracks = PlayOrder.order(tracks, shuffledBy: configuration.playback.shuffle ? shuffleSeed : nil)
        let (restored, track) = restore(saved, at: now)

        let lines = startConditioning(held: restored?.held ?? [], after: predecessor, at: now)
        let player = makePlayer()
        let isOpen = player.open()
        awaitsDevice = isOpen && predecessor?.session.servicesAvailable == false
        let found = loadFirst(or: track, at: place.position)

        inForce = predecessor?.inForce ?? SignalsInForce(restored, under: configuration.session)
        var report = Report(time: now, happening: .boot)
        handle(
            .boot(
                Boot(
                    saved: restored, lines: lines, servicesAvailable: isOpen && !awaitsDevice,
                    trackCount: found.contains(.tracksGone) ? 0 : tracks.count,
                    predecessor: predecessor.map { Boot.Predecessor($0.session) })), &report)
        inheritFaults(of: predecessor, &report)
        handle(found.filter { $0 != .tracksGone }, &report)
        finish(report)
        tellClearedFaults(of: predecessor)
    }

    private func loadState() -> SavedState? {
        do throws(StateError) {
            return try world.loadState()
        } catch {
            complain(of: error)
            return nil
        }
    }

    /// What was saved, in the session's terms, and the track to go on with if it is still there.
    private func restore(_ saved: SavedState?, at now: Duration) -> (SavedSession?, track: Int?) {
        guard let saved else { return (nil, nil) }
        let track = saved.track.flatMap { FormerTrack(path: $0, number: saved.trackNumber).index(in: tracks) }
        // A wall clock that went back says nothing about how long the power was off.
        let elapsed = min(max(.zero, world.wallClock - saved.savedAt), SavedState.longest)
        do throws(StateError) {
            let restored = try SavedSession(saved, track: track, elapsed: elapsed, now: now)
            place = (saved.track, saved.position)
            // No library at all may be one that is not there yet.
            let isPlaceLost = track == nil && !tracks.isEmpty
            continuedFrom = isPlaceLost ? .zero : saved.continuedFrom
            if let path = saved.track, isPlaceLost { pending.append(.placeLost(path)) }
            return (restored, track)
        } catch {
            complain(of: error)
            return (nil, nil)
        }
    }

    private func complain(of error: StateError) {
        pending.append(.stateUnreadable("\(error)"))
        let isDamage = error.isDamage
        do throws(StateError) {
            try world.setStateAside()
        } catch {
            // What cannot even be read often cannot be renamed either.
            if isDamage { pending.append(.stateUnreadable("\(error)")) }
        }
    }

    private func makePlayer() -> any Player {
        let repeats = configuration.session.repeats
        let count = tracks.count
        let player = world.makePlayer(
            tracks: tracks,
            order: TrackOrder(
                successor: { repeats.successor(of: $0, count: count) },
                next: { repeats.neighbour(of: $0, count: count, .forwards) },
                previous: { repeats.neighbour(of: $0, count: count, .backwards) }))
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

    /// The line as it goes on for a successor; nil where it is another one.
    private func conditioner(of signal: SignalID, under policy: LinePolicy, level: Bool?, at now: Duration)
        -> Conditioner?
    {
        guard var line = signals[signal], line.policy.isActiveLow == policy.isActiveLow else { return nil }
        line.adopt(policy, at: now)
        // What it counts as afterwards is what the successor boots with; a loss it finds by itself.
        _ = level.map { line.edge($0, at: now) } ?? line.lost(at: now)
        return line
    }

    // MARK: Ending

    /// Falls silent for good, and saves: the intent stays, so that the next boot goes on. After it nothing else is to be
    /// called but `saveLast`.
    /// - Parameter longest: the fade-out is cut to it.
    public func retire(within longest: Duration) {
        player?.silence(over: min(configuration.playback.fadeOut, longest))
        save(urgently: true)
    }

    /// Saves once more, when the fade-out is over and tells where it began.
    public func saveLast() { save(urgently: true) }

    // MARK: Reloading

    /// Whether another configuration can be taken over while it plays: what has to be made anew for it is the same.
    public func canAdopt(_ other: Configuration) -> Bool {
        // Frames for the longest fade-out are kept from the start.
        other.playback.fadeOut <= configuration.playback.fadeOut && configuration.adopting(other) == other
    }

    /// Takes over what `canAdopt` allows; what is heard follows.
    public func adopt(_ other: Configuration) {
        guard canAdopt(other), let actions = session.adopt(other.session, at: world.now) else { return }
        configuration = other
        signals.adopt(other.lines, at: world.now)
        var report = Report(time: world.now, happening: .reloaded)
        for action in actions { perform(action, &report) }
        finish(report)
    }

    /// A signal's release that takes effect later, as its `ReleaseDelay` runs; nil if there is none.
    public func pendingRelease(of signal: SignalID) -> PendingRelease? { signals[signal]?.pendingRelease }

    /// Saves as it is now, for what the world adds to the state.
    public func saveAgain() { save(urgently: false) }

    // MARK: What comes from outside

    /// A line has this raw level now; nil: it cannot be read any more.
    public func line(_ signal: SignalID, level: Bool?) {
        signals.edge(of: signal, level: level, at: world.now)
        finish(Report(time: world.now, happening: .line(signal, level: level)))
    }

    /// A signal's level as it is after conditioning; for rehearsals.
    public func edge(_ edge: Edge) {
        signals.force(edge, at: world.now)
        take(.edge(edge))
    }

    /// What a user asks for.
    /// - Returns: what it answers.
    @discardableResult
    public func command(_ command: Command) -> Answer {
        var command = command
        if case .seek(let position, let length) = command {
            let limit = Command.longestPosition
            command = .seek(to: min(max(position, .zero - limit), limit), trackLength: length ?? player?.trackLength)
        }
        return take(.command(command)).answer ?? .success
    }

    public func deviceLost() { take(.deviceLost) }
    public func deviceReset() { take(.deviceReset) }
    public func configurationChanged() { take(.configurationChanged) }
    public func routeLost() { take(.routeLost) }
    public func routeBack() { take(.routeBack) }

    /// The system was asleep until now: the lines are read again before anything is heard.
    /// - Parameter changes: what became of the device meanwhile: losses and returns of it and of the route, and a changed
    ///   configuration.
    public func wake(after changes: [Happening] = []) {
        let edges = signals.wake(world.readLines(), at: world.now)
        hasJustAwoken = true
        defer { hasJustAwoken = false }
        var report = Report(time: world.now, happening: .awoke(edges))
        for change in changes { change.event.map { handle($0, &report) } }
        handle(.awoke(edges), &report)
        if session.directive != .silent, let heard = player?.playhead?.position, heard != continuedFrom {
            continuedFrom = heard
            save(urgently: false)
        }
        finish(report)
    }

    // MARK: What happens by itself

    /// When `step` has something to do at the latest; nil when nothing is due.
    public var deadline: Duration? {
        if !pending.isEmpty || !signals.isSettled { return world.now }
        return [signals.deadline, session.deadline, checkpoint, searchDeadline].compactMap { $0 }.min()
    }

    /// Handles one thing that has happened by itself by now.
    /// - Returns: whether there was one.
    public func step() -> Bool {
        collectPlaybackEvents()
        let now = world.now
        // Where edges wait, what is due was read with them.
        if pending.isEmpty || !signals.isSettled { signals.settle(by: now) }
        let happening =
            signals.next() ?? session.elapsed(by: now).map(Happening.delayElapsed)
            ?? (pending.isEmpty ? nil : pending.removeFirst())
        if let happening {
            take(happening)
            return true
        }
        if let searchDeadline, searchDeadline <= now {
            self.searchDeadline = nil
            isSearchLate = true
            take(.trackDelayed)
            return true
        }
        if let checkpoint, checkpoint <= now { save(urgently: false) }
        return false
    }

    private func collectPlaybackEvents() {
        let found = collectAnswers()
        pending += found
    }

    /// Takes what the player reports; events wait for their turn.
    /// - Returns: what follows from a search that is over.
    func collectAnswers() -> [Happening] {
        var found: [Happening] = []
        for event in player?.takeEvents() ?? [] {
            switch event {
            case .trackAdvanced(let track): pending.append(.trackEnded(next: track))
            // A list that repeats ends only if none of its tracks can be played.
            case .programmeEnded: pending.append(configuration.session.repeats == .none ? .playlistEnded : .tracksGone)
            case .trackSkipped(let track, let reason):
                pending.append(.trackSkipped(path: tracks[track].path, reason: "\(reason)"))
            // The fade-out is done: its position has not changed since it began, but is saved once more, as a save
            // while it ran may have been the last word of a power supply.
            case .faded: save(urgently: false)
            case .loaded(let track): found += conclude(found: track)
            case .nothingToLoad: found += conclude(found: nil)
            case .deviceLost: pending += [.noticed(event), .deviceLost]
            case .deviceReset: pending.append(.deviceReset)
            case .configurationChanged: pending.append(.configurationChanged)
            case .deviceOpened, .deviceClosed, .underrun, .storageStarved, .storageRecovered, .storageLost,
                .storageBack, .effect, .notRealTime:
                pending.append(.noticed(event))
            }
        }
        return found
    }

    // MARK: The session

    @discardableResult
    private func take(_ happening: Happening) -> Report {
        var report = Report(time: world.now, happening: happening)
        switch happening {
        case .command: lookForTracksAgain(&report)
        // Another track, or the same one again, from its start.
        case .trackEnded, .playlistEnded: continuedFrom = .zero
        case .trackFound(let track) where track != session.track: continuedFrom = .zero
        default: break
        }
        let before = session.track
        if let event = happening.event { handle(event, &report) }
        // A track that repeats changes nothing in the session, but its position is another.
        if case .trackEnded(let next) = happening, next == before { save(urgently: false) }
        finish(report)
        if case .noticed(let event) = happening { follow(event) }
        return report
    }

    func handle(_ event: Event, _ report: inout Report) {
        for action in session.handle(event, at: world.now) { perform(action, &report) }
    }

    func save(urgently: Bool) {
        // Looking for anything that can be played is no place.
        if session.track != nil, search?.isForPlace ?? true, let playhead = player?.playhead {
            place = (tracks[playhead.track].path, playhead.position)
        }
        let state = SavedState(
            session.saved, at: world.now, wallClock: world.wallClock, track: place.track,
            position: resumePosition(from: place.position), continuedFrom: continuedFrom, shuffleSeed: shuffleSeed)
        world.save(state, urgently: urgently)
        checkpoint = session.directive == .silent ? nil : world.now + configuration.state.interval
    }

    func finish(_ report: Report) {
        if session.directive == .silent {
            checkpoint = nil
        } else if checkpoint == nil {
            checkpoint = world.now + configuration.state.interval
        }
        let before = inForce
        inForce = SignalsInForce(session)
        // What outlasts its signals by a `ResumeDelay` is still theirs.
        if session.isInterrupted, inForce.blocking.isEmpty { inForce.blocking = before.blocking }
        if session.duckLevel != nil, inForce.ducking.isEmpty { inForce.ducking = before.ducking }
        var report = report
        report.over = before.subtracting(inForce)
        report.begun = inForce.subtracting(before)
        world.report(report)
    }
}
