/// How to reach a broker, and as whom.
public struct MQTTSettings: Hashable, Sendable {
    public enum ProtocolVersion: Int32, Hashable, Sendable {
        case v311 = 4
        case v5 = 5
    }

    public struct TLS: Hashable, Sendable {
        /// The file with the certificates of the authorities that may sign the broker's; nil: those of the system.
        public var authorities: String?
        /// The files with this client's certificate and its private key; nil: the client has none.
        public var certificate: String?
        public var privateKey: String?

        public init(authorities: String? = nil, certificate: String? = nil, privateKey: String? = nil) {
            self.authorities = authorities
            self.certificate = certificate
            self.privateKey = privateKey
        }
    }

    public var host = "localhost"
    public var port: UInt16 = 1883
    public var version = ProtocolVersion.v5
    /// Two clients with the same one disconnect each other.
    public var clientID = ""
    public var user: String?
    public var password: String?
    /// nil: not encrypted.
    public var tls: TLS?
    /// How long the connection may be silent, in seconds from 5 to 65535: a dead one is noticed after
    /// up to twice this long.
    public var keepAlive: UInt16 = 30
    /// MQTT 5: how long the broker keeps messages for a client that is away, in seconds. With 0, and with MQTT 3.1.1, which
    /// has no such limit, it keeps none.
    public var sessionExpiry: UInt32 = 0
    /// MQTT 5: the largest packet that the broker may send, in bytes.
    public var maximumPacketSize: UInt32 = 4 << 20
    /// What the broker publishes when it loses this client.
    public var will: MQTTPublication?

    public init() {}
}
