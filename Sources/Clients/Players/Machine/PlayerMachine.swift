import AudioSession

/// What Tacet has done to one program that plays, and what it may therefore do next.
///
/// It is a pure value. A program is resumed only if all of this holds: it was playing, Tacet paused it, it was then seen
/// paused, and it has not changed on its own since. A program that is already paused is never ordered to pause, because
/// some programs then play. A program is never stopped, because some programs then exit or lose their position.
struct PlayerMachine: Hashable, Sendable {
    enum State: Hashable, Sendable {
        /// Tacet does nothing to the program.
        case free(Sighting)
        /// The program was playing and was ordered to pause.
        case pausing(Sighting, Attempt)
        /// Tacet has paused the program. Until the time in `excuse`, changes are the outcome of another order.
        case kept(Sighting, excuse: Duration?)
        /// The program is ordered to play, because Tacet had paused it.
        case resuming(Sighting, Attempt)
        /// The program has not paused when it was ordered to. It is left alone until it changes on its own.
        case uncontrollable(Sighting)
    }

    /// An attempt to make the program follow an order. Its outcome is known only from the answer to a question that was
    /// asked after the order, because the program may have sent its earlier reports before it received the order.
    struct Attempt: Hashable, Sendable {
        enum Stage: Hashable, Sendable {
            /// The order has been sent.
            case sent
            /// The program has not answered the order in time, and has been asked for its state.
            case unanswered
            /// The program has received the order, and has been asked for its state.
            case asked
            /// The program has not followed the order yet. It has some time to do so.
            case waiting
            /// The program has been asked for its state for the last time before the order is repeated.
            case askedAgain
        }

        var number = 1
        var stage = Stage.sent
        var deadline: Duration

        /// The number of times that an order is given.
        static let most = 3
        /// The time within which a program answers.
        static let answerTime = Duration.seconds(2)

        static func first(at now: Duration) -> Attempt { Attempt(deadline: now + answerTime) }

        /// Returns the next attempt, or nil if this was the last one.
        func next(at now: Duration) -> Attempt? {
            number < Self.most ? Attempt(number: number + 1, deadline: now + Self.answerTime) : nil
        }

        /// Returns the attempt in another stage, from which it continues at its deadline at the latest.
        func entering(_ stage: Stage, at now: Duration) -> Attempt {
            Attempt(number: number, stage: stage, deadline: now + (stage == .waiting ? patience : Self.answerTime))
        }

        /// True if the program is known to have received the order, so that its reports are newer than the order.
        var isReceived: Bool {
            switch stage {
            case .sent, .unanswered: false
            case .asked, .waiting, .askedAgain: true
            }
        }

        /// The time that a program has to follow an order that it has received. It grows, because a slow program that
        /// takes each order to pause for a toggle must not be ordered again too early.
        private var patience: Duration { .milliseconds(250) * (1 << number) }
    }

    enum Input: Hashable, Sendable {
        /// The program has reported its state. It may do so repeatedly, late, or without a change.
        case seen(Sighting)
        /// The program has received the order with this number, whether or not it accepts it.
        case answered(Int)
        /// The answer to the question with this number, or nil if there is none.
        case looked(Int, Sighting?)
        case order(PlayerCommand)
        /// Tacet no longer keeps the program paused, and leaves it as it is.
        case release
        case time
    }

    enum Effect: Hashable, Sendable {
        /// Sends an order. The input `answered` repeats the number.
        case send(PlayerCommand, Int)
        /// Asks the program for its state. The input `looked` repeats the number.
        case look(Int)
        /// The program has changed on its own. If `wasKept` is true, Tacet had paused it.
        case touched(wasKept: Bool)
        /// The program has followed an order.
        case paused, resumed
        /// The program has not followed an order in several attempts.
        case disobeyed(PlayerCommand)
    }

    private(set) var state: State
    /// The number of the last order or question.
    private(set) var number = 0
    /// The number of the last order to pause or play. The answers to this order and to the questions after it count.
    private(set) var lastOrder = 0

    /// The time after an order such as `next` in which changes are its outcome.
    static let excuseTime = Duration.seconds(3)

