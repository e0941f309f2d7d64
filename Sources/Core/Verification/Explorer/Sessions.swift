import AudioSession

/// Every session encountered, with its number and its outcome for each event.
///
/// A session is a pure value, so each outcome is computed once. Many states share a session, because the power is off
/// in most of them, and only part of a session's state is saved. If equivalent states are merged, one session represents
/// all equivalent ones, which have exchanged the states of signals that are treated alike, or differ in details.
final class Sessions {
    /// The reaction of a session to an event, in 8 bytes.
    struct Outcome: Equatable {
        var session = ExplorerState.none
        /// The number of the exchange of states that makes the session the one that represents all equivalent ones. See
        /// `exchange(_:)`.
        var exchange: UInt16 = 0
        private var conclusions = UInt8(Observation.interrupted.rawValue << 4)
        private var flags: UInt8 = 0

        init(session: Int32 = ExplorerState.none, exchange: UInt16 = 0) {
            self.session = session
            self.exchange = exchange
        }

        /// The conclusion that an observer draws from the notifications if it previously assumed that no interruption
        /// was in progress.
        var fromQuiet: Observation {
            get { Observation(rawValue: conclusions & 15) ?? .quiet }
            set { conclusions = conclusions & 0xF0 | newValue.rawValue }
        }

        /// The conclusion that the observer draws if it previously assumed that an interruption was in progress.
        var fromInterrupted: Observation {
            get { Observation(rawValue: conclusions >> 4) ?? .interrupted }
            set { conclusions = conclusions & 15 | newValue.rawValue << 4 }
        }

        /// True if the end of an episode recommends resuming, false if it does not, or nil if no episode ends.
        var endResumes: Bool? {
            get { flags & 1 == 0 ? nil : flags & 2 != 0 }
            set { flags = flags & 4 | (newValue.map { $0 ? 3 : 1 } ?? 0) }
        }

        /// True if the state to save changed and the session did not save it.
        var forgetsToSave: Bool {
            get { flags & 4 != 0 }
            set { flags = flags & 3 | (newValue ? 4 : 0) }
        }

        func observation(interrupted: Bool) -> Observation { interrupted ? fromInterrupted : fromQuiet }
    }

    /// The properties of a session that the rules query often.
    struct Summary {
        let directive: Directive
        let intent: Intent
        /// The number of the saved state.
        let saved: Int32
        /// The number of the event that the end of the track causes.
        let trackEnd: Int
        let hasChoice: Bool
        /// The only signal that silences the music, although the intent is playing and the user has not sent a command
        /// during the episode, or nil if there is no such signal.
        let soleCause: Int?
        let isInterrupted: Bool
        let due: DueSound?
        /// The announcements that wait, as in `ExplorerState.Sounds`.
        let waiting: UInt8

        /// True if the due sound can play to its end, because it does not repeat.
        let soundCanEnd: Bool
        let recording: RecordingDirective
        let isMicrophoneMuted: Bool
        let volume: Level
        /// The signals that are in the same state as the nearest signal before them that is treated alike.
        let repeated: SignalSet
    }

    private let policy: Policy
    /// A session before its boot.
    private let new: Session
    private let behaviour: SessionBehaviour
    private let alphabet: Alphabet
    /// The number of outcomes of each session, which is the number of events times the number of times.
    private let outcomesPerSession: Int
    private let times: Int
    /// For each event, its place among the outcomes of a session.
    private let columns: [Int]
    /// True if recording is explored.
    private let records: Bool
    /// The signals that are treated alike, or nil if equivalent sessions are kept apart.
    private let symmetry: SignalSymmetry?
    private var exchanges: [[Int]] = [[]]
    private var numbersOfExchanges: [[Int]: UInt16] = [:]
    private var known = Catalogue<Session>()
    private var summaries = Pages<Summary>()
    private var outcomes = Pages<Outcome>()
    /// The environment in which each session was checked last, or `UInt64.max` if it has not been checked.
    private var checks = Pages<UInt64>()
    private var saves = Catalogue<SavedSession>()
    private var heldBySave = Pages<(held: SignalSet, repeated: SignalSet)>()
    private var boots = Catalogue<BootKey>()
    /// The outcomes of `boots`.
    private var bootOutcomes = Pages<Outcome>()
    /// The lines that a boot reads, by the set of asserted ones.
    private var levels: [SignalSet: [SignalID: Boot.Line]] = [:]

