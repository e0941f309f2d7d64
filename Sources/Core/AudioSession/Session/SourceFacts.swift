/// The facts of the inputs and players.
struct SourceFacts: Hashable, Sendable {
    /// A value for each input, in the order of the policy.
    var inputs: [InputFacts]
    /// The indices of the inputs that sound and are not pages, in the order in which they began.
    var sounding: [Int] = []
    /// A value for each player, in the order of the policy.
    var players: [PlayerFacts]

    init(_ policy: Policy) {
        inputs = Array(repeating: InputFacts(), count: policy.inputs.count)
        players = Array(repeating: PlayerFacts(), count: policy.players.count)
    }

    func savesLike(_ other: SourceFacts) -> Bool {
        sounding == other.sounding && inputs.elementsEqual(other.inputs) { $0.savesLike($1) }
            && players.elementsEqual(other.players) { $0.savesLike($1) }
    }
}

/// The stored facts about an input. A page uses only `isSounding`.
struct InputFacts: Hashable, Sendable {
    private(set) var intent = Intent.stopped
    /// True if the user has paused or stopped the input, so that a gap between two songs does not undo this.
    private(set) var isHeldByUser = false
    /// The user's last command about the input in the episode in progress, or nil if there is none.
    var lastCommand: Episode.LastCommand?
    /// True if the user's last command about the input since the services were lost is play.
    var playedWhileLost = false
    /// True if the user has chosen tracks while the input sounded, so that it is not selected until it begins anew.
    var isPassedOver = false
    /// The time at which the input last ceased to sound, or nil if it never sounded.
    var ceased: Duration?
    /// The reason why the intent last changed.
    private(set) var intentCause = Uncompared(IntentCause.start)

    /// Changes the intent, and records why.
    mutating func intend(_ intent: Intent, because cause: IntentCause) {
        self.intent = intent
        isHeldByUser = intent != .playing && cause == .user
        intentCause.value = cause
    }

    /// Forgets that the user has paused or stopped the input.
    mutating func forgetUserHold() { isHeldByUser = false }

    mutating func restore(_ saved: SavedSession.Input) {
        intent = saved.intent
        isHeldByUser = saved.isHeldByUser
        isPassedOver = saved.isPassedOver
        lastCommand = saved.lastCommand
        intentCause.value = isHeldByUser ? .user : .start
    }

    /// Returns true if both have the same saved state.
    func savesLike(_ other: InputFacts) -> Bool {
        intent == other.intent && isHeldByUser == other.isHeldByUser && isPassedOver == other.isPassedOver
            && lastCommand == other.lastCommand
    }

    /// Omits `ceased`, because states rarely differ only in it.
    func hash(into hasher: inout Hasher) {
        hasher.combine(intent)
        hasher.combine(isHeldByUser)
        hasher.combine(isPassedOver)
        hasher.combine(lastCommand)
        hasher.combine(playedWhileLost)
    }
}

/// The stored facts about a player, which is another program that plays by itself.
struct PlayerFacts: Hashable, Sendable {
    var report = PlayerReport.gone
    /// The reason why Tacet keeps the player paused, or nil if it does not.
    var pause: SavedSession.Player.Pause?
    /// The user's last command to the player's source since the hold in progress began, or nil if there is none.
    var lastCommand: Episode.LastCommand?
    /// The uncertainty about Tacet's last order to pause the player, or nil if there is none.
    var doubt: PauseDoubt?

    /// True if the player has confirmed that it is paused, as Tacet has ordered.
    var isPaused: Bool {
        guard pause != nil else { return false }
        return switch doubt {
        case nil, .resolved: true
        case .awaited, .unconfirmed: false
        }
    }

    /// Removes the doubt, because the player has paused, has ended, or has changed on its own.
    mutating func removeDoubt(at now: Duration) {
        switch doubt {
        case .awaited: doubt = nil
        case .unconfirmed: doubt = .resolved(since: now)
        case .resolved, nil: break
        }
    }

    /// Records an order to pause. A fault lasts until an order is confirmed.
    mutating func expectPause(by deadline: Duration) {
        switch doubt {
        case nil, .awaited: doubt = .awaited(until: deadline)
        case .unconfirmed, .resolved: doubt = .unconfirmed
        }
    }

    /// Returns true if both have the same saved state.
    func savesLike(_ other: PlayerFacts) -> Bool { pause == other.pause && lastCommand == other.lastCommand }
}

/// An order to pause that a player has not confirmed.
enum PauseDoubt: Hashable, Sendable {
    /// The player has until this time to confirm the order.
    case awaited(until: Duration)
    /// The player has not confirmed the order in time, which is a fault.
    case unconfirmed
    /// The fault is over, which has not been reported yet.
    case resolved(since: Duration)
}

/// What a player reports.
public enum PlayerReport: String, Hashable, Sendable, CaseIterable {
    case playing, paused
    /// The program has ended, or is not connected.
    case gone
}

/// An order to a player. A player is never stopped, because some programs then exit or lose their position.
public enum PlayerCommand: Hashable, Sendable {
    case play, pause, next, previous
    case seek(Duration)
}
