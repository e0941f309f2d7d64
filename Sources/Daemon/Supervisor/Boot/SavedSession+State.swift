import AudioSession
import ResumeStore
import Signals

/// Converts between the session's state and the store's plain values.
extension SavedSession {
    /// - Parameters:
    ///   - track: The number of the saved track, if the library still contains it.
    ///   - elapsed: The time since the state was saved.
    ///   - now: The time on the session's clock.
    /// - Throws: If the state contains a value that Tacet never writes.
    init(_ state: SavedState, track: Int?, elapsed: Duration, now: Duration) throws(StateError) {
        guard let intent = Intent(rawValue: state.intent), let volume = Level(decibels: state.volume) else {
            throw .damaged("it has the intent ‘\(state.intent)’ at \(state.volume) dB")
        }
        self.init(
            intent: intent, intentCause: state.quiet?.pauseCause.flatMap(IntentCause.init), track: track ?? 0,
            volume: volume, held: [], episode: nil, wasPlaying: state.wasPlaying,
            wantsRecording: state.wantsRecording)
        for saved in state.held {
            guard let standing = Held.Standing(rawValue: saved.standing) else {
                throw .damaged("\(saved.signal) is ‘\(saved.standing)’")
            }
            held.append(
                Held(
                    signal: SignalID(saved.signal), standing: standing, began: now - elapsed - saved.age,
                    isStuck: saved.isStuck))
        }
        for saved in state.inputs {
            guard let intent = Intent(rawValue: saved.intent) else {
                throw .damaged("the input \(saved.name) is ‘\(saved.intent)’")
            }
            inputs.append(
                Input(
                    input: InputID(saved.name), intent: intent, isHeldByUser: saved.isHeldByUser,
                    isSounding: saved.isSounding, isPassedOver: saved.isPassedOver,
                    lastCommand: saved.lastCommand.flatMap(Episode.LastCommand.init)))
        }
        for saved in state.players {
            guard let pause = Player.Pause(rawValue: saved.pause) else {
                throw .damaged("the player \(saved.name) is ‘\(saved.pause)’")
            }
            players.append(
                Player(
                    player: PlayerID(saved.name), pause: pause,
                    lastCommand: saved.lastCommand.flatMap(Episode.LastCommand.init)))
        }
        guard let saved = state.episode else { return }
        guard let reason = InterruptionReason(rawValue: saved.reason) else {
            throw .damaged("it is interrupted by ‘\(saved.reason)’")
        }
        episode = Episode(
            reason: reason, lastCommand: saved.lastCommand.flatMap(Episode.LastCommand.init),
            recordingWord: saved.recordingWord.flatMap(Episode.RecordingWord.init),
            recommendsResuming: saved.recommendsResuming)
    }
}

extension HeldAssertion {
    init(_ held: SavedSession.Held) {
        self.init(since: held.began, isStuck: held.isStuck, isActive: held.standing == .active)
    }
}

extension SavedState {
    init(
        _ session: SavedSession, at now: Duration, wallClock: Duration, track: String?, position: Duration,
        continuedFrom: Duration, shuffleSeed: UInt64
    ) {
        self.init(
            savedAt: wallClock, intent: session.intent.rawValue, track: track, trackNumber: session.track,
            position: position, continuedFrom: continuedFrom, wasPlaying: session.wasPlaying,
            volume: session.volume.decibels, shuffleSeed: shuffleSeed,
            held: session.held.map {
                Held(
                    signal: $0.signal.rawValue, standing: $0.standing.rawValue, age: now - $0.began,
                    isStuck: $0.isStuck)
            },
            episode: session.episode.map {
                Episode(
                    reason: $0.reason.rawValue, lastCommand: $0.lastCommand?.rawValue,
                    recordingWord: $0.recordingWord?.rawValue,
                    recommendsResuming: $0.recommendsResuming)
            })
        wantsRecording = session.wantsRecording
        inputs = session.inputs.filter { $0.isSounding || $0.intent != .stopped || $0.isHeldByUser }.map {
            Input(
                name: $0.input.rawValue, intent: $0.intent.rawValue, isHeldByUser: $0.isHeldByUser,
                isSounding: $0.isSounding, isPassedOver: $0.isPassedOver, lastCommand: $0.lastCommand?.rawValue)
        }
        players = session.players.map {
            Player(name: $0.player.rawValue, pause: $0.pause.rawValue, lastCommand: $0.lastCommand?.rawValue)
        }
        if session.intent != .playing, let cause = session.intentCause {
            quiet = Quiet(age: .zero, pauseCause: cause.description)
        }
    }
}

extension SavedState {
    /// Adds a choice. The state's track and position are then those of the choice.
    /// - Parameters:
    ///   - left: The place at which the library was left, or nil if it is unknown.
    ///   - track: The number of the library's track.
    mutating func save(_ choice: AudioSession.Choice, left: LeftPlace?, track: Int) {
        trackNumber = choice.track - choice.tracks.lowerBound
        self.choice = ChosenList(
            name: choice.request.name, then: choice.request.then.rawValue,
            left: ChosenList.Left(track: left?.track, trackNumber: track, position: left?.position ?? .zero))
    }

    /// Returns the state without its choice, as if the library had been left and continued.
    func withoutChoice() -> SavedState {
        guard let choice else { return self }
        var state = self
        state.choice = nil
        state.track = choice.left.track
        state.trackNumber = choice.left.trackNumber
        state.position = choice.left.position
        state.continuedFrom = choice.left.position
        return state
    }
}
