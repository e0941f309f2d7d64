/// The configuration of `tacet-mqtt`, which consists of `mqtt.conf` and its drop-ins.
public struct BrokerConfiguration: Hashable, Sendable {
    /// The supported versions of MQTT.
    public enum ProtocolVersion: String, Hashable, Sendable, CaseIterable {
        case v311 = "3.1.1"
        case v5 = "5"
    }

    /// The condition under which the wall clock is trusted.
    public enum ClockTrust: String, Hashable, Sendable, CaseIterable {
        /// The clock is trusted if the kernel reports that it is synchronised.
        case auto
        /// The clock is always trusted, for example because a receiver sets it or because the board is in a workshop.
        case yes
    }

    /// The section [Broker].
    public struct Broker: Hashable, Sendable {
        /// The broker's name or address. If this is empty, no broker is configured.
        public var host = ""
        /// The configured port, or nil for 8883 with TLS and 1883 without.
        public var port: Int?
        public var version = ProtocolVersion.v5
        /// The client's name. If this is empty, it is `tacet-` and the board's name.
        public var clientID = ""
        /// The user's name. If this is empty, none is sent.
        public var user = ""
        /// The name of the credential, or the absolute path of the file, that contains the password.
        public var password = "mqtt-password"
        public var isEncrypted = false
        /// The file with the authorities' certificates. If this is empty, the system's certificates are used.
        public var authorities = ""
        public var certificate = ""
        public var privateKey = ""
        public var keepAlive = Duration.seconds(30)
        public var sessionExpiry = Duration.seconds(3600)

        /// The configured port, or the usual one if none is configured.
        public var effectivePort: Int { port ?? (isEncrypted ? 8883 : 1883) }
    }

    /// The section [Board].
    public struct Board: Hashable, Sendable {
        public var prefix = "tacet"
        /// The board's name. If this is empty, it is the machine's host name.
        public var name = ""
        public var groups: [String] = []
        public var trustsClock = ClockTrust.auto
        public var announcesItself = false
        public var discoveryPrefix = "homeassistant"
        /// The path of the file for Prometheus. If this is empty, none is written.
        public var prometheusFile = ""
    }

    /// The section [Ruter], for Ruter's vehicle API. Empty topics are not used.
    public struct Ruter: Hashable, Sendable {
        public var audioTopic = ""
        public var sound = ""
        public var speakers = ["INTERNAL"]
        /// The beginning of the URLs of audio. If this is empty, nothing is downloaded.
        public var audioServer = ""
        public var stopTopic = ""
        public var stopSignal = ""
        /// The signal for a request by a person who needs more time. If this is empty, no signal is used.
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

    /// Returns true if a text can be a whole topic.
    static func isTopic(_ text: String) -> Bool {
        (1...1000).contains(text.utf8.count) && !text.utf8.contains { $0 <= 0x20 || "+#".utf8.contains($0) }
    }

    /// Returns true if a text can be one level of a topic.
    public static func isTopicName(_ text: String) -> Bool {
        (1...64).contains(text.utf8.count) && !text.utf8.contains { $0 <= 0x20 || "/+#".utf8.contains($0) }
    }
}