    /// Everything that determines the outcome of a boot.
    private struct BootKey: Numerable {
        let saved: Int32
        let asserted: SignalSet
        let deviceIsAvailable: Bool
        let late: Bool

        var fingerprint: Int {
            var bits = UInt64(UInt32(bitPattern: saved)) << 18 | UInt64(asserted.rawValue) << 2
            if deviceIsAvailable { bits |= 1 }
            if late { bits |= 2 }
            let mixed = bits.multipliedFullWidth(by: 0x9E37_79B9_7F4A_7C15)
            return Int(truncatingIfNeeded: mixed.high ^ mixed.low)
        }
    }

    /// Creates an empty catalogue of sessions.
    /// - Parameters:
    ///   - hasTime: true if time can pass (`ExplorerState.late`).
    ///   - records: true if the device is the capture device.
    ///   - symmetry: the signals that are treated alike, or nil if equivalent sessions are kept apart.
    ///   - isPossible: returns true if an event can happen. Outcomes of the others must not be queried.
    init(
        _ policy: Policy, _ behaviour: SessionBehaviour, _ alphabet: Alphabet, hasTime: Bool, records: Bool,
        symmetry: SignalSymmetry?, isPossible: (_ event: Int) -> Bool
    ) {
        self.symmetry = symmetry
        self.policy = policy
        new = Session(policy: policy)
        self.behaviour = behaviour
        self.alphabet = alphabet
        times = hasTime ? 2 : 1
        self.records = records
        // The events that are never passed to `outcome` share a column.
        var (columns, count) = (Array(repeating: 0, count: alphabet.events.count), 1)
        for event in alphabet.events.indices where isPossible(event) {
            columns[event] = count
            count += 1
        }
        self.columns = columns
        outcomesPerSession = count * times
    }

    subscript(_ session: Int32) -> Summary {
        _read { yield summaries[Int(session)] }
    }

    /// Returns the signals that are asserted in a saved state.
    func held(_ saved: Int32) -> SignalSet { saved == ExplorerState.none ? [] : heldBySave[Int(saved)].held }

    /// Returns the signals that are in the same state as the nearest signal before them that is treated alike, in a
    /// state with power or, if it has none, in its saved state.
    func repeated(_ state: ExplorerState) -> SignalSet {
        guard let symmetry else { return [] }
        if state.isOn { return self[state.session].repeated }
        return state.lastSaved == ExplorerState.none ? symmetry.followers : heldBySave[Int(state.lastSaved)].repeated
    }

    /// Returns the session with a number.
    func session(_ number: Int32) -> Session { known[number] }

    /// Returns an exchange of states. It contains for each signal the one whose state it receives, or nothing if the
    /// states stay where they are.
    func exchange(_ number: UInt16) -> [Int] { exchanges[Int(number)] }

    /// Returns true if a saved state wants recording, or nil if it does not contain this.
    func wantsRecording(_ saved: Int32) -> Bool? {
        saved == ExplorerState.none ? nil : saves[saved].wantsRecording
    }

    /// Returns the outcome of a session for an event.
    ///
    /// - Precondition: The event is possible.
    func outcome(_ session: Int32, _ event: Int, late: Bool) -> Outcome {
        let index = Int(session) * outcomesPerSession + columns[event] * times + (late ? 1 : 0)
        if outcomes[index].session != ExplorerState.none { return outcomes[index] }
        var successor = known[session]
        var outcome = react(&successor, to: event, late: late, since: known[session])
        (outcome.session, outcome.exchange) = represent(&successor)
        outcomes[index] = outcome
        return outcome
    }

