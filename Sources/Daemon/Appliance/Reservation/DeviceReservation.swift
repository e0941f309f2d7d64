/// The reservation of one sound card on the session bus (`org.freedesktop.ReserveDevice1`). This is a pure state machine.
///
/// The owner of a card's name on the bus may use the card. To get the name, a program asks its owner to release the card,
/// and the owner does so if the program has a higher priority. Times are on CLOCK_MONOTONIC.
struct DeviceReservation: Hashable {
    /// The priority of Tacet. It is higher than those of WirePlumber (-20), PulseAudio and `pw-reserve` (0), because
    /// somebody has configured Tacet to use exactly this card. Programs that must have a card to themselves, such as
    /// JACK, use much higher priorities.
    static let priority: Int32 = 20
    /// The time within which a device must be closed when another program asks for its card. Most programs wait for 5 s.
    static let closing = Duration.seconds(3)
    /// The time within which a program must take the name of a card that was released for it.
    static let grace = Duration.seconds(2)
    /// The time after which an owner that does not release a card is asked again.
    static let patience = Duration.seconds(30)
    /// The maximum number of requests that wait until a device is closed.
    static let mostRequests = 8

    /// The use that Tacet makes of a card.
    enum Use: Comparable {
        case none
        /// A device of the card is to be used, but another program uses it.
        case blocked
        /// A device of the card is open.
        case open
    }

    /// The owner of a card's name.
    enum Owner: Hashable {
        case nobody, tacet
        /// - Parameter program: its unique name on the bus.
        case other(_ program: String)
    }

    /// The answer of the bus to a request for the name.
    enum Grant {
        case granted
        /// Another program owns the name.
        case taken
        /// The bus rejects the request, or does not answer.
        case rejected
    }

    enum State: Hashable {
        /// There is no connection to the bus.
        case offline
        /// The card is not used.
        case idle
        /// The name has been requested.
        case requesting
        /// The owner has been asked to release the card.
        case asking(String)
        /// The owner has agreed, and the name has been requested in its place.
        case replacing(String)
        case owned
        /// Other programs have asked for the card. The device is being closed for them.
        case closing([Int], until: Duration)
        /// The name has been released for another program, which has to take it.
        case released(until: Duration)
        /// Another program owns the name, and the card's devices stay closed for it. If one of them is to be used, the
        /// program is asked from time to time.
        case withheld(String, until: Duration)
        /// The owner does not release the card, or the bus does not grant the name. The owner is nil if it is unknown.
        case refused(String?, until: Duration)
    }

    enum Event: Hashable {
        case connected, disconnected
        case used(Use)
        case ownerChanged(Owner)
        case nameAnswered(Grant)
        /// The program that was asked has released the card, or refuses or does not answer.
        case releaseAnswered(by: String, Bool)
        /// A program requests the card with a priority. The number identifies the request.
        case requested(Int, priority: Int32)
        /// All devices of the card are closed.
        case closed
        case timePassed
    }

    enum Effect: Hashable {
        /// Request the name, and replace its owner if `replaces` is true.
        case requestName(replaces: Bool)
        case releaseName
        /// Ask the owner to release the card.
        case ask(String)
        /// Find out what the owner calls itself.
        case identify(String)
        /// Answer these requests.
        case answer([Int], Bool)
        /// Try to open the device at once.
        case retry
    }

    private(set) var state = State.offline
    private(set) var use = Use.none
    private(set) var owner = Owner.nobody

    /// True if the card's devices must stay closed.
    var isWithheld: Bool {
        switch state {
        case .closing, .released, .withheld: true
        case .offline, .idle, .requesting, .asking, .replacing, .owned, .refused: false
        }
    }

    /// True while a device is being closed for another program.
    var isClosing: Bool { if case .closing = state { true } else { false } }

    /// True if nothing has to be remembered.
    var isForgettable: Bool { use == .none && (state == .idle || state == .offline) }

    /// The program because of which the card cannot be used.
    var opponent: String? {
        switch state {
        case .withheld(let program, _): program
        case .refused(let program, _): use == .blocked ? program : nil
        case .offline, .idle, .requesting, .asking, .replacing, .owned, .closing, .released: nil
        }
    }

    /// The time at which `timePassed` is due.
    var deadline: Duration? {
        switch state {
        case .closing(_, let end), .released(let end): end
        case .refused(_, let end), .withheld(_, let end): use == .blocked ? end : nil
        case .offline, .idle, .requesting, .asking, .replacing, .owned: nil
        }
    }

    /// Takes an event and returns its effects, in order.
    mutating func take(_ event: Event, at now: Duration) -> [Effect] {
        switch event {
        case .connected: return state == .offline ? begin() : []
        case .disconnected:
            let requests = waiting
            state = .offline
            owner = .nobody
            return requests.isEmpty ? [] : [.answer(requests, true)]
        case .used(let use):
            self.use = use
            return useChanged()
        case .ownerChanged(let owner):
            self.owner = owner
            return ownerChanged(at: now)
        case .nameAnswered(let grant): return nameAnswered(grant, at: now)
        case .releaseAnswered(let program, let agrees): return releaseAnswered(by: program, agrees, at: now)
        case .requested(let request, let priority): return requested(request, priority, at: now)
        case .closed:
            guard case .closing(let requests, _) = state else { return [] }
            state = .released(until: now + Self.grace)
            // The name is released afterwards, so that no third program takes it before these programs do.
            return [.answer(requests, true), .releaseName]
        case .timePassed: return timePassed(at: now)
        }
    }

