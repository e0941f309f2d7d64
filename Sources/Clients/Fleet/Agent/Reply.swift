import AudioSession
import MQTT

/// The destination of the answer to a request.
struct Reply: Hashable {
    /// The longest topic that a sender can choose, in bytes.
    static let longestResponseTopic = 256
    /// The maximum number of levels in such a topic. Brokers allow about 200.
    private static let mostResponseLevels = 32

    /// The topic of the request, for the journal.
    let topic: String
    /// The id that the sender chose, or nil if there is none.
    var id: String?
    /// The topic of the answer, or nil for the board's own topic.
    var responseTopic: String?
    var correlation: [UInt8]?
    /// The key under which the request and then its answer are stored, or nil if they are not stored.
    var key: String?
    /// The reasons that are sent if Tacet gives none.
    var notes: [String] = []

    init(_ message: MQTTMessage, _ settings: FleetAgent.Settings) {
        topic = message.topic
        correlation = message.correlation
        guard let wanted = message.responseTopic else { return }
        if !Reply.isTopic(wanted) {
            notes = ["its response topic is not used, because not every broker takes it"]
        } else if settings.uses(wanted) {
            notes = ["its response topic is not used, because boards or Home Assistant use it"]
        } else {
            responseTopic = wanted
        }
    }

    /// Creates the destination for a request that cannot be executed, with its id if there is one.
    init(bad message: MQTTMessage, _ settings: FleetAgent.Settings) {
        self.init(message, settings)
        id = try? PayloadObject(message.payload).id()
    }

    /// - Parameter kind: distinguishes a command from an announcement with the same id.
    init(_ message: MQTTMessage, _ kind: String, id: String?, _ settings: FleetAgent.Settings) {
        self.init(message, settings)
        self.id = id
        if let id {
            key = "\(kind) id \(id)"
        } else if let correlation {
            let data = correlation.map { String($0, radix: 16) }.joined(separator: ".")
            key = "\(kind) correlation \(data) \(responseTopic ?? "")"
        }
    }

    /// Returns true if every broker accepts the topic. A broker that does not accept it would end the connection, and
    /// would do so again when the answer is repeated. Topics that begin with `$` are reserved for the broker.
    private static func isTopic(_ text: String) -> Bool {
        (1...longestResponseTopic).contains(text.utf8.count) && text.utf8.first != UInt8(ascii: "$")
            && text.utf8.count { $0 == UInt8(ascii: "/") } < mostResponseLevels
            && !text.unicodeScalars.contains {
                $0.properties.generalCategory == .control || "+#".unicodeScalars.contains($0)
            }
    }
}

/// An announcement that is held until Tacet is available.
struct HeldAnnouncement: Hashable {
    let payload: AnnouncePayload
    let reply: Reply
    let entry: IDMemory.Entry
    /// The time on the monotonic clock at which it expires.
    let deadline: Duration
}

/// The answer to the sender of a request.
struct Response: Hashable, CustomStringConvertible {
    let name: String
    var reason: String

    static func refused(_ reason: String) -> Response { Response(name: "refused", reason: reason) }
    static func expired(_ reason: String) -> Response { Response(name: "expired", reason: reason) }

    /// True if the request is executed, now or later.
    var isSuccess: Bool { [Answer.success.name, Answer.deferred.name].contains(name) }

    /// The text for the journal.
    var description: String { reason.isEmpty ? name : reason }
}

extension FleetAnswer {
    /// The response to a request, or nil if this does not answer a request.
    var response: Response? {
        switch self {
        case .answer(let name, let reason): Response(name: name, reason: reason)
        case .receipt(let receipt) where receipt.answer == .noSuchContent:
            Response(
                name: receipt.answer.name,
                reason: "this board has no such sound, or cannot read its file (tacetd's journal has the reason)")
        case .receipt(let receipt): Response(name: receipt.answer.name, reason: "")
        case .expired: .expired("it expired while the board was busy")
        case .audioMissing:
            Response(name: "audioMissing", reason: "this board does not have the audio: send it with another id")
        case .failure(.refused(let reason)): .refused(reason)
        case .failure(let error): Response(name: "commandFailed", reason: "\(error)")
        case .health: nil
        }
    }
}
