import AudioSession

/// Every session that was met, with a number; and what each does at each event.
///
/// A session is a pure value, so it is asked once, and many worlds have the same one: the power is off in most of them,
/// and what is saved is a part of what a session knows.
final class Sessions {
    /// What becomes of a session.
    struct Outcome {
        var session = World.none
        /// What an observer thinks afterwards, who thought that nothing interrupts …
        var fromQuiet = Observation.quiet
        /// … or that something does.
        var fromInterrupted = Observation.interrupted
        /// Whether the end of an episode recommends resuming; nil if none ends.
        var endResumes: Bool?
        /// Whether the state that a boot starts from changed, and the session did not save it.
        var forgetsToSave = false

        func observation(interrupted: Bool) -> Observation { interrupted ? fromInterrupted : fromQuiet }
    }

    /// What the rules ask of a session again and again.
    struct Portrait {
        let directive: Directive
        let intent: Intent
        /// The number of what it saves.
        let saved: Int32
        /// The number of the event when its track ends.
        let trackEnd: Int
        /// The one signal that silences it, of an episode in which the user has said nothing, and would hear something
        /// otherwise.
        let soleCause: Int?
        let isInterrupted: Bool
    }

    private let policy: Policy
    private let subject: Subject
    private let alphabet: Alphabet
    /// Of how many outcomes a session has room: for each event, at either time, if there are two.
    private let room: Int
    private let times: Int
    private var known = Catalogue<Session>()
    private var portraits: [Portrait] = []
    private var outcomes: [Outcome] = []
    private var saves = Catalogue<SavedSession>()
    private var heldBySave: [SignalSet] = []
    private var boots: [BootKey: Outcome] = [:]
    /// What a boot reads, for each set of asserted lines.
    private var levels: [SignalSet: [SignalID: Boot.Line]] = [:]

    private struct BootKey: Hashable {
        let saved: Int32
        let asserted: SignalSet
        let flags: UInt16
    }

    /// - Parameter hasTime: whether it can become late.
    init(_ policy: Policy, _ subject: Subject, _ alphabet: Alphabet, hasTime: Bool) {
        self.policy = policy
        self.subject = subject
        self.alphabet = alphabet
        times = hasTime ? 2 : 1
        room = alphabet.events.count * times
    }

    subscript(_ session: Int32) -> Portrait { portraits[Int(session)] }

    /// The signals that a saved state holds.
    func held(_ saved: Int32) -> SignalSet { saved == World.none ? [] : heldBySave[Int(saved)] }

    /// What a session does at an event.
    func outcome(_ session: Int32, _ event: Int, late: Bool) -> Outcome {
        let place = Int(session) * room + event * times + (late ? 1 : 0)
        if outcomes[place].session != World.none { return outcomes[place] }
        var successor = known[session]
        let actions = subject.handle(&successor, alphabet.events[event], Sessions.now(late: late))
        var outcome = Outcome(session: number(of: successor))
        for case .post(let notification) in actions {
            outcome.fromQuiet.hear(notification)
            outcome.fromInterrupted.hear(notification)
            if case .ended(let options) = notification { outcome.endResumes = options.contains(.shouldResume) }
        }
        outcome.forgetsToSave = forgetsToSave(outcome.session, since: self[session].saved, actions)
        outcomes[place] = outcome
        return outcome
    }

    /// What a boot makes of a saved state. An end is news only to who thought that something interrupts; a begin may
    /// follow what the power has cut off.
    func boot(_ saved: Int32, asserted: SignalSet, deviceIsThere: Bool, late: Bool) -> Outcome {
        let key = BootKey(saved: saved, asserted: asserted, flags: (deviceIsThere ? 1 : 0) | (late ? 2 : 0))
        if let outcome = boots[key] { return outcome }
        let boot = Boot(
            saved: saved == World.none ? nil : saves[saved], lines: levels(asserted), servicesAvailable: deviceIsThere,
            trackCount: Explorer.trackCount)
        var session = Session(policy: policy)
        let actions = subject.handle(&session, .boot(boot), Sessions.now(late: late))
        var outcome = Outcome(session: number(of: session))
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
        outcome.forgetsToSave = forgetsToSave(outcome.session, since: saved, actions)
        boots[key] = outcome
        return outcome
    }

    private func forgetsToSave(_ session: Int32, since saved: Int32, _ actions: [Action]) -> Bool {
        guard self[session].saved != saved else { return false }
        return !actions.contains { if case .save = $0 { true } else { false } }
    }

    private func levels(_ asserted: SignalSet) -> [SignalID: Boot.Line] {
        if let known = levels[asserted] { return known }
        let pairs = policy.signals.enumerated().map { ($1.id, asserted[$0] ? Boot.Line.asserted : .deasserted) }
        levels[asserted] = Dictionary(uniqueKeysWithValues: pairs)
        return levels[asserted] ?? [:]
    }

    /// Instants that are further apart than any `ResumeWithin` can be.
    private static func now(late: Bool) -> Duration { late ? .seconds(1_000_000_000_000) : .zero }

    // MARK: Numbers

    private func number(of session: Session) -> Int32 {
        let (number, isNew) = known.number(of: session)
        guard isNew else { return number }
        portraits.append(portrait(session))
        outcomes.append(contentsOf: repeatElement(Outcome(), count: room))
        return number
    }

    private func number(of saved: SavedSession) -> Int32 {
        let (number, isNew) = saves.number(of: saved)
        guard isNew else { return number }
        heldBySave.append(SignalSet(policy.signals) { signal in saved.held.contains { $0.signal == signal.id } })
        return number
    }

    private func portrait(_ session: Session) -> Portrait {
        let blocking = session.blocking
        let isSole =
            blocking.count == 1 && session.intent == .playing && session.episode.map { $0.lastWord == nil } ?? false
        let next = session.track.flatMap { policy.repeats.successor(of: $0, count: Explorer.trackCount) }
        return Portrait(
            directive: session.directive, intent: session.intent, saved: number(of: session.saved),
            trackEnd: next.map(alphabet.trackBegan) ?? alphabet.programmeEnded,
            soleCause: isSole ? policy.signals.firstIndex { $0.id == blocking[0] } : nil,
            isInterrupted: session.isInterrupted)
    }
}
