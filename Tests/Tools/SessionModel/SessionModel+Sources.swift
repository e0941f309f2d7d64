import AudioSession
import Configuration

/// The inputs whose audio arrives live, and the selection of the source that plays.
extension SessionModel {
    /// The user's intent for one source.
    struct Wish {
        var intent: Intent
        /// True if the source was last given `play`, while the device was lost.
        var playedWhileLost = false
        /// True if the user paused or stopped the source and has not played it since.
        var isHeld = false
    }

    struct Input {
        let settings: InputSettings
        var wish = Wish(intent: .stopped)
        /// True if audio arrives, even while nothing is running, and the time of the last change.
        var arrives = false
        var changed = Duration.zero
        var sounds = false
        /// True if the user has chosen tracks while the input sounded.
        var isPassedOver = false
        /// The position in the order in which inputs began to sound.
        var order = 0
        /// The time at which the input last ceased to sound, or nil if it never sounded.
        var ceased: Duration?
        /// True if the input has ceased to sound since the boot.
        var hasCeased = false
        /// The time until which Tacet kept its player paused.
        var kept = Duration.zero
        var voice = Voice()

        var name: String { settings.id.rawValue }
        var role: InputPolicy.Role { settings.policy.role }

        /// The time at which the input begins to sound if nothing changes, or nil if it does not.
        var begins: Duration? {
            guard arrives, !sounds else { return nil }
            let settle = role == .automaticProgramme && hasCeased ? settings.arrival.settle ?? .zero : .zero
            return changed + max(settings.arrival.attack, settle)
        }
    }

    /// The time at which an input ceases to sound if nothing changes, or nil if it does not. An input goes on sounding
    /// while Tacet keeps its player paused.
    func end(of index: Int) -> Duration? {
        let input = inputs.all[index]
        guard input.sounds, !input.arrives, !isPlayerKept(of: index) else { return nil }
        return max(input.changed, input.kept) + input.settings.arrival.idle
    }

    /// The sound of an input.
    struct Voice {
        /// The time at which the first frame was played.
        var startedAt = Duration.zero
        /// The time at which a fade-out is complete that can be reversed.
        var fadesUntil: Duration?
    }

    /// All inputs, in the order of the configuration.
    struct Inputs {
        var all: [Input]
        /// The index of the input that plays.
        var audible: Int?
        var began = 0
        var startsNow = false
    }

    /// The owner of an intent. An automatic input shares the library's intent.
    enum Owner: Hashable { case library, input(Int) }

    // MARK: Derived state

    /// The index of the selected input, or nil if the library is selected.
    var selected: Int? {
        func last(_ role: InputPolicy.Role) -> Int? {
            inputs.all.indices.filter { index in
                let input = inputs.all[index]
                return input.sounds && !input.isPassedOver && input.role == role
            }
            .max { inputs.all[$0].order < inputs.all[$1].order }
        }
        return last(.programme) ?? last(.automaticProgramme)
    }

    /// The name of the selected source.
    var source: String { selected.map { inputs.all[$0].name } ?? "library" }

    func owner(of input: Int?) -> Owner {
        guard let input, inputs.all[input].role != .automaticProgramme else { return .library }
        return .input(input)
    }

    var owner: Owner { owner(of: selected) }

    var owners: [Owner] {
        [.library] + inputs.all.indices.filter { inputs.all[$0].role == .programme }.map(Owner.input)
    }

    /// The intent of the selected source.
    public var intent: Intent { self[owner].intent }

    subscript(owner: Owner) -> Wish {
        get {
            switch owner {
            case .library: library
            case .input(let index): inputs.all[index].wish
            }
        }
        set {
            switch owner {
            case .library: library = newValue
            case .input(let index): inputs.all[index].wish = newValue
            }
        }
    }

    // MARK: Events

    mutating func arrival(_ index: Int, _ arrives: Bool) {
        guard inputs.all[index].arrives != arrives else { return }
        inputs.all[index].arrives = arrives
        inputs.all[index].changed = now
    }

