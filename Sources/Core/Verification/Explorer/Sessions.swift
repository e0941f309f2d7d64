import AudioSession

/// Every session encountered, with its number and its outcome for each event.
///
/// A session is a pure value, so each outcome is computed once. Many states share a session, because the power is off
/// in most of them, and only part of a session's state is saved.
final class Sessions {
    /// The reaction of a session to an event.
    struct Outcome {
        var session = ExplorerState.none
        /// The conclusion that an observer draws from the notifications if it previously assumed that no interruption
        /// was in progress.
        var fromQuiet = Observation.quiet
        /// The conclusion that the observer draws if it previously assumed that an interruption was in progress.
        var fromInterrupted = Observation.interrupted
        /// True if the end of an episode recommends resuming, false if it does not, or nil if no episode ends.
        var endResumes: Bool?
        /// True if the state to save changed and the session did not save it.
        var forgetsToSave = false

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
    }

    private let policy: Policy
    private let behaviour: SessionBehaviour
    private let alphabet: Alphabet
    /// The number of outcomes of each session, which is the number of events times the number of times.
    private let outcomesPerSession: Int
    private let times: Int
    /// True if recording is explored.
    private let records: Bool
    private var known = Catalogue<Session>()
    private var summaries = Pages<Summary>()
    private var outcomes = Pages<Outcome>()
    private var saves = Catalogue<SavedSession>()
    private var heldBySave = Pages<SignalSet>()
    /// The outcomes of the boots. The first entry is for boots without a saved state. It is followed by one entry for
    /// each saved state.
    private var boots = Pages<Boots>()
    /// The lines that a boot reads, by the set of asserted ones.
    private var levels: [SignalSet: [SignalID: Boot.Line]] = [:]

    /// The outcomes of the boots from one saved state. There are as many boots as combinations of lines, so blocks of
    /// outcomes are added only when they are needed.
    private struct Boots {
        private var blocks: [[Outcome]] = []
        /// The number of outcomes for each combination of lines. They differ in whether the device is available, and in
        /// whether the time is early or late.
        private static let outcomes = 4
        private static let combinationsPerBlock = 64

        subscript(asserted: SignalSet, flags: Int) -> Outcome {
            get {
                let (block, index) = Boots.place(asserted, flags)
                return block < blocks.count && !blocks[block].isEmpty ? blocks[block][index] : Outcome()
            }
            set {
                let (block, index) = Boots.place(asserted, flags)
                while blocks.count <= block { blocks.append([]) }
                if blocks[block].isEmpty {
                    blocks[block] = Array(
                        repeating: Outcome(), count: Boots.combinationsPerBlock * Boots.outcomes)
                }
                blocks[block][index] = newValue
            }
        }

        private static func place(_ asserted: SignalSet, _ flags: Int) -> (block: Int, index: Int) {
            let (block, combination) = Int(asserted.rawValue).quotientAndRemainder(dividingBy: combinationsPerBlock)
            return (block, combination * outcomes + flags)
        }
    }

    /// Creates an empty catalogue of sessions.
    /// - Parameters:
    ///   - hasTime: true if time can pass (`ExplorerState.late`).
    ///   - records: true if the device is the capture device.
    init(_ policy: Policy, _ behaviour: SessionBehaviour, _ alphabet: Alphabet, hasTime: Bool, records: Bool) {
        self.policy = policy
        self.behaviour = behaviour
        self.alphabet = alphabet
        times = hasTime ? 2 : 1
        self.records = records
        outcomesPerSession = alphabet.events.count * times
        boots.append(Boots())
    }

    subscript(_ session: Int32) -> Summary { summaries[Int(session)] }

    /// Returns the signals that are asserted in a saved state.
    func held(_ saved: Int32) -> SignalSet { saved == ExplorerState.none ? [] : heldBySave[Int(saved)] }

    /// Returns true if a saved state wants recording, or nil if it does not contain this.
    func wantsRecording(_ saved: Int32) -> Bool? {
        saved == ExplorerState.none ? nil : saves[saved].wantsRecording
    }

    /// Returns the outcome of a session for an event.
    func outcome(_ session: Int32, _ event: Int, late: Bool) -> Outcome {
        let index = Int(session) * outcomesPerSession + event * times + (late ? 1 : 0)
        if outcomes[index].session != ExplorerState.none { return outcomes[index] }
        var successor = known[session]
        let actions = behaviour.handle(&successor, alphabet.events[event], Sessions.now(late: late))
        var outcome = Outcome(session: number(of: successor))
        for case .post(let notification) in actions {
            outcome.fromQuiet.observe(notification)
            outcome.fromInterrupted.observe(notification)
            if case .ended(let options) = notification { outcome.endResumes = options.contains(.shouldResume) }
        }
        outcome.forgetsToSave = forgetsToSave(outcome.session, since: self[session].saved, actions)
        outcomes[index] = outcome
        return outcome
    }

    /// Returns the outcome of a boot from a saved state. A notification of an end is correct only if the observer
    /// assumed that an interruption was in progress. A notification of a beginning is always correct, because it may
    /// repeat the one of the saved episode.
    func boot(_ saved: Int32, asserted: SignalSet, deviceIsAvailable: Bool, late: Bool) -> Outcome {
        let flags = (deviceIsAvailable ? 1 : 0) | (late ? 2 : 0)
        let known = boots[Int(saved) + 1][asserted, flags]
        if known.session != ExplorerState.none { return known }
        let boot = Boot(
            saved: saved == ExplorerState.none ? nil : saves[saved], lines: levels(asserted),
            servicesAvailable: deviceIsAvailable || records, captureAvailable: deviceIsAvailable || !records,
            trackCount: Explorer.trackCount)
        var session = Session(policy: policy)
        let actions = behaviour.handle(&session, .boot(boot), Sessions.now(late: late))
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
        boots[Int(saved) + 1][asserted, flags] = outcome
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

    /// Returns one of two times that are further apart than any `ResumeWithin`.
    private static func now(late: Bool) -> Duration { late ? .seconds(1_000_000_000_000) : .zero }

    // MARK: Numbers

    private func number(of session: Session) -> Int32 {
        let (number, isNew) = known.number(of: session)
        guard isNew else { return number }
        summaries.append(summary(session))
        outcomes.append(Outcome(), count: outcomesPerSession)
        return number
    }

    private func number(of saved: SavedSession) -> Int32 {
        let (number, isNew) = saves.number(of: saved)
        guard isNew else { return number }
        boots.append(Boots())
        heldBySave.append(SignalSet(policy.signals) { signal in saved.held.contains { $0.signal == signal.id } })
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
            volume: session.volume)
    }
}
