/// A message that the broker has delivered.
public struct MQTTMessage: Hashable, Sendable {
    public var topic: String
    public var payload: [UInt8]
    /// True if the broker has kept the message for new subscribers. Such a message may be old.
    public var isRetained: Bool
    /// The topic to which the publisher expects the answer, or nil if it has not specified one. This requires MQTT 5.
    public var responseTopic: String?
    /// The data that the answer must carry, or nil if the publisher has not specified any. This requires MQTT 5.
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

    /// The approximate number of bytes that the message takes.
    var size: Int {
        512 + payload.count + topic.utf8.count + (correlation?.count ?? 0) + (responseTopic?.utf8.count ?? 0)
    }
}

/// A message to publish, with quality of service 1 (at least once).
public struct MQTTPublication: Hashable, Sendable {
    public var topic: String
    public var payload: [UInt8]
    /// True if the broker keeps the message for new subscribers.
    public var isRetained: Bool
    /// The correlation data of the request, if this message is an answer. This requires MQTT 5. See
    /// `MQTTMessage.correlation`.
    public var correlation: [UInt8]?

    public init(_ topic: String, _ payload: String, isRetained: Bool = false, correlation: [UInt8]? = nil) {
        self.topic = topic
        self.payload = Array(payload.utf8)
        self.isRetained = isRetained
        self.correlation = correlation
    }
}

/// An event on a connection.
public enum MQTTEvent: Hashable, Sendable {
    /// The broker has accepted this client.
    /// - Parameter unacknowledged: the number of earlier publications that the broker has not acknowledged. They are
    ///   now repeated.
    case connected(unacknowledged: Int)
    /// The broker has granted (true) or refused (false) each filter of a subscription.
    case subscribed([Bool])
    case message(MQTTMessage)
    /// A subscription could not be sent, so it will not be answered.
    case notSubscribed(String)
    /// The broker has acknowledged a publication to this topic. With MQTT 5, `refused` is the reason why the broker did
    /// not accept the publication, or nil if it did.
    case acknowledged(topic: String, refused: String?)
    /// A message to this topic could not be sent, so it will not be acknowledged.
    case notPublished(topic: String, String)
    /// Messages have been discarded.
    case failed(String)
    /// The connection has ended or could not be established.
    case disconnected(MQTTLoss)
}

/// The reason why a connection has ended or could not be established.
public struct MQTTLoss: Hashable, Sendable {
    public enum Cause: Hashable, Sendable {
        /// The broker has sent data that MQTT does not allow. If the broker has kept this data, it will send it again.
        case malformed
        /// The broker has reported that another client with the same identifier has connected.
        case rival
        /// The cause may be another client with the same identifier, although the broker has not reported one. Few
        /// brokers do.
        case perhapsRival
        /// Any other cause. See `reason`.
        case other
    }

    /// The reason as a text.
    public let reason: String
    public let cause: Cause

    public init(_ reason: String, _ cause: Cause = .other) {
        self.reason = reason
        self.cause = cause
    }
}
