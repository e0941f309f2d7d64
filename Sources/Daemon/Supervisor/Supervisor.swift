import ALSA
import AudioSession
import Configuration
import Playback
import ResumeStore
import Signals

/// The state machine around the session. It translates inputs into the session's events, and the session's actions into
/// effects. It contains neither policy nor a clock, and does not refer to anything outside.
///
/// A shell passes each input to `take` and then carries out the effects one at a time:
///
///     supervisor.take(.command(.play), at: moment)
///     while let effect = supervisor.next(player.state) { carryOut(effect) }
///
/// The supervisor's next step may depend on how the player responds to an order. Therefore, the shell must carry out
/// each effect before it asks for the next one. An input that comes while effects are carried out, for example in
/// response to one, is handled before the remaining effects.
public struct Supervisor: Sendable {
    public internal(set) var configuration: Configuration
    public internal(set) var session: Session
    var list: PlayList
    var signals = SignalLines()
    var arrivals = InputArrivals()
    /// The search in progress.
    var place = SavedPlace()
    var ramp = MusicRamp()
    var outputs = DrivenOutputs()
    var sounds = SoundTable()
    var device = DeviceExchange()
    /// The active signals at the last report. Before the first report, these are the saved or inherited ones.
    var active = ActiveSignals()
    var agenda = Agenda()

    /// The state of the player's device that the session does not need.
    struct DeviceExchange {
        /// True if the player has replaced the device and waits for the session to handle that.
        var isReplaced = false
        /// True if the device is still treated as lost, as it was by the predecessor, until the player reports on it.
        var isAwaited = false
        var watch = OutputWatch()
    }

    /// - Parameters:
    ///   - tracks: The library's tracks in their order.
    ///   - chosen: The tracks of the choice in the saved state, which are empty if there is none or if nothing of it can
    ///     be read.
    public init(configuration: Configuration, tracks: [Track], chosen: [Track] = []) {
        self.configuration = configuration
        list = PlayList(tracks, chosen: chosen)
        session = Session(policy: configuration.session)
    }

    /// The time of the input that is being handled.
    var now: Duration { agenda.moment.time }

    /// Whether the device in use can be heard, as last reported.
    public var audibility: DeviceAudibility { device.watch.audibility }

    // MARK: Inputs

    /// Accepts an input. Calls to `next` return its effects.
    public mutating func take(_ input: Input, at moment: Moment) {
        agenda.moment = moment
        if input.isCommand { list.idle.restart(at: now) }
        switch input {
        case .boot(let facts): start(facts)
        case .time: lookForDue()
        case .line(let signal, let contact, let level):
            signals.level(level, of: signal, contact, at: now)
            report(.note(.line(signal, contact, level: level)))
        case .arrival(let input, let arrives, let time):
            arrivals.arrival(arrives, at: input, now: min(time, now))
            report(.note(.arrival(input, arrives)))
        case .output(let audibility): handle(.note(.playback(.audibilityChanged(audibility))))
        case .edge(let edge):
            signals.force(edge, at: now)
            handle(.event(.edge(edge)))
        case .event(let event): handle(.event(event))
        case .playerOutcome(let player, let report): agenda.add(.event(.playerFound(player, report)))
        // A button or a scenario does not number its announcements.
        case .command(.announce(let announcement), _) where announcement.id == 0: announce(announcement, clip: nil)
        case .command(let command, let hasWithdrawn):
            handle(.event(.command(command), hasWithdrawn ? .announcementsWithdrawn : nil))
        case .announce(let announcement, let clip): announce(announcement, clip: clip)
        case .reject(let announcement, let answer, let file):
            var report = Report(time: now, cause: .event(.command(.announce(announcement))))
            report.answer = answer
            report.file = file
            agenda.add(.report(report))
        case .choose(let request, let tracks):
            handle(.event(.command(.choose(list.choose(request, tracks)))))
        case .refuse(let request, let answer, let problem):
            let choice = Choice(request, tracks: 0..<0)
            var report = Report(time: now, cause: .event(.command(.choose(choice)), .unreadable(reason: problem)))
            report.answer = answer
            agenda.add(.report(report))
        case .idle(let request, let tracks, let problem):
            guard list.idle.endSearch(found: problem == nil, session, hasInput: arrivals.hasSound) else { return }
            if let problem {
                report(.event(.idle(Choice(request, tracks: 0..<0)), .unreadable(reason: problem)))
            } else {
                handle(.event(.idle(list.choose(request, tracks))))
            }
        case .events(let events): for event in events { follow(event) }
        case .wake(let since, let levels, let changes):
            ramp.wake(after: now - since)
            let levels = self.levels(levels, arrivals.isSounding)
            handle(.event(.awoke(signals.wake(levels, at: now), devices: changes)))
        case .health(let isGood):
            guard isGood != outputs.isHealthy else { return }
            outputs.isHealthy = isGood
            agenda.add(.healthChanged)
        case .tracksMayHaveReturned:
            agenda.report = Report(time: now, cause: .note(.tracksSought))
            lookForTracksAgain()
            agenda.add(.finish)
        case .library(let isPending): list.isAwaited = isPending
        case .configuration(let other):
            if canAdopt(other) { adopt(other) }
        case .prefersNoInterruptionsFromSystemAlerts(let isPreferred):
            configuration.session.prefersNoInterruptionsFromSystemAlerts = isPreferred
            adoptPolicy(because: .preferenceChanged)
        case .modes(let repeats, let shuffle):
            guard list.setModes(repeats: repeats, shuffle: shuffle, configuration) else { return }
            agenda.add(.save(urgently: true))
            agenda.add(.effect(.renewList))
        case .save(let urgently): agenda.add(.save(urgently: urgently))
        case .stateNotSetAside(let error, let reason):
            // A file that cannot be read often cannot be renamed either.
            if reason.isDamage { agenda.pending.append(.note(.stateUnreadable("\(error)"))) }
        case .retire(let longest):
            order(.stopSound)
            order(.silence(over: min(configuration.playback.fadeOut, longest)))
            agenda.add(.save(urgently: true))
        }
    }

