import AudioSession
import MQTT
import SessionClient

/// The actions that the agent requests, in this order.
public enum FleetEffect: Hashable, Sendable {
    case subscribe([String])
    case publish(MQTTPublication)
    /// A request to store. It is written to disk before any later effect, so that a power cut cannot cause a second
    /// execution.
    case remember(IDMemory.Entry)
    /// A call to Tacet, which `FleetInput.answered` answers with the same number.
    case call(Int, FleetCall)
    /// A file of at most `CarriedAudio.longest` bytes to download. `FleetInput.downloaded` supplies it with the same
    /// number.
    case download(Int, url: String, within: Duration)
    case log(FleetNews)
}

public enum FleetCall: Hashable, Sendable {
    case command(String)
    case announce(FleetAnnouncement)
    case set(String, Bool, lease: Duration)
    case health
}

/// An announcement as the fleet requests it.
public struct FleetAnnouncement: Hashable, Sendable {
    /// The announcement, to which Tacet assigns a number.
    public var announcement: Announcement
    /// The audio that is played instead of the sound's own file. The caller stores it in a file, or already has that
    /// file. Otherwise, it answers with `audioMissing`.
    public var audio: CarriedAudio?
    /// The level of the audio, relative to the sound's own.
    public var level: Level
    /// The time on the monotonic clock at which the announcement expires, from which the caller computes the remaining
    /// time when it calls Tacet, or nil if the sound's own `Expire` applies.
    public var until: Duration?

    init(_ announcement: Announcement, audio: CarriedAudio?, level: Level = .full, until: Duration?) {
        self.announcement = announcement
        self.audio = audio
        self.level = level
        self.until = until
    }
}

/// The result of a call.
public enum FleetAnswer: Hashable, Sendable {
    /// The answer to a command or a signal.
    case answer(name: String, reason: String)
    /// The receipt for an announcement. Its number is 0 if the announcement was not accepted.
    case receipt(AnnouncementReceipt)
    /// - Parameter signals: the names of the signals that Tacet has, or nil if they are unknown.
    case health([String], signals: Set<String>? = nil)
    case failure(SessionError)
    /// The announcement expired before it was sent to Tacet.
    case expired
    /// The audio that an announcement refers to is not stored on this board.
    case audioMissing
}

/// The inputs of the agent.
public enum FleetInput: Sendable {
    case broker(MQTTEvent)
    case update(SessionUpdate)
    case answered(Int, FleetAnswer)
    case downloaded(Int, Result<[UInt8], DownloadFailure>)
    /// The deadline has passed.
    case time
}

/// The events to log in the journal.
public enum FleetNews: Hashable, Sendable {
    /// The broker has accepted the connection. The value is the broker's name, for people.
    case connected(String)
    case disconnected(String, reason: String)
    /// A request from the broker has been sent to Tacet.
    case executed(topic: String, what: String, id: String?)
    /// The level of a signal has changed.
    case signal(topic: String, isOn: Bool)
    /// A message has not been executed.
    case rejected(topic: String, reason: String)
    /// The number of messages that were ignored because they arrived too fast, and the number of other messages without
    /// a separate entry.
    case flood(ignored: Int, unlogged: Int)
    /// The connection was lost so often that another board may have the same name.
    case losesConnections(String)
    /// The broker has refused a publication or a subscription, or its answer is invalid.
    case brokerRefused(String)
}