    /// The requests that have not been answered yet.
    private var waiting: [Int] { if case .closing(let requests, _) = state { requests } else { [] } }

    /// Requests the name if the card is used.
    private mutating func begin() -> [Effect] {
        guard use > .none else {
            state = .idle
            return []
        }
        state = .requesting
        return [.requestName(replaces: false)]
    }

    private mutating func useChanged() -> [Effect] {
        switch (state, use) {
        case (.idle, .blocked), (.idle, .open): return begin()
        case (.requesting, .none), (.replacing, .none), (.owned, .none):
            state = .idle
            return [.releaseName]
        case (.asking, .none), (.refused, .none):
            state = .idle
            return []
        // While another program uses the card, its devices stay closed even if nothing is to be played.
        case (.offline, _), (.idle, .none), (.requesting, _), (.asking, _), (.replacing, _), (.owned, _), (.closing, _),
            (.released, _), (.withheld, _), (.refused, _):
            return []
        }
    }

    private mutating func ownerChanged(at now: Duration) -> [Effect] {
        switch (state, owner) {
        case (.offline, _): return []
        // The name was granted after it was no longer needed.
        case (.idle, .tacet): return [.releaseName]
        case (.idle, _): return []
        case (.requesting, .tacet), (.asking, .tacet), (.replacing, .tacet), (.withheld, .tacet), (.refused, .tacet):
            return own()
        // The answer to the request follows.
        case (.requesting, _), (.replacing, _): return []
        case (.asking, .nobody), (.withheld, .nobody), (.refused, .nobody), (.owned, .nobody): return begin()
        case (.asking(let asked), .other(let program)): return program == asked ? [] : ask(program)
        case (.refused(let former, _), .other(let program)): return program == former ? [] : ask(program)
        case (.withheld(let former, _), .other(let program)):
            return program == former ? [] : withhold(for: program, at: now)
        // The name can be taken without a request.
        case (.owned, .other(let program)), (.released, .other(let program)): return withhold(for: program, at: now)
        case (.closing(let requests, _), .other(let program)):
            return [.answer(requests, true)] + withhold(for: program, at: now)
        case (.closing(let requests, _), .nobody):
            state = .released(until: now + Self.grace)
            return [.answer(requests, true)]
        case (.owned, .tacet), (.closing, .tacet), (.released, .tacet), (.released, .nobody): return []
        }
    }

    private mutating func own() -> [Effect] {
        guard use > .none else {
            state = .idle
            return [.releaseName]
        }
        state = .owned
        return use == .blocked ? [.retry] : []
    }

    private mutating func ask(_ program: String) -> [Effect] {
        guard use > .none else { return begin() }
        state = .asking(program)
        return [.identify(program), .ask(program)]
    }

    private mutating func withhold(for program: String, at now: Duration) -> [Effect] {
        state = .withheld(program, until: now + Self.patience)
        return [.identify(program)]
    }

    private mutating func nameAnswered(_ grant: Grant, at now: Duration) -> [Effect] {
        switch (state, grant) {
        case (.requesting, .granted), (.replacing, .granted): return own()
        case (.requesting, .taken):
            if case .other(let program) = owner { return ask(program) }
            return refuse(nil, at: now)
        case (.requesting, .rejected): return refuse(nil, at: now)
        // The owner does not allow that it is replaced.
        case (.replacing(let program), .taken), (.replacing(let program), .rejected): return refuse(program, at: now)
        case (.offline, _), (.idle, _), (.asking, _), (.owned, _), (.closing, _), (.released, _), (.withheld, _),
            (.refused, _):
            return []
        }
    }

    private mutating func refuse(_ program: String?, at now: Duration) -> [Effect] {
        state = .refused(program, until: now + Self.patience)
        return []
    }

    private mutating func releaseAnswered(by program: String, _ agrees: Bool, at now: Duration) -> [Effect] {
        switch state {
        case .asking(program):
            guard agrees else { return refuse(program, at: now) }
        case .withheld(program, _):
            guard agrees, use > .none else { return [] }
        case .offline, .idle, .requesting, .asking, .replacing, .owned, .closing, .released, .withheld, .refused:
            return []
        }
        state = .replacing(program)
        return [.requestName(replaces: true)]
    }

    private mutating func requested(_ request: Int, _ priority: Int32, at now: Duration) -> [Effect] {
        switch state {
        case .owned:
            guard priority > Self.priority else { return [.answer([request], false)] }
            state = .closing([request], until: now + Self.closing)
            return []
        case .closing(let requests, let end):
            guard priority > Self.priority, requests.count < Self.mostRequests else {
                return [.answer([request], false)]
            }
            state = .closing(requests + [request], until: end)
            return []
        case .offline, .idle, .released, .withheld: return [.answer([request], true)]
        case .requesting, .asking, .replacing, .refused: return [.answer([request], false)]
        }
    }

    private mutating func timePassed(at now: Duration) -> [Effect] {
        guard let deadline, now >= deadline else { return [] }
        switch state {
        // The device does not close, so the other program could not use it.
        case .closing(let requests, _): return [.answer(requests, false)] + own()
        case .released: return begin()
        case .refused(let program?, _): return ask(program)
        case .refused(nil, _): return begin()
        case .withheld(let program, _):
            state = .withheld(program, until: now + Self.patience)
            return [.ask(program)]
        case .offline, .idle, .requesting, .asking, .replacing, .owned: return []
        }
    }
}