    init(_ sighting: Sighting) { state = .free(sighting) }

    /// Creates the machine of a program that an earlier process knew.
    ///
    /// - Returns: the effects in addition to the machine.
    static func restored(_ sighting: Sighting, after stage: PlayerRecord.Stage, track: String) -> (Self, [Effect]) {
        var machine = PlayerMachine(sighting)
        switch stage {
        case .kept where sighting.isPlaying: return (machine, [.touched(wasKept: true)])
        // The order may or may not have reached the program.
        case .pausing where sighting.isPlaying, .resuming where sighting.isPlaying: return (machine, [])
        case _ where sighting.track != track: return (machine, [.touched(wasKept: true)])
        case .kept, .pausing, .resuming:
            machine.state = .kept(sighting, excuse: nil)
            return (machine, [])
        }
    }

    // MARK: Properties

    var sighting: Sighting {
        switch state {
        case .free(let sighting), .pausing(let sighting, _), .kept(let sighting, _), .resuming(let sighting, _),
            .uncontrollable(let sighting):
            sighting
        }
    }

    /// What the program counts as.
    var report: PlayerReport {
        switch state {
        case .free(let sighting): sighting.isPlaying ? .playing : .paused
        case .pausing, .kept: .paused
        case .resuming, .uncontrollable: .playing
        }
    }

    /// True if Tacet has paused the program or is doing so.
    var isHeld: Bool {
        switch state {
        case .pausing, .kept: true
        case .free, .resuming, .uncontrollable: false
        }
    }

    /// True while the program is ordered to pause.
    var isPausing: Bool { if case .pausing = state { true } else { false } }

    /// True while the outcome of an order is unknown.
    var isPending: Bool {
        switch state {
        case .pausing, .resuming: true
        case .free, .kept, .uncontrollable: false
        }
    }

    /// What a later process needs, or nil if it needs nothing.
    var stage: PlayerRecord.Stage? {
        switch state {
        case .pausing: .pausing
        case .kept: .kept
        case .resuming: .resuming
        case .free, .uncontrollable: nil
        }
    }

    var deadline: Duration? {
        switch state {
        case .pausing(_, let attempt), .resuming(_, let attempt): attempt.deadline
        case .kept(_, let excuse): excuse
        case .free, .uncontrollable: nil
        }
    }

    // MARK: Inputs

    /// Returns the number of another question about the program's state, or nil if there are questions already.
    mutating func ask() -> Int? {
        guard !isPending else { return nil }
        number += 1
        return number
    }

    /// Lets the next order reach a program that has not followed earlier ones.
    mutating func forgive() { if case .uncontrollable(let sighting) = state { state = .free(sighting) } }

