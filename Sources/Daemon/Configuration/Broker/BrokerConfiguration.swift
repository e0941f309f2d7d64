/// What `tacet-mqtt` is configured with: `mqtt.conf` and its drop-ins.
public struct BrokerConfiguration: Hashable, Sendable {
    /// MQTT's versions.
    public enum ProtocolVersion: String, Hashable, Sendable, CaseIterable {
        case v311 = "3.1.1"
        case v5 = "5"
    }

    /// Whether the wall clock can be trusted.
    public enum ClockTrust: String, Hashable, Sendable, CaseIterable {
        /// If the kernel says that it is synchronised.
        case auto
        /// Always, as with a clock that is set by a receiver, or in a workshop.
        case yes
    }

    /// The section [Broker].
    public struct Broker: Hashable, Sendable {
        /// Empty: no broker is configured.
        public var host = ""
        /// nil: 8883 with TLS, 1883 without.
        public var port: Int?
        public var version = ProtocolVersion.v5
        /// Empty: `tacet-` and the board's name.
        public var clientID = ""
        /// Empty: none.
        public var user = ""
        /// The name of the credential, or the absolute path of the file, with the password.
        public var password = "mqtt-password"
        public var isEncrypted = false
        /// Empty: those of the system.
        public var authorities = ""
        public var certificate = ""
        public var privateKey = ""
        public var keepAlive = Duration.seconds(30)
        public var sessionExpiry = Duration.seconds(3600)

        /// The port that is configured, or the usual one.
        public var effectivePort: Int { port ?? (isEncrypted ? 8883 : 1883) }
    }

    /// The section [Board].
    public struct Board: Hashable, Sendable {
        public var prefix = "tacet"
        /// Empty: the machine's host name.
        public var name = ""
        public var groups: [String] = []
        public var trustsClock = ClockTrust.auto
        public var announcesItself = false
        public var discoveryPrefix = "homeassistant"
        /// Empty: none.
        public var prometheusFile = ""
    }

    /// The section [Ruter], for Ruter's vehicle API. Topics that are empty are not used.
    public struct Ruter: Hashable, Sendable {
        public var audioTopic = ""
        public var sound = ""
        public var speakers = ["INTERNAL"]
        /// Empty: nothing is downloaded.
        public var audioServer = ""
        public var stopTopic = ""
        public var stopSignal = ""
        /// Empty: there is none.
        public var accessibleStopSignal = ""
        public var doorTopic = ""
        public var doorSignal = ""
    }

    public var broker = Broker()
    public var board = Board()
    /// The highest priority of an announcement from the broker.
    public var maximumPriority = 40
    public var ruter = Ruter()

    public init() {}

    /// Whether a text can be a whole topic.
    static func isTopic(_ text: String) -> Bool {
        (1...1000).contains(text.utf8.count) && !text.utf8.contains { $0 <= 0x20 || "+#".utf8.contains($0) }
    }

    /// Whether a text can be one level of a topic.
    public static func isTopicName(_ text: String) -> Bool {
        (1...64).contains(text.utf8.count) && !text.utf8.contains { $0 <= 0x20 || "/+#".utf8.contains($0) }
    }
}
