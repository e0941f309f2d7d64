/// The inputs, one of which takes the place of the library while it sounds (see <doc:Semantics#Inputs>).
extension Session {
    /// The time of silence after which an input that the user paused or stopped counts as started anew.
    static let longestGap = Duration.seconds(60)

    /// The source to which commands and the directive apply. Of the inputs that sound, it is the one that began last.
    public var source: Source { selectedInput.map { .input(policy.inputs[$0].id) } ?? .library }

    /// The inputs that sound and are not pages, in the order in which they began.
    public var soundingInputs: [InputID] { facts.sources.sounding.map { policy.inputs[$0].id } }

    /// Returns true if the input sounds. A page sounds while it asserts its signals.
    public func isSounding(_ input: InputID) -> Bool {
        soundingInputs.contains(input)
            || zip(policy.signals, facts.signals).contains { $0.input == input && $1.standing != nil }
    }

    /// The index of the selected input in the policy, or nil if the library is selected.
    var selectedInput: Int? {
        let candidates = facts.sources.sounding.filter { !facts.sources.inputs[$0].isPassedOver }
        return candidates.last { policy.inputs[$0].role == .programme } ?? candidates.last
    }

    /// The index of the selected input if it has its own intent, or nil if the library's intent applies.
    var selectedOwner: Int? { selectedInput.flatMap(owner(ofInput:)) }

    /// True if there is something to play.
    public var hasContent: Bool { selectedInput != nil || track != nil }

    /// True if `next`, `previous` and `seek` are possible. For an input, they go to its player.
    public var canSkip: Bool { selectedInput.map { livePlayer(of: $0) != nil } ?? (track != nil) }

    /// Returns the index of the input whose intent applies to this input, which is nil if that is the library's.
    func owner(ofInput input: Int) -> Int? { policy.inputs[input].role == .programme ? input : nil }

    /// Returns the intent of a source.
    /// - Parameter owner: the index of an input with its own intent, or nil for the library.
    func intent(of owner: Int?) -> Intent { owner.map { facts.sources.inputs[$0].intent } ?? facts.library.intent }

    /// The required state of the library's music.
    var libraryDirective: Directive { selectedInput == nil ? directive : .silent }

    // MARK: Events

    /// Handles an input that begins to sound. Somebody has started it, unless it is automatic, so this is the user's
    /// `play`.
    mutating func begin(_ id: InputID, at now: Duration, _ reaction: inout Reaction) {
        guard let input = index(of: id) else { return }
        if policy.inputs[input].role == .page {
            return handle(policy.pages(of: id).map { Edge($0, asserted: true) }, at: now, &reaction)
        }
        guard !facts.sources.sounding.contains(input) else { return }
        facts.sources.sounding.append(input)
        guard let owner = owner(ofInput: input), !isHeld(owner, at: now) else { return }
        play(owner, because: .inputBegan, at: now)
        dropStuck(at: now)
    }

    /// Handles an input that ceases to sound.
    mutating func end(_ id: InputID, at now: Duration, _ reaction: inout Reaction) {
        guard let input = index(of: id) else { return }
        if policy.inputs[input].role == .page {
            return handle(policy.pages(of: id).map { Edge($0, asserted: false) }, at: now, &reaction)
        }
        guard facts.sources.sounding.contains(input) else { return }
        facts.sources.sounding.removeAll { $0 == input }
        facts.sources.inputs[input].isPassedOver = false
        facts.sources.inputs[input].ceased = now
    }

    /// Returns true if the user has paused or stopped the input, and the input has been silent for less than a minute.
    private func isHeld(_ input: Int, at now: Duration) -> Bool {
        let facts = facts.sources.inputs[input]
        return facts.isHeldByUser && facts.ceased.map { now - $0 < Self.longestGap } ?? true
    }

    private func index(of id: InputID) -> Int? { policy.inputs.firstIndex { $0.id == id } }

    // MARK: Power

    /// The inputs to save. Those that sound come first, in the order in which they began.
    var savedInputs: [SavedSession.Input] {
        let others = policy.inputs.indices.filter {
            policy.inputs[$0].role != .page && !facts.sources.sounding.contains($0)
        }
        return (facts.sources.sounding + others).map { index in
            let input = facts.sources.inputs[index]
            return SavedSession.Input(
                input: policy.inputs[index].id, intent: input.intent, isHeldByUser: input.isHeldByUser,
                isSounding: facts.sources.sounding.contains(index), isPassedOver: input.isPassedOver,
                lastCommand: input.lastCommand)
        }
    }

    /// The players to save, which are those that Tacet keeps paused.
    var savedPlayers: [SavedSession.Player] {
        zip(policy.players, facts.sources.players).compactMap { player, now in
            now.pause.map { SavedSession.Player(player: player, pause: $0, lastCommand: now.lastCommand) }
        }
    }

