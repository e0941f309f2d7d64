import ALSA
import AudioSession
import Configuration
import Playback
import ResumeStore
import Signals

extension Supervisor {
    /// Something that happens to a supervisor.
    public enum Input: Sendable {
        /// The start, which is always the first input.
        case boot(StartingFacts)
        /// Time has passed, so the supervisor handles what is due by now. Send this input after the other inputs of an
        /// instant, after an event of the player, and at `Supervisor.deadline`.
        case time
        /// The raw level of a signal's line, or of the line with the opposite contact, which is nil if the line can no
        /// longer be read. Lines that were read together are conditioned together by the next `time`.
        case line(SignalID, Contact = .main, level: Bool?)
        /// Audio has begun to arrive at an input, or has ceased, at this time, which may have passed.
        case arrival(InputID, Bool, at: Duration)
        /// The device can no longer be heard, or can be heard again, because of the mixer of a card or in a rehearsal. A
        /// player reports the same of a sound server as an event.
        case output(DeviceAudibility)
        /// A signal's level after conditioning. Only rehearsals use this.
        case edge(Edge)
        /// An event of the devices or the route.
        case event(Event)
        /// The state in which a player is after an order, in response to the effect `command`. It is part of the report
        /// whose consequence the order is. Only rehearsals use this.
        case playerOutcome(PlayerID, PlayerReport)
        /// A user's command, which the next report answers.
        /// - Parameter hasWithdrawn: True if the command is `hush` and it has withdrawn announcements whose files were
        ///   still being read.
        case command(Command, hasWithdrawn: Bool = false)
        /// A request for an announcement. The supervisor numbers it, and the next report contains the number and the
        /// answer.
        /// - Parameter clip: The clip to play instead of the sound's own file, or nil.
        case announce(Announcement, clip: SoundClip? = nil)
        /// An announcement that is not requested because its file cannot be used or because it was already withdrawn.
        case reject(Announcement, Answer, AnnouncedFile)
        /// A request to play these tracks, which must not be empty, in place of the library's list.
        case choose(ChoiceRequest, tracks: [Track])
        /// A request to play tracks that cannot be carried out, with its answer and the reason.
        case refuse(ChoiceRequest, Answer, problem: String)
        /// The tracks of `IdlePlaylist=`, in response to the effect `findIdleTracks`. They are empty if they cannot be
        /// played for the given reason.
        case idle(ChoiceRequest, tracks: [Track], problem: String? = nil)
        /// The player's events in order, in response to the effect `takeEvents`.
        case events([PlaybackEvent])
        /// The system has woken from sleep.
        /// - Parameters:
        ///   - since: The time at which the device stopped.
        ///   - levels: The levels of the lines, which have been read again.
        ///   - changes: The changes in the device, the route and the device's format during sleep.
        case wake(since: Duration, levels: LineLevels, changes: [Event] = [])
        /// The health, which is good if nothing is wrong besides the session's faults.
        case health(isGood: Bool)
        /// Some track may be playable again, for example because the storage has returned.
        case tracksMayHaveReturned
        /// The state of the library. If there are no tracks only because it is still being read, `play` is deferred.
        case library(isPending: Bool)
        /// Another configuration. It takes effect only if `Supervisor.canAdopt` allows it.
        case configuration(Configuration)
        /// Apple's preference of the same name. It applies to signals with `Alert=yes` that are asserted from now on.
        case prefersNoInterruptionsFromSystemAlerts(Bool)
        /// The chosen repeat mode and shuffle mode. A mode that is nil stays as it is. The choice takes effect at the
        /// next boot, because the player was created with its list.
        case modes(repeats: Policy.Repeat? = nil, shuffle: Bool? = nil)
        /// A request to save the current state, because the shell's additions to it have changed or because the
        /// position of a fade-out has become known.
        case save(urgently: Bool)
        /// The effect `setStateAside` has failed.
        case stateNotSetAside(StateError, because: StateError)
        /// The shutdown of the supervisor, which silences music and sound permanently. The intent does not change, so
        /// the next boot resumes the music. Only `save` may follow.
        /// - Parameter longest: The longest fade-out allowed.
        case retire(within: Duration)
    }
}

extension Supervisor.Input {
    /// True if it is a command of a user or another program, whether or not it can be carried out.
    var isCommand: Bool {
        switch self {
        case .command, .announce, .reject, .choose, .refuse, .modes, .prefersNoInterruptionsFromSystemAlerts: true
        case .boot, .time, .line, .arrival, .output, .edge, .event, .playerOutcome, .idle, .events, .wake, .health,
            .tracksMayHaveReturned,
            .library, .configuration, .save, .stateNotSetAside, .retire:
            false
        }
    }
}

/// The time of an input.
public struct Moment: Hashable, Sendable {
    /// The time on a clock that never goes back.
    public var time: Duration
    /// The time since 1970 by the wall clock, which may be wrong.
    public var wallClock: Duration

    public init(_ time: Duration, wallClock: Duration) {
        self.time = time
        self.wallClock = wallClock
    }
}

/// The information from which a supervisor starts. The state is read before the lines, and both are read before the
/// device is opened, so that the music does not start briefly while a phone is ringing.
public struct StartingFacts: Sendable {
    /// The state that was saved last, or nil on a first boot.
    public var state: Result<SavedState?, StateError>
    public var levels: LineLevels
    /// The inputs at which audio arrives.
    public var arrivals: Set<InputID> = []
    /// The players that do not have the state `gone`.
    public var players: [PlayerID: PlayerReport] = [:]
    /// The players that have reported something on their own since the state was saved.
    public var touchedPlayers: Set<PlayerID> = []
    /// The players that have not reported anything yet, so that `players` contains only an assumption.
    public var assumedPlayers: Set<PlayerID> = []
    /// True if the device is available, and also if this is not known yet and an event will report it. If the
    /// predecessor had lost the device, an event always reports it.
    public var isDeviceAvailable = true
    /// Whether the device can be heard. If this is not known yet, an event will report it.
    public var audibility = DeviceAudibility.audible
    /// The same as `isDeviceAvailable`, but for the capture device.
    public var isCaptureAvailable = true
    /// The seed of a new shuffled order.
    public var shuffleSeed: UInt64
    /// A retired supervisor of this process. The new supervisor does not repeat its reports, and inherits the state of
    /// its lines.
    public var predecessor: Supervisor?
    /// The initial health, as in the input `health`. If there is a predecessor, its health applies until that input
    /// comes.
    public var isHealthy = true

    public init(state: Result<SavedState?, StateError>, levels: LineLevels, shuffleSeed: UInt64) {
        self.state = state
        self.levels = levels
        self.shuffleSeed = shuffleSeed
    }
}
