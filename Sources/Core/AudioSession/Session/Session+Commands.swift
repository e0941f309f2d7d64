/// Users' commands (see <doc:Semantics#Commands>). They change the intent at once, and the output as soon as possible.
extension Session {
    mutating func handle(_ command: Command, at now: Duration, _ reaction: inout Reaction) {
        switch command {
        case .play: play(at: now, &reaction)
        case .choose(let choice): choose(choice, at: now, &reaction)
        case .goTo(let track): goTo(track, at: now, &reaction)
        case .pause: pause(&reaction)
        // The effect depends on whether music is playing, as on a phone.
        case .playPause: if directive != .silent { pause(&reaction) } else { play(at: now, &reaction) }
        case .stop: stop(&reaction)
        case .next: step(.forwards, &reaction)
        case .previous: step(.backwards, &reaction)
        case .seek(let position, let length): seek(to: position, trackLength: length, &reaction)
        case .volume(let level):
            facts.volume = min(level, policy.maximumVolume)
            reaction.answer = .success
        case .announce(let announcement): announce(announcement, at: now, &reaction)
        case .hush: hush(&reaction)
        case .record: record(&reaction)
        case .stopRecording: stopRecording(&reaction)
        }
    }

    mutating func play(at now: Duration, _ reaction: inout Reaction) {
        let owner = selectedOwner
        play(owner, because: .user, at: now)
        dropStuck(at: now)
        // The intent changes even without a track, so that playback starts when a disk is mounted later.
        reaction.answer = hasContent ? .success : .noActionableNowPlayingItem
        reaction.requestsSound = hasContent
    }

    private mutating func pause(_ reaction: inout Reaction) {
        let owner = selectedOwner
        note(.pause, owner)
        setPlayedWhileLost(false, owner)
        guard intent != .stopped else {
            reaction.answer = .noActionableNowPlayingItem
            return
        }
        intend(.paused, owner, because: .user)
        pausePlayers(of: owner)
        reaction.answer = .success
    }

    private mutating func stop(_ reaction: inout Reaction) {
        let owner = selectedOwner
        intend(.stopped, owner, because: .user)
        note(.stop, owner)
        setPlayedWhileLost(false, owner)
        pausePlayers(of: owner)
        if owner == nil, track != nil { reaction.playback.append(.seek(.zero)) }
        reaction.answer = .success
    }

    /// Passes a command to the player of the selected input, if the player plays or is paused.
    private func pass(_ command: PlayerCommand, to input: Int, _ reaction: inout Reaction) {
        guard let player = livePlayer(of: input) else { return reaction.answer = .noActionableNowPlayingItem }
        reaction.playerCommand = (player, command)
        reaction.answer = .success
    }

    /// Selects the next or previous track. Past either end of the list with `Repeat=none`, playback stops at the start
    /// of the first track, as in MPRIS.
    private mutating func step(_ direction: Action.Direction, _ reaction: inout Reaction) {
        if let selectedInput { return pass(direction == .forwards ? .next : .previous, to: selectedInput, &reaction) }
        if let choice { return step(direction, in: choice, &reaction) }
        guard facts.library.trackCount > 0 else {
            reaction.answer = .noActionableNowPlayingItem
            return
        }
        let neighbour = policy.repeats.neighbour(of: facts.library.track, count: facts.library.trackCount, direction)
        if neighbour == nil { stopAtEnd() }
        facts.library.track = neighbour ?? 0
        reaction.playback.append(.load(track: facts.library.track, direction: neighbour == nil ? .forwards : direction))
        reaction.answer = .success
    }

    private mutating func seek(to position: Duration, trackLength: Duration?, _ reaction: inout Reaction) {
        if let selectedInput { return pass(.seek(max(position, .zero)), to: selectedInput, &reaction) }
        guard track != nil, facts.library.intent != .stopped else {
            reaction.answer = .noActionableNowPlayingItem
            return
        }
        if let trackLength, position >= trackLength {
            step(.forwards, &reaction)
        } else {
            reaction.playback.append(.seek(max(position, .zero)))
            reaction.answer = .success
        }
    }

    /// Stops at the start of the first track, because the last track has ended and nothing repeats.
    mutating func endPlayback(_ reaction: inout Reaction) {
        if let choice { return end(choice, &reaction) }
        stopAtEnd()
        facts.library.track = 0
        reaction.playback.append(.load(track: 0, direction: .forwards))
    }

    /// Stops the library because there is no further track. Music that the user has paused or stopped stays so.
    mutating func stopAtEnd() {
        guard facts.library.intent != .stopped else { return }
        let isPausedByUser = facts.library.intent == .paused && intentCause == .user
        facts.library.intend(.stopped, because: isPausedByUser ? .user : .playlistEnded)
    }
}

extension Policy.Repeat {
    /// Returns the track that `next` or `previous` selects, or nil past either end of a list that does not repeat.
    /// Tracks are numbered from 0.
    public func neighbour(of track: Int, count: Int, _ direction: Action.Direction) -> Int? {
        let target = direction == .forwards ? track + 1 : track - 1
        if (0..<count).contains(target) { return target }
        return self == .none || count == 0 ? nil : (target + count) % count
    }

    /// Returns the track that follows the end of another, or nil at the end of a list that does not repeat. Tracks are
    /// numbered from 0.
    public func successor(of track: Int, count: Int) -> Int? {
        self == .track ? track : neighbour(of: track, count: count, .forwards)
    }
}