    /// Restores the inputs and players. What arrives sounds at once. An input that sounded before keeps its intent and
    /// its place in the order, even if it is silent because Tacet keeps its player paused. The others begin anew, now
    /// or later.
    ///
    /// - Returns: the sources that the user has started.
    mutating func restoreInputs(_ boot: Boot, at now: Duration) -> [Int?] {
        let played = restorePlayers(boot, at: now)
        for saved in boot.saved?.inputs ?? [] {
            guard let input = index(of: saved.input) else { continue }
            facts.sources.inputs[input].restore(saved)
            if saved.isSounding, boot.arrivals.contains(saved.input) || isPlayerPaused(of: input) {
                facts.sources.sounding.append(input)
            } else if let predecessor = boot.predecessor {
                facts.sources.inputs[input].ceased = predecessor.ceased[saved.input] ?? now
            } else {
                // How long it has been silent is unknown, so it begins anew when it next sounds.
                facts.sources.inputs[input].forgetUserHold()
                facts.sources.inputs[input].isPassedOver = false
            }
        }
        for owner in played { play(owner, because: .user, at: now) }
        var begun = played
        for (input, policy) in policy.inputs.enumerated()
        where policy.role != .page && boot.arrivals.contains(policy.id) && !facts.sources.sounding.contains(input) {
            facts.sources.sounding.append(input)
            guard let owner = owner(ofInput: input) else { continue }
            play(owner, because: .inputBegan, at: now)
            begun.append(owner)
        }
        return begun
    }

    /// Restores the players. One that has reported something meanwhile is no longer kept paused.
    ///
    /// - Returns: the sources whose players now play although Tacet had kept them paused for a command.
    private mutating func restorePlayers(_ boot: Boot, at now: Duration) -> [Int?] {
        var played: [Int?] = []
        for (player, id) in policy.players.enumerated() {
            let saved = boot.saved?.players.first { $0.player == id }
            facts.sources.players[player].pause = saved?.pause
            facts.sources.players[player].lastCommand = saved?.lastCommand
            let report = boot.players[id] ?? .gone
            facts.sources.players[player].report = report
            if let predecessor = boot.predecessor {
                facts.sources.players[player].doubt = predecessor.doubts[id]
            } else if saved != nil, boot.assumedPlayers.contains(id) {
                facts.sources.players[player].doubt = .awaited(until: now + Self.restartTime)
            }
            guard report == .gone || boot.touchedPlayers.contains(id) else { continue }
            facts.sources.players[player].pause = nil
            facts.sources.players[player].doubt = nil
            if report == .playing, saved?.pause == .command { played.append(owner(ofPlayer: player)) }
        }
        return played
    }

    // MARK: Intents

    /// Makes a source play, as the user's last command.
    mutating func play(_ owner: Int?, because cause: IntentCause, at now: Duration) {
        intend(.playing, owner, because: cause)
        note(.play, owner)
        setPlayedWhileLost(!facts.servicesAvailable, owner)
        resumePlayers(of: owner)
    }

    mutating func intend(_ intent: Intent, _ owner: Int?, because cause: IntentCause) {
        if let owner {
            facts.sources.inputs[owner].intend(intent, because: cause)
        } else {
            facts.library.intend(intent, because: cause)
        }
    }

    /// Records the user's last command about a source.
    mutating func note(_ command: Episode.LastCommand, _ owner: Int?) {
        if facts.episode != nil {
            if let owner {
                facts.sources.inputs[owner].lastCommand = command
            } else {
                facts.episode?.lastCommand = command
            }
        }
        for player in facts.sources.players.indices where self.owner(ofPlayer: player) == owner {
            facts.sources.players[player].lastCommand = command
        }
    }

    func playedWhileLost(_ owner: Int?) -> Bool {
        owner.map { facts.sources.inputs[$0].playedWhileLost } ?? facts.library.playedWhileLost
    }

    mutating func setPlayedWhileLost(_ played: Bool, _ owner: Int?) {
        if let owner {
            facts.sources.inputs[owner].playedWhileLost = played
        } else {
            facts.library.playedWhileLost = played
        }
    }

    /// Pauses every source that plays and about which the user has not said otherwise. Also pauses their players.
    ///
    /// - Parameter isExempt: returns true if the source must keep its intent.
    mutating func pauseSources(because cause: IntentCause, unless isExempt: (Int?) -> Bool) {
        for owner in owners where intent(of: owner) == .playing && !isExempt(owner) {
            intend(.paused, owner, because: cause)
            pausePlayers(of: owner)
        }
    }

    /// The library and the inputs that have their own intent.
    var owners: [Int?] { [nil] + policy.inputs.indices.filter { policy.inputs[$0].role == .programme }.map { $0 } }

    /// The user's last command about a source in the episode in progress.
    func lastCommand(_ owner: Int?) -> Episode.LastCommand? {
        owner.map { facts.sources.inputs[$0].lastCommand } ?? facts.episode?.lastCommand
    }
}

extension Policy {
    /// Returns the signals that are asserted while a page sounds.
    func pages(of input: InputID) -> [SignalID] { signals.filter { $0.input == input }.map(\.id) }
}