    /// Handles an input in each state. Every combination is written out.
    mutating func handle(_ input: Input, at now: Duration) -> [Effect] {
        switch (state, input) {
        case (_, .answered(let number)) where number != lastOrder,
            (_, .looked(let number, _)) where number <= lastOrder:
            return []

        // The program belongs to its user.
        case (.free(let known), .seen(let sighting)), (.free(let known), .looked(_, let sighting?)):
            state = .free(sighting)
            return sighting.status == known.status ? [] : [.touched(wasKept: false)]
        case (.free(let sighting), .order(.pause)):
            guard sighting.isPlaying else { return [] }
            return pause(sighting, at: now)
        case (.free, .order(.next)), (.free, .order(.previous)), (.free, .order(.seek)): return forward(input)
        // Tacet has not paused it.
        case (.free, .order(.play)), (.free, .release), (.free, .answered), (.free, .looked(_, nil)), (.free, .time):
            return []

        // The program has been ordered to pause.
        case (.pausing(let known, let attempt), .seen(let sighting)): return see(sighting, known, attempt, .pause)
        case (.pausing(let known, let attempt), .looked(let number, let sighting)):
            return look(sighting, known, attempt, .pause, isLast: number == self.number, at: now)
        case (.pausing(let sighting, let attempt), .answered):
            return receive(sighting, attempt, .pause, at: now)
        case (.pausing(let sighting, let attempt), .time): return elapse(sighting, attempt, .pause, at: now)
        case (.pausing, .order(.pause)): return []
        case (.pausing(let sighting, _), .order(.play)): return resume(sighting, at: now)
        case (.pausing(let sighting, _), .release):
            state = .free(sighting)
            return []
        case (.pausing, .order(.next)), (.pausing, .order(.previous)), (.pausing, .order(.seek)):
            return forward(input)

        // Tacet has paused the program.
        case (.kept(let known, let excuse), .seen(let sighting)),
            (.kept(let known, let excuse), .looked(_, let sighting?)):
            if sighting == known { return [] }
            guard let excuse, now < excuse else {
                state = .free(sighting)
                return [.touched(wasKept: true)]
            }
            // Some programs play after an order such as `next`.
            if sighting.isPlaying { return pause(sighting, at: now) }
            state = .kept(sighting, excuse: excuse)
            return []
        case (.kept(let sighting, _), .order(.play)): return resume(sighting, at: now)
        case (.kept(let sighting, _), .order(.next)), (.kept(let sighting, _), .order(.previous)),
            (.kept(let sighting, _), .order(.seek)):
            state = .kept(sighting, excuse: now + Self.excuseTime)
            return forward(input)
        case (.kept(let sighting, _), .release):
            state = .free(sighting)
            return []
        case (.kept(let sighting, let excuse?), .time) where excuse <= now:
            state = .kept(sighting, excuse: nil)
            return []
        case (.kept, .time), (.kept, .order(.pause)), (.kept, .answered), (.kept, .looked(_, nil)): return []

        // The program has been ordered to play.
        case (.resuming(let known, let attempt), .seen(let sighting)): return see(sighting, known, attempt, .play)
        case (.resuming(let known, let attempt), .looked(let number, let sighting)):
            return look(sighting, known, attempt, .play, isLast: number == self.number, at: now)
        case (.resuming(let sighting, let attempt), .answered):
            return receive(sighting, attempt, .play, at: now)
        case (.resuming(let sighting, let attempt), .time): return elapse(sighting, attempt, .play, at: now)
        case (.resuming(let sighting, _), .order(.pause)): return pause(sighting, at: now)
        case (.resuming, .order(.play)): return []
        case (.resuming(let sighting, _), .release):
            state = .free(sighting)
            return []
        case (.resuming, .order(.next)), (.resuming, .order(.previous)), (.resuming, .order(.seek)):
            return forward(input)

        // The program has not paused.
        case (.uncontrollable(let known), .seen(let sighting)), (.uncontrollable(let known), .looked(_, let sighting?)):
            guard sighting.status != known.status else {
                state = .uncontrollable(sighting)
                return []
            }
            state = .free(sighting)
            return [.touched(wasKept: false)]
        case (.uncontrollable, .order(.next)), (.uncontrollable, .order(.previous)), (.uncontrollable, .order(.seek)):
            return forward(input)
        case (.uncontrollable, .order(.pause)), (.uncontrollable, .order(.play)), (.uncontrollable, .release),
            (.uncontrollable, .answered), (.uncontrollable, .looked(_, nil)), (.uncontrollable, .time):
            return []
        }
    }

    // MARK: Orders

    private mutating func forward(_ input: Input) -> [Effect] {
        // The answer does not matter.
        if case .order(let command) = input { [.send(command, 0)] } else { [] }
    }

    private mutating func pause(_ sighting: Sighting, at now: Duration) -> [Effect] {
        send(.pause, sighting, .first(at: now))
    }

    private mutating func resume(_ sighting: Sighting, at now: Duration) -> [Effect] {
        send(.play, sighting, .first(at: now))
    }

    private mutating func send(_ command: PlayerCommand, _ sighting: Sighting, _ attempt: Attempt) -> [Effect] {
        number += 1
        lastOrder = number
        set(command, sighting, attempt)
        return [.send(command, number)]
    }

    private mutating func ask(
        _ sighting: Sighting, _ attempt: Attempt, _ stage: Attempt.Stage, _ command: PlayerCommand, at now: Duration
    ) -> [Effect] {
        number += 1
        set(command, sighting, attempt.entering(stage, at: now))
        return [.look(number)]
    }

