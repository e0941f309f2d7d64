import AudioSession

/// How the board takes part in Ruter's vehicle API, the topics of a public-transport vehicle's own broker.
/// <https://github.com/RuterNo/adt-doc>
public struct RuterSettings: Hashable, Sendable {
    /// What the vehicle's passengers are to hear; nil: nothing from there.
    public struct Audio: Hashable, Sendable {
        public var topic: String
        /// The sound that says how loud it is, with which priority, and what the music does.
        public var sound: SoundID
        /// The groups of speakers that this board drives.
        public var speakers: Set<String>
        /// What every URL must begin with; nil: nothing is downloaded.
        public var server: String?

        public init(topic: String, sound: SoundID, speakers: Set<String>, server: String? = nil) {
            self.topic = topic
            self.sound = sound
            self.speakers = speakers
            self.server = server
        }
    }

    /// The passengers' request to stop; nil: it is not reported.
    public struct StopRequest: Hashable, Sendable {
        public var topic: String
        public var signal: SignalID
        /// Of the button for those who need more time; nil: there is none.
        public var accessibleSignal: SignalID?

        public init(topic: String, signal: SignalID, accessibleSignal: SignalID? = nil) {
            self.topic = topic
            self.signal = signal
            self.accessibleSignal = accessibleSignal
        }
    }

    /// Whether a door is open; nil: that is not reported.
    public struct Door: Hashable, Sendable {
        public var topic: String
        public var signal: SignalID

        public init(topic: String, signal: SignalID) {
            self.topic = topic
            self.signal = signal
        }
    }

    public var audio: Audio?
    public var stopRequest: StopRequest?
    public var door: Door?

    public init(audio: Audio? = nil, stopRequest: StopRequest? = nil, door: Door? = nil) {
        self.audio = audio
        self.stopRequest = stopRequest
        self.door = door
    }
}