    // MARK: Effects

    /// Returns the next effect to carry out, or nil if there is nothing left to do.
    /// - Parameter player: The player's state after all effects so far. Most steps do not need it.
    public mutating func next(_ player: @autoclosure () -> PlayerState) -> Effect? {
        while let step = agenda.next() {
            switch step {
            case .effect(let effect): return effect
            case .begin(let report): begin(report, player())
            case .handle: handleCause()
            case .event(let event): handle(found: event)
            case .found: for cause in agenda.takeFound() { cause.event.map { agenda.add(.event($0)) } }
            case .action(let action): perform(action, player())
            case .save(let urgently): save(urgently: urgently, player())
            case .conclude: conclude(player())
            case .finish: finish(player())
            case .report(let report):
                agenda.report = report
                finish(player())
            case .due: handleDue()
            case .healthChanged: reportHealth(player())
            case .boot(let boot, let faults): begin(boot, after: faults)
            case .clearFaults(let faults): reportCleared(faults)
            }
        }
        return nil
    }

    mutating func order(_ order: PlayerOrder) { agenda.add(.effect(.player(order))) }

    // MARK: Causes

    /// Handles a cause and reports it.
    mutating func handle(_ cause: Cause, file: AnnouncedFile? = nil) {
        var report = Report(time: now, cause: cause)
        report.file = file
        agenda.add(.begin(report))
    }

    /// Reports a cause that has no consequences for the session.
    mutating func report(_ cause: Cause) { agenda.add(.report(Report(time: now, cause: cause))) }

    private mutating func begin(_ report: Report, _ player: PlayerState) {
        agenda.report = report
        if case .command(let command) = report.event {
            if case .seek(let position, let length) = command {
                let limit = Command.longestPosition
                // A position beyond an estimated length may still be inside the track.
                let seek = Command.seek(
                    to: min(max(position, .zero - limit), limit), trackLength: length ?? player.certainTrackLength)
                agenda.report?.cause = .event(.command(seek), report.note)
            }
            // The user may have just fixed the library.
            lookForTracksAgain()
        }
        agenda.add(.handle)
    }

