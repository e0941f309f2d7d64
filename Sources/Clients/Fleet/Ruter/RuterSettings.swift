import AudioSession

/// The board's role in Ruter's vehicle API, which defines the topics of the broker inside a public-transport vehicle.
/// <https://github.com/RuterNo/adt-doc>
public struct RuterSettings: Hashable, Sendable {
    /// The settings of the announcements to the vehicle's passengers.
    public struct Audio: Hashable, Sendable {
        public var topic: String
        /// The sound that determines the level, the priority and the effect on the music.
        public var sound: SoundID
        /// The groups of speakers that this board drives.
        public var speakers: Set<String>
        /// The beginning that every URL must have, or nil if nothing is downloaded.
        public var server: String?

        public init(topic: String, sound: SoundID, speakers: Set<String>, server: String? = nil) {
            self.topic = topic
            self.sound = sound
            self.speakers = speakers
            self.server = server
        }
    }

    /// The settings of the passengers' request to stop.
    public struct StopRequest: Hashable, Sendable {
        public var topic: String
        public var signal: SignalID
        /// The signal of the button for passengers who need more time, or nil if there is none.
        public var accessibleSignal: SignalID?

        public init(topic: String, signal: SignalID, accessibleSignal: SignalID? = nil) {
            self.topic = topic
            self.signal = signal
            self.accessibleSignal = accessibleSignal
        }
    }

    /// The settings of a door whose state is reported.
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

    func uses(_ topic: String) -> Bool { [audio?.topic, stopRequest?.topic, door?.topic].contains(topic) }

    public init(audio: Audio? = nil, stopRequest: StopRequest? = nil, door: Door? = nil) {
        self.audio = audio
        self.stopRequest = stopRequest
        self.door = door
    }
}