    private mutating func set(_ command: PlayerCommand, _ sighting: Sighting, _ attempt: Attempt) {
        state = command == .pause ? .pausing(sighting, attempt) : .resuming(sighting, attempt)
    }

    /// Returns true if the program has followed the order in this state.
    private static func isOutcome(_ sighting: Sighting, of command: PlayerCommand) -> Bool {
        sighting.isPlaying == (command == .play)
    }

    private mutating func conclude(_ command: PlayerCommand, _ sighting: Sighting) -> [Effect] {
        state = command == .pause ? .kept(sighting, excuse: nil) : .free(sighting)
        return [command == .pause ? .paused : .resumed]
    }

    /// Handles the answer to an order.
    private mutating func receive(
        _ sighting: Sighting, _ attempt: Attempt, _ command: PlayerCommand, at now: Duration
    ) -> [Effect] {
        switch attempt.stage {
        case .sent, .unanswered: ask(sighting, attempt, .asked, command, at: now)
        case .asked, .waiting, .askedAgain: []
        }
    }

    /// Releases the program, because somebody has changed it since the order.
    private mutating func lose(_ command: PlayerCommand, _ sighting: Sighting) -> [Effect] {
        state = .free(sighting)
        return [.touched(wasKept: command == .pause)]
    }

    /// Returns true if somebody has chosen another track between two reports, because a paused program does not change
    /// its track.
    private static func isTouched(_ sighting: Sighting, since known: Sighting, _ command: PlayerCommand) -> Bool {
        command == .pause && !known.isPlaying && !sighting.isPlaying && known.track != sighting.track
    }

    /// Handles a report while the outcome of an order is unknown.
    private mutating func see(
        _ sighting: Sighting, _ known: Sighting, _ attempt: Attempt, _ command: PlayerCommand
    ) -> [Effect] {
        // The program may have sent this before it received the order.
        guard attempt.isReceived else {
            set(command, sighting, attempt)
            return []
        }
        if Self.isTouched(sighting, since: known, command) { return lose(command, sighting) }
        if Self.isOutcome(sighting, of: command) { return conclude(command, sighting) }
        // It had followed the order already.
        if Self.isOutcome(known, of: command) { return lose(command, sighting) }
        set(command, sighting, attempt)
        return []
    }

    /// Handles the answer to a question, or its absence.
    ///
    /// - Parameter isLast: false if another question was asked since.
    private mutating func look(
        _ sighting: Sighting?, _ known: Sighting, _ attempt: Attempt, _ command: PlayerCommand, isLast: Bool,
        at now: Duration
    ) -> [Effect] {
        if let sighting {
            if attempt.isReceived, Self.isTouched(sighting, since: known, command) { return lose(command, sighting) }
            if Self.isOutcome(sighting, of: command) { return conclude(command, sighting) }
        }
        guard isLast else { return [] }
        switch attempt.stage {
        case .sent, .unanswered, .asked, .waiting:
            set(command, sighting ?? known, attempt.entering(.waiting, at: now))
            return []
        case .askedAgain:
            guard let next = attempt.next(at: now) else {
                state = command == .pause ? .uncontrollable(sighting ?? known) : .free(sighting ?? known)
                return [.disobeyed(command)]
            }
            // Without knowing the state of the program, only the question is repeated, because an order to a program
            // that has already followed it could undo it.
            guard let sighting else { return ask(known, next, .askedAgain, command, at: now) }
            return send(command, sighting, next)
        }
    }

    private mutating func elapse(
        _ sighting: Sighting, _ attempt: Attempt, _ command: PlayerCommand, at now: Duration
    ) -> [Effect] {
        guard attempt.deadline <= now else { return [] }
        switch attempt.stage {
        case .sent: return ask(sighting, attempt, .unanswered, command, at: now)
        case .unanswered, .asked, .askedAgain: return look(nil, sighting, attempt, command, isLast: true, at: now)
        case .waiting: return ask(sighting, attempt, .askedAgain, command, at: now)
        }
    }
}