    private mutating func handleCause() {
        guard let cause = agenda.report?.cause else { return }
        var repeatsTrack = false
        switch cause {
        case .event(.trackBegan(let track), .trackFound?) where track == session.track: break
        case .event(.trackBegan(let track), nil):
            // Another track begins at its start, or the same one begins again. In the latter case only the position
            // changes, and the session does not request a save.
            place.continuedFrom = .zero
            repeatsTrack = track == session.track
        case .event(.trackBegan, _): place.continuedFrom = .zero
        case .note(.playback(let event)): noteAudibility(event)
        case .event(.playbackEnded, _):
            place.continuedFrom = .zero
            if session.choice == nil { list.drawAgain() }
        default: break
        }
        if let event = cause.event { give(event) }
        agenda.add(.conclude)
        if repeatsTrack { agenda.add(.save(urgently: false)) }
        agenda.add(.finish)
    }

    /// Handles a result that becomes known while an event is handled, as part of that event.
    private mutating func handle(found event: Event) {
        switch event {
        case .trackBegan(let track) where track == session.track: return
        case .tracksAvailable(let count): agenda.report?.foundTracks = count
        case .playbackEnded: list.drawAgain()
        default: break
        }
        give(event)
    }

    /// Passes an event to the session.
    mutating func give(_ event: Event) {
        switch event {
        case .inputBegan, .inputCeased: list.idle.restart(at: now)
        default: break
        }
        let actions = session.handle(event, at: now)
        arrivals.hold(session.heldInputs, at: now)
        prepareOutputs()
        for action in actions { agenda.add(.action(action)) }
    }

    /// Determines what follows after the session's actions have been carried out.
    private mutating func conclude(_ player: PlayerState) {
        switch agenda.report?.cause {
        case .event(.command(.hush), .announcementsWithdrawn?): agenda.report?.answer = .success
        case .event(.command(.announce(var announcement)), let note)
        where !session.soundRequests.contains(.announcement(announcement.id)):
            // The request was ignored, or another announcement has begun again in its place.
            announcement.id = session.pendingAnnouncement(of: announcement.sound) ?? 0
            agenda.report?.cause = .event(.command(.announce(announcement)), note)
        case .event(.command(.play), _), .event(.command(.playPause), _):
            if list.isAwaited, tracks.isEmpty, agenda.report?.answer == .noActionableNowPlayingItem {
                agenda.report?.answer = .deferred
            }
        // The end of playback was not a fade-out.
        case .event(.playbackEnded, _): ramp.fallEnd = .zero
        case .event(.awoke, _):
            guard session.isLibraryPlaying, let heard = player.playhead?.position, heard != place.continuedFrom
            else { break }
            place.continuedFrom = heard
            agenda.add(.save(urgently: false))
        default: break
        }
    }

    /// Completes the report after all consequences have been carried out.
    private mutating func finish(_ player: PlayerState) {
        guard var report = agenda.report else { return }
        agenda.report = nil
        device.watch.follow(isNeeded: session.directive != .silent || session.dueSound != nil, at: now)
        settleOutputs(player)
        sounds.releaseEnded(session)
        if !session.isLibraryPlaying {
            place.checkpoint = nil
        } else if place.checkpoint == nil {
            place.checkpoint = now + configuration.state.interval
        }
        let before = active
        active = ActiveSignals(session)
        // During a `ResumeDelay`, the episode or duck still belongs to its signals.
        if session.isInterrupted, active.blocking.isEmpty { active.blocking = before.blocking }
        if session.duckLevel != nil, active.ducking.isEmpty { active.ducking = before.ducking }
        report.over = before.subtracting(active)
        report.begun = active.subtracting(before)
        agenda.add(.effect(.report(report)))
        followDevice(report.cause)
    }

    private mutating func save(urgently: Bool, _ player: PlayerState) {
        // A search for any playable track does not have a position worth saving.
        if session.track != nil, list.search?.isForPlace ?? true, let playhead = player.playhead {
            place.track = tracks[playhead.track].path
            place.position = playhead.position
        }
        var state = SavedState(
            session.saved, at: now, wallClock: agenda.moment.wallClock, track: place.track,
            position: resumePosition(from: place.position), continuedFrom: place.continuedFrom,
            shuffleSeed: list.shuffleSeed)
        if let choice = session.choice {
            state.save(choice, left: list.left, track: session.saved.track)
        } else if let unresolved = list.unresolved {
            (state.choice, state.trackNumber) = (unresolved.choice, unresolved.index)
        }
        list.modes.save(in: &state, configuration)
        agenda.add(.effect(.save(state, urgently: urgently)))
        place.checkpoint = session.isLibraryPlaying ? now + configuration.state.interval : nil
    }

