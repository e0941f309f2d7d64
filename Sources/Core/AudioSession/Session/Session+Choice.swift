/// Choices, which play other tracks in place of the library's list (see <doc:Semantics#Choices>).
extension Session {
    /// The choice that is played in place of the library's list, or nil if there is none.
    public var choice: Choice? { facts.library.choice }

    /// Plays the chosen tracks, which is the user's `play` of the library. The inputs that sound are passed over until
    /// they begin anew.
    mutating func choose(_ choice: Choice, at now: Duration, _ reaction: inout Reaction) {
        passOverInputs()
        facts.library.choice = choice
        reaction.playback.append(.choose(choice))
        play(at: now, &reaction)
    }

    /// Plays a track of the list that is played, which continues from there. Like a choice, this is the user's `play` of
    /// the library, and passes over the inputs that sound. A track of another list is outdated.
    mutating func goTo(_ track: Int, at now: Duration, _ reaction: inout Reaction) {
        guard choice?.tracks.contains(track) ?? (0..<facts.library.trackCount).contains(track) else {
            reaction.answer = .noActionableNowPlayingItem
            return
        }
        passOverInputs()
        note(track)
        reaction.playback.append(.load(track: track, direction: .forwards))
        play(at: now, &reaction)
    }

    private mutating func passOverInputs() {
        for input in facts.sources.sounding { facts.sources.inputs[input].isPassedOver = true }
    }

    /// Selects the neighbour of the chosen track. Past either end, the request's `then` decides.
    mutating func step(_ direction: Action.Direction, in choice: Choice, _ reaction: inout Reaction) {
        reaction.answer = .success
        guard let neighbour = choice.neighbour(direction) else { return end(choice, &reaction) }
        facts.library.choice?.track = neighbour
        reaction.playback.append(.load(track: neighbour, direction: direction))
    }

    /// Records the track that the player plays. A track of a former choice is outdated.
    mutating func note(_ track: Int) {
        if let choice {
            if choice.tracks.contains(track) { facts.library.choice?.track = track }
        } else {
            facts.library.track = track
        }
    }

    /// Stops at the start of a choice, or continues the library where it was left.
    mutating func end(_ choice: Choice, _ reaction: inout Reaction) {
        guard choice.request.then == .stop else { return leaveChoice(&reaction) }
        stopAtEnd()
        facts.library.choice?.track = choice.tracks.lowerBound
        reaction.playback.append(.load(track: choice.tracks.lowerBound, direction: .forwards))
    }

    /// Continues the library where it was left.
    mutating func leaveChoice(_ reaction: inout Reaction) {
        guard facts.library.choice != nil else { return }
        facts.library.choice = nil
        reaction.playback.append(.leaveChoice(track: facts.library.track))
    }
}
