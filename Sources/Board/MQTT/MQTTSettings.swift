/// The address of a broker, and the identity of this client.
public struct MQTTSettings: Hashable, Sendable {
    public enum ProtocolVersion: Int32, Hashable, Sendable {
        case v311 = 4
        case v5 = 5
    }

    public struct TLS: Hashable, Sendable {
        /// The file with the certificates of the authorities that may sign the broker's certificate, or nil for the
        /// system's certificates.
        public var authorities: String?
        /// The files with this client's certificate and its private key, or nil if the client does not have a
        /// certificate.
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
    /// The identifier of the client. Two clients with the same identifier disconnect each other.
    public var clientID = ""
    public var user: String?
    public var password: String?
    /// The settings of the encryption, or nil if the connection is not encrypted.
    public var tls: TLS?
    /// The time for which the connection may be silent, in seconds from 5 to 65535. A dead connection is detected after
    /// up to twice this time, even if the broker requests a longer time. If the broker requests a shorter time, that
    /// time is used.
    public var keepAlive: UInt16 = 30
    /// The time for which the broker keeps messages for a client that is not connected, in seconds. This requires MQTT
    /// 5. The broker keeps no messages if the value is 0, or with MQTT 3.1.1, which does not have such a limit.
    public var sessionExpiry: UInt32 = 0
    /// The largest packet that the broker may send, in bytes. This requires MQTT 5.
    public var maximumPacketSize: UInt32 = 4 << 20
    /// The message that the broker publishes when it loses this client.
    public var will: MQTTPublication?

    public init() {}
}
