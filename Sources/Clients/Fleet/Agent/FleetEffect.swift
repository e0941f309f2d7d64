import AudioSession
import MQTT
import SessionClient

/// What the agent wants done, in this order.
public enum FleetEffect: Hashable, Sendable {
    case subscribe([String])
    case publish(MQTTPublication)
    /// Written to disk before any later effect, so that a power cut cannot make the board execute twice.
    case remember(IDMemory.Entry)
    /// A call of Tacet, which `FleetInput.answered` answers with the same number.
    case call(Int, FleetCall)
    /// A file of at most `CarriedAudio.longest` bytes, which `FleetInput.downloaded` brings with the same number.
    case download(Int, url: String, within: Duration)
    case log(FleetNews)
}

public enum FleetCall: Hashable, Sendable {
    case command(String)
    case announce(FleetAnnouncement)
    case set(String, Bool, lease: Duration)
    case health
}

/// An announcement as the fleet wants it.
public struct FleetAnnouncement: Hashable, Sendable {
    /// Its number is Tacet's to give.
    public var announcement: Announcement
    /// What is heard instead of the sound's own file. The shell keeps it in a file, or has it in one; otherwise it answers
    /// with `audioMissing`.
    public var audio: CarriedAudio?
    /// Of the audio, relative to the sound's own.
    public var level: Level
    /// When it is too late, by the monotonic clock: the shell computes what is left when it calls; nil: the sound's own
    /// `Expire`.
    public var until: Duration?

    init(_ announcement: Announcement, audio: CarriedAudio?, level: Level = .full, until: Duration?) {
        self.announcement = announcement
        self.audio = audio
        self.level = level
        self.until = until
    }
}

/// What a call has come to.
public enum FleetAnswer: Hashable, Sendable {
    /// To a command or a signal.
    case answer(name: String, reason: String)
    /// To an announcement; the number is 0 if it was not accepted.
    case receipt(AnnouncementReceipt)
    /// - Parameter signals: the names of the signals that Tacet has; nil if that is not known.
    case health([String], signals: Set<String>? = nil)
    case failure(SessionError)
    /// Too late: the announcement has not been passed on.
    case expired
    /// The audio that an announcement names is not kept on this board.
    case audioMissing
}

/// What happens to the agent.
public enum FleetInput: Sendable {
    case broker(MQTTEvent)
    case update(SessionUpdate)
    case answered(Int, FleetAnswer)
    case downloaded(Int, Result<[UInt8], DownloadFailure>)
    /// The deadline has passed.
    case time
}

/// What the journal should say.
public enum FleetNews: Hashable, Sendable {
    /// The broker, for people.
    case connected(String)
    case disconnected(String, reason: String)
    /// A request of the broker has been passed on.
    case executed(topic: String, what: String, id: String?)
    /// A signal has another level.
    case signal(topic: String, isOn: Bool)
    /// A message has not been executed.
    case rejected(topic: String, reason: String)
    /// So many messages were ignored because they came too fast, and so many others have no entry of their own.
    case flood(ignored: Int, unlogged: Int)
    /// The connection was lost so often that another board may have this one's name.
    case losesConnections(String)
    /// The broker has not taken a publication or a subscription, or its answer makes no sense.
    case brokerRefused(String)
}
