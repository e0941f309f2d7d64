import AudioSession
import Configuration

/// A second implementation of the session's semantics, including the position of its music. It does not share code with
/// the session, and tests compare the session with it.
///
/// It covers conditioned signals, commands, the devices, the route, sounds, recording, outputs, live inputs with the
/// conditioning of their arrival, players, sleep and power. Tests pass the events of a scenario to it and compare each row of the trace, and `CrashLab` compares each boot after a
/// power cut. `ConditioningOracle` covers raw levels.
public struct SessionModel {
    struct Signal {
        /// The raw values are the same as in a saved state.
        enum Standing: String { case active = "inForce", suppressed, dropped }

        let policy: SignalPolicy
        let releaseDelay: Duration
        let stuckAfter: Duration?
        /// The line's level, even while nothing is running.
        var isHigh = false
        var standing: Standing?
        var began = Duration.zero
        var isStuck = false
        /// True if the signal's fault has ended but the `cleared` row has not been written yet.
        var isCleared = false
        /// True if the signal's cue has been played to its end since the signal began.
        var isCueDone = false
        /// The part of the cue that was played before it was cut.
        var cuePlayed = Duration.zero
        /// The end of an assertion that a boot or a waking system has kept.
        var releases: Duration?

        var name: String { policy.id.rawValue }
    }

    struct Episode {
        var lastCommands: [Owner: String] = [:]
        var recordingWord: String?
        var recommends = true
    }

    /// The result of an event, and the state before it.
    struct Reaction {
        /// The directive's level, or nil if it was silent.
        var levelBefore: Level?
        var duckBefore: Level?
        var activeDuckBefore: Level?
        var answer: Answer?
        var notifications: [String] = []
        var cut: [String] = []
        var ended: [String] = []
        var expired: [String] = []
        var soundBegan: [String] = []
        /// True if the music starts.
        var startsNow = false
    }

    let configuration: Configuration
    var policy: Policy { configuration.session }
    let tracks: [(name: String, length: Duration)]
    var chosen: Chosen?
    /// The lengths of the sounds whose files can be read.
    let soundLengths: [String: Duration]
    /// The tracks of the playlist for idle times.
    public var idleTracks: [(name: String, length: Duration)] = []

    var now = Duration.zero
    var isOn = false
    var signals: [Signal]
    /// The wish for the library, and for automatic inputs.
    var library: Wish
    public internal(set) var volume: Level
    var episode: Episode?
    var episodeEnds: Duration?
    var heldDuck: (level: Level, until: Duration)?
    var device = Device()
    var hearing = Hearing()
    var playback = TestMusic()
    /// The announcements that have neither been played to their end nor dropped, in the order of their requests.
    var announcements: [Announcement] = []
    var announced = 0
    /// The times of the last accepted requests for announcements, by sound.
    var accepted: [String: Duration] = [:]
    /// The last sound that was ordered, until it ends.
    var heard: Heard?
    var outputs: [BoardOutput]
    var inputs: Inputs
    var players: [Player]
    /// The recorder, or nil if the session cannot record.
    var recorder: Recorder?
    /// The time at which the system wakes, or nil while it is awake.
    var wakes: Duration?
    /// The time at which it fell asleep, until it has woken.
    var fellAsleep: Duration?
    /// The time of the last command, or nil once the playlist for idle times has been chosen.
    var lastCommand: Duration? = .zero
    var reaction = Reaction()

    /// - Parameters:
    ///   - tracks: The tracks with their lengths.
    ///   - sounds: The sounds whose files can be read, with their lengths.
    public init(
        _ configuration: Configuration, tracks: [(name: String, length: Duration)],
        sounds: [(name: String, length: Duration)] = []
    ) {
        self.configuration = configuration
        self.tracks = tracks
        soundLengths = Dictionary(uniqueKeysWithValues: sounds.map { ($0.name, $0.length) })
        outputs = configuration.outputs.map { BoardOutput(name: $0.policy.id.rawValue, meaning: $0.policy.meaning) }
        recorder = Recorder(configuration)
        library = Wish(intent: configuration.session.autoPlay ? .playing : .stopped)
        inputs = Inputs(all: configuration.inputs.map { Input(settings: $0) })
        players = configuration.session.players.map { player in
            let input = configuration.inputs.firstIndex { $0.policy.player == player }
            return Player(name: player.rawValue, input: input)
        }
        volume = min(configuration.session.volume, configuration.session.maximumVolume)
        signals = configuration.session.signals.map {
            let line = configuration.lines[$0.id]
            return Signal(policy: $0, releaseDelay: line?.releaseDelay ?? .zero, stuckAfter: line?.stuckAfter)
        }
    }

    // MARK: Derived state

    var active: [Signal] { signals.filter { $0.standing == .active } }
    var isBlocked: Bool { active.contains(where: blocks) }
    var plays: Bool {
        let hasTrack = selected != nil || !list.isEmpty
        return intent == .playing && device.isThere && episode == nil && hasTrack && !duePauses
    }
    /// The directive's level, or nil if it is silent.
    var level: Level? { plays ? min(duck ?? .full, announcedLevel ?? .full) : nil }
    public var directive: Directive { level.map(Directive.play) ?? .silent }

    // MARK: Events

    /// Records the state before an event.
    mutating func begin() {
        reaction = Reaction()
        guard isOn else { return }
        (reaction.levelBefore, reaction.duckBefore, reaction.activeDuckBefore) = (level, duck, activeDuck)
    }

    /// Derives the consequences of a change for the episode, the ducks and the music.
    /// - Parameters:
    ///   - reason: The reason of an episode that begins.
    ///   - target: A position in the track to which to jump.
    ///   - fades: True if a fade-out that begins now is audible.
    mutating func settle(reason: String = "default", jump target: Duration? = nil, fades: Bool = true) {
        let delay = policy.resumeDelay
        if isBlocked {
            episodeEnds = nil
            if episode == nil {
                episode = Episode()
                reaction.notifications.append("began(\(reason))")
            }
        } else if episode != nil {
            if delay > .zero { episodeEnds = episodeEnds ?? now + delay } else { endEpisode() }
        }
        if activeDuck != nil || delay == .zero {
            heldDuck = nil
        } else if let level = reaction.activeDuckBefore {
            heldDuck = (level, now + delay)
        }
        noteDuck()
        move(to: target, fades: fades)
    }

    /// Derives the consequences that follow after the music has followed the directive.
    mutating func conclude() {
        settleAmplifiers()
        settleSounds()
        waitForAmplifiers()
        settleRecorder()
        settlePlayers()
    }
}
