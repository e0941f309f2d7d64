/// A message that the broker delivers.
public struct MQTTMessage: Hashable, Sendable {
    public var topic: String
    public var payload: [UInt8]
    /// Whether the broker had kept it for new subscribers: it can be old.
    public var isRetained: Bool
    /// MQTT 5: where the publisher expects the answer; nil if it has not said so.
    public var responseTopic: String?
    /// MQTT 5: what the answer must carry; nil if there is none.
    public var correlation: [UInt8]?

    public init(
        topic: String, payload: [UInt8], isRetained: Bool = false, responseTopic: String? = nil,
        correlation: [UInt8]? = nil
    ) {
        self.topic = topic
        self.payload = payload
        self.isRetained = isRetained
        self.responseTopic = responseTopic
        self.correlation = correlation
    }
}

/// A message to publish, with quality of service 1 (at least once).
public struct MQTTPublication: Hashable, Sendable {
    public var topic: String
    public var payload: [UInt8]
    /// Whether the broker keeps it for new subscribers.
    public var isRetained: Bool
    /// MQTT 5 only: see `MQTTMessage.correlation`.
    public var correlation: [UInt8]?

    public init(_ topic: String, _ payload: String, isRetained: Bool = false, correlation: [UInt8]? = nil) {
        self.topic = topic
        self.payload = Array(payload.utf8)
        self.isRetained = isRetained
        self.correlation = correlation
    }
}

/// What happens on a connection.
public enum MQTTEvent: Hashable, Sendable {
    /// The broker accepts this client.
    /// - Parameter unacknowledged: how many earlier publications it has not acknowledged; they are repeated now.
    case connected(unacknowledged: Int)
    /// The broker has granted (true) or refused each filter of a subscription.
    case subscribed([Bool])
    case message(MQTTMessage)
    /// A subscription could not be sent, and will not be answered.
    case notSubscribed(String)
    /// The broker has answered a publication to this topic. MQTT 5: `refused` says why it did not take it; nil if it did.
    case acknowledged(topic: String, refused: String?)
    /// A message to this topic could not be sent, and will not be acknowledged.
    case notPublished(topic: String, String)
    /// Messages are given up.
    case failed(String)
    /// The connection has ended, or could not be made.
    case disconnected(MQTTLoss)
}

/// Why a connection has ended, or could not be made.
public struct MQTTLoss: Hashable, Sendable {
    public enum Cause: Hashable, Sendable {
        /// The broker has sent what MQTT does not allow. If it has kept that, it will do so again.
        case malformed
        /// Perhaps another client has the same identifier: few brokers say so.
        case perhapsRival
        /// What the reason says.
        case other
    }

    /// For people.
    public let reason: String
    public let cause: Cause

    public init(_ reason: String, _ cause: Cause = .other) {
        self.reason = reason
        self.cause = cause
    }
}