    // MARK: Time

    /// The latest time for the next input `time`, or nil if nothing is due.
    public var deadline: Duration? {
        if !agenda.pending.isEmpty || sounds.playing?.outcome != nil || !signals.isSettled { return now }
        return [
            signals.deadline, session.deadline, arrivals.deadline, outputs.machine.deadline, place.checkpoint,
            list.search?.deadline, idleDeadline, device.watch.deadline(at: now),
        ]
        .compactMap { $0 }.min()
    }

    private var idleDeadline: Duration? {
        list.idle.deadline(after: configuration.playback.idleAfter, session, hasInput: arrivals.hasSound)
    }

    private mutating func lookForDue() {
        agenda.add(.effect(.takeEvents))
        agenda.add(.due)
    }

    /// Handles the next thing that is due, and looks for another.
    private mutating func handleDue() {
        agenda.pending += agenda.takeFound()
        // If outcomes are pending, everything that is due was read with them.
        if agenda.pending.isEmpty || !signals.isSettled { signals.settle(by: now) }
        if let cause = nextCause() {
            handle(cause)
        } else if let deadline = list.search?.deadline, deadline <= now {
            list.search?.deadline = nil
            handle(.note(.trackDelayed))
        } else if let idleDeadline, idleDeadline <= now, let request = configuration.playback.idleRequest {
            list.idle.beginSearch()
            agenda.add(.effect(.findIdleTracks(request)))
        } else {
            if let checkpoint = place.checkpoint, checkpoint <= now { agenda.add(.save(urgently: false)) }
            return
        }
        lookForDue()
    }

    private mutating func nextCause() -> Cause? {
        if let event = signals.next() ?? device.watch.next(by: now) ?? session.playerFault(by: now) {
            return .event(event)
        }
        if let end = session.elapsed(by: now) { return .event(.delayElapsed(end)) }
        if let event = arrivals.next(by: now) {
            notePage(event)
            return .event(event)
        }
        if let ended = sounds.takeEnded() { return ended }
        if let sound = session.expiredAnnouncement(by: now) { return .event(.announcementExpired, .sound(sound)) }
        if !agenda.pending.isEmpty { return agenda.pending.removeFirst() }
        return outputs.machine.elapse(by: now).map { .note(.output($0, asserted: false)) }
    }

    /// Informs the conditioners of signals that a page asserts or deasserts with this event.
    private mutating func notePage(_ event: Event) {
        for signal in session.policy.signals {
            switch event {
            case .inputBegan(signal.input): signals.force(Edge(signal.id, asserted: true), at: now)
            case .inputCeased(signal.input): signals.force(Edge(signal.id, asserted: false), at: now)
            default: break
            }
        }
    }

    // MARK: Configuration

    /// Returns true if another configuration can be adopted while music plays because nothing has to be rebuilt for it.
    public func canAdopt(_ other: Configuration) -> Bool {
        // The number of frames kept for the fade-out is fixed at the start. It also suffices when an interruption
        // continues the remaining duck to `mute`, because the engine shortens a longer fade.
        other.playback.fadeOut <= configuration.playback.fadeOut && configuration.canAdopt(other)
    }

    private mutating func adopt(_ other: Configuration) {
        configuration = other
        signals.adopt(other.lines, at: now)
        arrivals.adopt(other.inputs)
        outputs.machine.adopt(other.outputs.map(\.policy))
        if !other.sounds.isEmpty { order(.readSounds) }
        adoptPolicy(because: .reloaded)
    }

    private mutating func adoptPolicy(because note: Note) {
        guard let actions = session.adopt(list.modes.policy(configuration), at: now) else { return }
        agenda.report = Report(time: now, cause: .note(note))
        prepareOutputs()
        for action in actions { agenda.add(.action(action)) }
        agenda.add(.finish)
    }

    /// Returns the release of a signal that `ReleaseDelay` still delays, or nil if there is none.
    public func pendingRelease(of signal: SignalID) -> PendingRelease? { signals[signal]?.pendingRelease }
}