    /// Delivers an event to a session. The outcome does not contain the session that represents the result.
    private func react(_ session: inout Session, to event: Int, late: Bool, since before: Session) -> Outcome {
        let actions = behaviour.handle(&session, alphabet.events[event], Sessions.now(late: late))
        var outcome = Outcome()
        for case .post(let notification) in actions {
            outcome.fromQuiet.observe(notification)
            outcome.fromInterrupted.observe(notification)
            if case .ended(let options) = notification { outcome.endResumes = options.contains(.shouldResume) }
        }
        // Most events that are not saved change nothing.
        outcome.forgetsToSave = session != before && forgetsToSave(session, since: before.saved, actions)
        return outcome
    }

    /// Returns true if a signal whose line chatters is equivalent to an asserted signal, and after the chatter to a
    /// signal with the level that its line then has.
    func ignoresChatter(of signal: Int, isAsserted: Bool, _ session: Int32, late: Bool) -> Bool {
        func react(_ session: inout Session, to event: Int, late: Bool) -> Outcome {
            let before = session
            var outcome = self.react(&session, to: event, late: late, since: before)
            (outcome.session, outcome.exchange) = representative(of: session)
            return outcome
        }
        var (chattering, plain) = (known[session], known[session])
        let begin = react(&chattering, to: alphabet.chatter(signal), late: late)
        var expected = Outcome(session: session)
        if !isAsserted { expected = react(&plain, to: alphabet.edge(signal, asserted: true), late: late) }
        guard begin == expected else { return false }
        let quiet = react(&chattering, to: alphabet.quiet(signal), late: late)
        guard quiet == Outcome(session: begin.session, exchange: begin.exchange) else { return false }
        let deassertion = alphabet.edge(signal, asserted: false)
        return react(&chattering, to: deassertion, late: late) == react(&plain, to: deassertion, late: late)
    }

    /// Records that a session was checked in an environment, which consists of everything but the session that
    /// determines the result of the checks.
    ///
    /// - Returns: false if its last check was in the same environment.
    func noteCheck(of session: Int32, in environment: UInt64) -> Bool {
        guard checks[Int(session)] != environment else { return false }
        checks[Int(session)] = environment
        return true
    }

    /// Returns the outcome of a boot from a saved state. A notification of an end is correct only if the observer
    /// assumed that an interruption was in progress. A notification of a beginning is always correct, because it may
    /// repeat the one of the saved episode.
    func boot(_ saved: Int32, asserted: SignalSet, deviceIsAvailable: Bool, late: Bool) -> Outcome {
        let key = BootKey(saved: saved, asserted: asserted, deviceIsAvailable: deviceIsAvailable, late: late)
        let (number, isNew) = boots.number(of: key)
        guard isNew else { return bootOutcomes[Int(number)] }
        let boot = Boot(
            saved: saved == ExplorerState.none ? nil : saves[saved], lines: levels(asserted),
            servicesAvailable: deviceIsAvailable || records, captureAvailable: deviceIsAvailable || !records,
            trackCount: Explorer.trackCount)
        var session = new
        let actions = behaviour.handle(&session, .boot(boot), Sessions.now(late: late))
        var outcome = Outcome()
        outcome.forgetsToSave = forgetsToSave(
            session, since: saved == ExplorerState.none ? nil : saves[saved], actions)
        (outcome.session, outcome.exchange) = represent(&session)
        for case .post(let notification) in actions {
            switch notification {
            case .began:
                if outcome.fromQuiet != .endedWithoutBegin { outcome.fromQuiet = .interrupted }
                outcome.fromInterrupted = .interrupted
            case .ended(let options):
                outcome.endResumes = options.contains(.shouldResume)
                outcome.fromQuiet = .endedWithoutBegin
                outcome.fromInterrupted = .quiet
            default: break
            }
        }
        bootOutcomes.append(outcome)
        return outcome
    }

    private func forgetsToSave(
        _ session: Session, since saved: @autoclosure () -> SavedSession?, _ actions: [Action]
    ) -> Bool {
        guard !actions.contains(where: { if case .save = $0 { true } else { false } }) else { return false }
        return session.saved != saved()
    }

