import AudioSession
import Configuration
import Playback
import ResumeStore
import Signals

/// Starts a supervisor. If it replaces a retired supervisor of the same process, followers still receive the end of
/// everything that they have seen begin.
extension Supervisor {
    mutating func start(_ facts: StartingFacts) {
        let predecessor = facts.predecessor
        let saved = loaded(facts.state)
        list.open(saved, configuration, newSeed: facts.shuffleSeed)
        list.idle = IdleTimer(after: predecessor?.list.idle, at: now)
        session = Session(policy: list.modes.policy(configuration))
        let (restored, track) = restore(saved)

        var boot = Boot(saved: restored, trackCount: 0, predecessor: predecessor.map { Boot.Predecessor($0.session) })
        boot.lines = condition(
            levels(facts.levels, facts.arrivals.contains), held: restored?.held ?? [], after: predecessor)
        boot.arrivals = facts.arrivals
        boot.players = facts.players
        boot.touchedPlayers = facts.touchedPlayers
        boot.assumedPlayers = facts.assumedPlayers
        // The sounds are inherited before the player reports on them.
        if let predecessor {
            let (files, former) = (configuration.sounds, predecessor.configuration.sounds)
            sounds.inherit(predecessor.sounds) { files[$0]?.file == former[$0]?.file }
        }
        outputs = DrivenOutputs(configuration, after: predecessor?.outputs, isHealthy: facts.isHealthy)
        agenda.add(.effect(.openPlayer))
        device.isAwaited = facts.isDeviceAvailable && predecessor?.session.servicesAvailable == false
        device.watch.note(facts.audibility)
        boot.servicesAvailable = facts.isDeviceAvailable && !device.isAwaited
        boot.captureAvailable = !session.policy.canRecord || facts.isCaptureAvailable
        lookForFirst(or: track)
        active = predecessor?.active ?? ActiveSignals(restored, under: configuration.session)
        agenda.add(.boot(boot, after: predecessor?.session.faults ?? []))
    }

    /// Boots the session, and reports faults that the lines' conditioners have inherited unless the predecessor has
    /// reported them.
    mutating func begin(_ boot: Boot, after faults: [Fault]) {
        let found = agenda.takeFound().compactMap(\.event)
        let areTracksGone = found.contains(.tracksAvailable(0))
        var boot = boot
        boot.trackCount = areTracksGone ? 0 : tracks.count
        boot.unreadableSounds = soundProblems.filter(\.value.isFault).map(\.key)
        agenda.report = Report(time: now, cause: .event(.boot(boot)))
        if areTracksGone { agenda.report?.foundTracks = 0 }
        give(.boot(boot))
        arrivals = InputArrivals(configuration.inputs, arriving: boot.arrivals, session, at: now)
        for fault in signals.faults where !session.faults.contains(fault) {
            if faults.contains(fault) {
                agenda.add(.event(.fault(fault)))
            } else {
                agenda.pending.append(.event(.fault(fault)))
            }
        }
        for event in found where event != .tracksAvailable(0) { agenda.add(.event(event)) }
        agenda.add(.finish)
        agenda.add(.clearFaults(faults))
    }

    /// Reports the predecessor's faults that have been cleared or whose signal no longer exists.
    mutating func reportCleared(_ faults: [Fault]) {
        for fault in faults where !session.faults.contains(fault) {
            report(.event(fault == .capture ? .captureReturned : .cleared(fault)))
            guard case .sound(let sound) = fault.subject else { continue }
            agenda.pending.removeAll { $0 == .event(.soundReadable(sound, true)) }
        }
    }

    private mutating func loaded(_ state: Result<SavedState?, StateError>) -> SavedState? {
        switch state {
        case .success(let saved): return saved
        case .failure(let error):
            complain(of: error)
            return nil
        }
    }

    mutating func complain(of error: StateError) {
        agenda.pending.append(.note(.stateUnreadable("\(error)")))
        agenda.add(.effect(.setStateAside(error)))
    }

    /// Adds the levels of the signals that pages assert. A page asserts its signals at once.
    func levels(_ levels: LineLevels, _ sounds: (InputID) -> Bool) -> LineLevels {
        var levels = levels
        for signal in configuration.session.signals { signal.input.map { levels.main[signal.id] = sounds($0) } }
        return levels
    }

    /// Starts to condition the lines, or continues where the predecessor's conditioners stopped.
    private mutating func condition(
        _ levels: LineLevels, held: [SavedSession.Held], after predecessor: Supervisor?
    ) -> [SignalID: Boot.Line] {
        var lines: [SignalID: Boot.Line] = [:]
        let conditioners = configuration.session.signals.map { signal in
            let saved = held.first { $0.signal == signal.id }.map(HeldAssertion.init)
            let policy = configuration.lines[signal.id] ?? LinePolicy()
            let (level, complement) = (levels.main[signal.id], levels.complement[signal.id])
            let line =
                predecessor?.conditioner(of: signal.id, under: policy, level, complement, at: now)
                ?? Conditioner(policy: policy, level: level, complement: complement, at: now, held: saved)
            lines[signal.id] =
                switch (line.faults.contains(.lost), line.isAsserted) {
                case (true, true): .assumed
                case (true, false): .unknown
                case (false, true): .asserted
                case (false, false): .deasserted
                }
            return (signal: signal.id, conditioner: line)
        }
        signals = SignalLines(conditioners)
        return lines
    }

    /// Returns the line's conditioner for a successor, or nil if the line is a different one.
    private func conditioner(
        of signal: SignalID, under policy: LinePolicy, _ level: Bool?, _ complement: Bool?, at now: Duration
    ) -> Conditioner? {
        guard var line = signals[signal], line.policy.isActiveLow == policy.isActiveLow,
            line.policy.hasComplement == policy.hasComplement
        else { return nil }
        line.adopt(policy, at: now)
        // The successor boots with the resulting level and detects a loss itself.
        _ = line.level(level, at: now)
        _ = line.level(complement, of: .complement, at: now)
        return line
    }

    /// Carries out what the player's reports require in addition to the session's reaction.
    mutating func followDevice(_ cause: Cause) {
        switch cause {
        case .note(.playback(.routeLost)), .note(.playback(.routeBack)): device.isReplaced = true
        // The playback is rebuilt after the session has decided whether music plays on the other device. If services
        // were lost, their reset rebuilds the playback.
        case .event(.routeLost, _), .event(.routeBack, _):
            if device.isReplaced, session.servicesAvailable { order(.rebuild) }
            device.isReplaced = false
        // If the predecessor had lost the device, its first opening is treated as its return. After another loss, the
        // player reports the return.
        case .note(.playback(.deviceOpened)) where device.isAwaited:
            device.isAwaited = false
            agenda.pending.insert(.event(.mediaServicesReset), at: 0)
        case .note(.playback(.deviceLost)): device.isAwaited = false
        default: break
        }
    }
}
