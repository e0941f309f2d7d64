import AudioSession
import Configuration
import Playback
import ResumeStore

extension Supervisor {
    /// What happens to a supervisor.
    public enum Input: Sendable {
        /// The start, which comes first.
        case boot(StartingFacts)
        /// Time has passed: what is due by now is handled. It follows the other inputs of an instant, `Supervisor.deadline`, and
        /// an event of the player.
        case time
        /// A line's raw level; nil if the line can no longer be read. Lines that were read together are conditioned together, by
        /// the next `time`.
        case line(SignalID, level: Bool?)
        /// A signal's level after conditioning; for rehearsals.
        case edge(Edge)
        /// An event of the devices or the route.
        case event(Event)
        /// A user's command, which the next report answers.
        /// - Parameter hasWithdrawn: whether this hush has withdrawn announcements whose files were still being read.
        case command(Command, hasWithdrawn: Bool = false)
        /// A request for an announcement. The supervisor numbers it, and the next report has the number and the answer.
        /// - Parameter clip: what is heard instead of the sound's own file; nil for that.
        case announce(Announcement, clip: SoundClip? = nil)
        /// An announcement is not requested, because its file cannot be used, or it was withdrawn before.
        case reject(Announcement, Answer, AnnouncedFile)
        /// The player's events, in order, as an answer to the effect `takeEvents`.
        case events([PlaybackEvent])
        /// The system has woken.
        /// - Parameters:
        ///   - since: when the device stopped.
        ///   - levels: the lines, read again.
        ///   - changes: what happened to the device, the route and the device's format meanwhile.
        case wake(since: Duration, levels: [SignalID: Bool], changes: [Event] = [])
        /// Whether nothing is wrong besides the session's faults.
        case health(isGood: Bool)
        /// Some track can be playable again, for example because the storage has returned.
        case tracksMayHaveReturned
        /// Whether there are no tracks only because the library is still being read: then `play` is deferred.
        case library(isPending: Bool)
        /// Another configuration, which `Supervisor.canAdopt` allows.
        case configuration(Configuration)
        /// Apple's preference of the same name: for signals with `Alert=yes` that are asserted from now on.
        case prefersNoInterruptionsFromSystemAlerts(Bool)
        /// What repeats, and whether the list is shuffled; nil keeps either. It takes effect at the next boot, because the player
        /// was made with its list.
        case choice(repeats: Policy.Repeat? = nil, shuffle: Bool? = nil)
        /// The present state must be saved, because the shell's additions to it have changed, or the position of a fade-out is
        /// known now.
        case save(urgently: Bool)
        /// The effect `setStateAside` has failed.
        case stateNotSetAside(StateError, because: StateError)
        /// The end: music and sound are silenced for good. The intent is unchanged, so that the next boot resumes. Only `save`
        /// may follow.
        /// - Parameter longest: the longest fade-out allowed.
        case retire(within: Duration)
    }
}

/// The time of an input.
public struct Moment: Hashable, Sendable {
    /// On a clock that never goes back.
    public var time: Duration
    /// Since 1970, by the wall clock, which can be wrong.
    public var wallClock: Duration

    public init(_ time: Duration, wallClock: Duration) {
        self.time = time
        self.wallClock = wallClock
    }
}

/// What a supervisor starts from. The state is read before the lines, and both before the device is opened, so that there is
/// no burst of sound while a phone is ringing.
public struct StartingFacts: Sendable {
    /// The state that was saved last; nil on a first boot.
    public var state: Result<SavedState?, StateError>
    /// The electrical levels of all lines, read together. A line that cannot be read is missing.
    public var levels: [SignalID: Bool]
    /// Whether the device is available; also true if this is not known yet, and an event will report it. If the predecessor
    /// had lost the device, an event always reports.
    public var isDeviceAvailable = true
    /// Likewise for the capture device.
    public var isCaptureAvailable = true
    /// The seed of a new shuffled order.
    public var shuffleSeed: UInt64
    /// A retired supervisor of this process. Its reports are not repeated, and its lines' state is inherited.
    public var predecessor: Supervisor?
    /// As for the input `health`; with a predecessor, what it knew counts until then.
    public var isHealthy = true

    public init(state: Result<SavedState?, StateError>, levels: [SignalID: Bool], shuffleSeed: UInt64) {
        self.state = state
        self.levels = levels
        self.shuffleSeed = shuffleSeed
    }
}