    /// Returns the end of a sequence of events. It is not replaced by an equivalent session.
    func end(of events: [Int], from session: Int32, late: Bool) -> Session {
        var session = known[session]
        for event in events { _ = behaviour.handle(&session, alphabet.events[event], Sessions.now(late: late)) }
        return session
    }

    private func levels(_ asserted: SignalSet) -> [SignalID: Boot.Line] {
        if let known = levels[asserted] { return known }
        let pairs = policy.signals.enumerated().map { ($1.id, asserted[$0] ? Boot.Line.asserted : .deasserted) }
        levels[asserted] = Dictionary(uniqueKeysWithValues: pairs)
        return levels[asserted] ?? [:]
    }

    /// Returns one of two times that are further apart than any `ResumeWithin`.
    private static func now(late: Bool) -> Duration { late ? .seconds(1_000_000_000_000) : .zero }

    // MARK: Numbers

    /// Returns the session that represents all equivalent ones, and the exchange of states that leads to it.
    func representative(of session: Session) -> (session: Int32, exchange: UInt16) {
        var session = session
        return represent(&session)
    }

    /// Replaces a session by the one that represents all equivalent ones.
    private func represent(_ session: inout Session) -> (session: Int32, exchange: UInt16) {
        guard let symmetry else { return (number(of: session), 0) }
        session.forgetDetails()
        let exchange = session.sortSignals(alike: symmetry.before).map(number) ?? 0
        return (number(of: session), exchange)
    }

    private func number(of exchange: [Int]) -> UInt16 {
        if let known = numbersOfExchanges[exchange] { return known }
        let number = UInt16(exchanges.count)
        exchanges.append(exchange)
        numbersOfExchanges[exchange] = number
        return number
    }

    private func number(of session: Session) -> Int32 {
        let (number, isNew) = known.number(of: session)
        guard isNew else { return number }
        summaries.append(summary(session))
        checks.append(.max)
        outcomes.append(Outcome(), count: outcomesPerSession)
        return number
    }

    private func repeated(_ isEqual: (_ signal: Int, _ before: Int) -> Bool) -> SignalSet {
        guard let symmetry else { return [] }
        return SignalSet(symmetry.before.indices.map { $0 }) { signal in
            symmetry.followers[signal] && isEqual(signal, symmetry.before[signal])
        }
    }

    private func number(of saved: SavedSession) -> Int32 {
        var saved = saved
        if symmetry != nil { saved.forgetDetails() }
        let (number, isNew) = saves.number(of: saved)
        guard isNew else { return number }
        let held = policy.signals.map { signal in saved.held.first { $0.signal == signal.id } }
        let repeated = repeated { signal, before in
            held[signal]?.standing == held[before]?.standing && held[signal]?.began == held[before]?.began
                && held[signal]?.isStuck == held[before]?.isStuck
        }
        heldBySave.append((SignalSet(held) { $0 != nil }, repeated))
        return number
    }

    private func summary(_ session: Session) -> Summary {
        let blocking = session.blocking
        let due = session.dueSound
        let isSole =
            blocking.count == 1 && session.intent == .playing && session.episode.map { $0.lastCommand == nil } ?? false
        let successor = session.track.flatMap { policy.repeats.successor(of: $0, count: Explorer.trackCount) }
        return Summary(
            directive: session.directive, intent: session.intent, saved: number(of: session.saved),
            trackEnd: session.choice.map(alphabet.end) ?? successor.map(alphabet.trackBegan) ?? alphabet.playbackEnded,
            hasChoice: session.choice != nil,
            soleCause: isSole ? policy.signals.firstIndex { $0.id == blocking[0] } : nil,
            isInterrupted: session.isInterrupted, due: due,
            waiting: session.waitingAnnouncements.reduce(0) { $0 | 1 << UInt8($1) },
            soundCanEnd: due.map { due in
                due.isAnnouncement || !policy.sounds.contains { $0.id == due.sound && $0.repeats }
            } ?? false, recording: session.recordingDirective, isMicrophoneMuted: session.isMicrophoneMuted,
            volume: session.volume, repeated: repeated(session.hasEqualStates))
    }
}