    mutating func beginInput(_ index: Int) {
        lastCommand = now
        let before = source
        start(index)
        if inputs.all[index].role == .page {
            setPage(index, true)
            return
        }
        if source != before { reaction.notifications.append("sourceChanged(\(source))") }
        if inputs.all[index].role == .programme, !isHeld(index) { play(.input(index)) }
        settle()
    }

    mutating func ceaseInput(_ index: Int) {
        lastCommand = now
        let before = source
        (inputs.all[index].sounds, inputs.all[index].isPassedOver) = (false, false)
        (inputs.all[index].ceased, inputs.all[index].hasCeased) = (now, true)
        if inputs.all[index].role == .page {
            setPage(index, false)
            return
        }
        if source != before { reaction.notifications.append("sourceChanged(\(source))") }
        settle()
    }

    private mutating func start(_ index: Int) {
        inputs.began += 1
        (inputs.all[index].sounds, inputs.all[index].order) = (true, inputs.began)
    }

    /// Returns true if the user has paused the input, and it has not been silent for a minute since.
    private func isHeld(_ index: Int) -> Bool {
        inputs.all[index].wish.isHeld && inputs.all[index].ceased.map { now - $0 < .seconds(60) } ?? true
    }

    /// Gives a source the command `play`.
    mutating func play(_ owner: Owner, dropsStuckSignals: Bool = true) {
        say("play", to: owner)
        self[owner].intent = .playing
        self[owner].isHeld = false
        resumePlayers(of: owner)
        guard dropsStuckSignals else { return }
        for index in signals.indices where signals[index].isStuck { drop(index) }
    }

    mutating func say(_ word: String, to owner: Owner) {
        episode?.lastCommands[owner] = word
        self[owner].playedWhileLost = word == "play" && !device.isThere
        noteWord(word, to: owner)
    }

    /// Pauses a source against the user's wish.
    mutating func pauseUnasked(_ owner: Owner) {
        guard self[owner].intent == .playing else { return }
        self[owner].intent = .paused
        pausePlayers(of: owner)
    }

    // MARK: Power

    /// Handles the inputs at a boot, before the lines are read. What arrives sounds at once.
    /// - Returns: The inputs that begin anew.
    mutating func bootInputs() -> [Int] {
        var began: [Int] = []
        for index in inputs.all.indices {
            let sounded = inputs.all[index].sounds
            inputs.all[index].hasCeased = false
            inputs.all[index].sounds = inputs.all[index].arrives || (sounded && isPlayerKept(of: index))
            if sounded, !inputs.all[index].sounds { inputs.all[index].ceased = now }
            // An input that is silent at a boot begins anew whenever it next sounds.
            if !inputs.all[index].sounds {
                inputs.all[index].wish.isHeld = false
                inputs.all[index].isPassedOver = false
            }
            if !sounded, inputs.all[index].sounds {
                start(index)
                began.append(index)
            }
            if inputs.all[index].role == .page { setLevels(of: index) }
        }
        return began.filter { inputs.all[$0].role == .programme }
    }

    // MARK: Pages

    private func pageSignals(of index: Int) -> [Int] {
        signals.indices.filter { signals[$0].policy.input == inputs.all[index].settings.id }
    }

    private mutating func setLevels(of index: Int) {
        for signal in pageSignals(of: index) { signals[signal].isHigh = inputs.all[index].sounds }
    }

    private mutating func setPage(_ index: Int, _ isAsserted: Bool) {
        edges(pageSignals(of: index), isAsserted)
        // A suppressed alert does not block.
        let blocking = pageSignals(of: index).filter { signals[$0].standing == .active && blocks(signals[$0]) }
        let reasons = blocking.map { signals[$0].policy.effect }
        let isMuting = !reasons.isEmpty && reasons.allSatisfy { $0 == .muteMicrophone }
        settle(reason: isMuting ? "builtInMicMuted" : "default")
    }
}
