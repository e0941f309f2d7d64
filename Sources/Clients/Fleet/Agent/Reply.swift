import AudioSession
import MQTT

/// Where the answer to a request goes.
struct Reply: Hashable {
    /// The longest topic that a sender can choose, in bytes.
    static let longestResponseTopic = 256
    /// Brokers allow about 200.
    private static let mostResponseLevels = 32

    /// Of the request, for the journal.
    let topic: String
    /// What the sender calls it; nil if it has no id.
    var id: String?
    /// nil: the board's own topic.
    var responseTopic: String?
    var correlation: [UInt8]?
    /// Under which the request is remembered, and then its answer; nil if it is not.
    var key: String?
    /// What the answer says if Tacet gives no reason.
    var note = ""

    init(_ message: MQTTMessage) {
        topic = message.topic
        responseTopic = message.responseTopic.flatMap { Reply.isTopic($0) ? $0 : nil }
        correlation = message.correlation
    }

    /// Of a request that cannot be executed: with its id, if there is one.
    init(bad message: MQTTMessage) {
        self.init(message)
        id = try? PayloadObject(message.payload).id()
    }

    /// - Parameter kind: the same id can be that of a command and of an announcement.
    init(_ message: MQTTMessage, _ kind: String, id: String?) {
        self.init(message)
        self.id = id
        if let id {
            key = "\(kind) id \(id)"
        } else if let correlation {
            let data = correlation.map { String($0, radix: 16) }.joined(separator: ".")
            key = "\(kind) correlation \(data) \(responseTopic ?? "")"
        }
    }

    /// Whether every broker takes it: one that does not would end the connection, and again when the answer is
    /// repeated. Topics with a $ are the broker's own.
    private static func isTopic(_ text: String) -> Bool {
        (1...longestResponseTopic).contains(text.utf8.count) && text.utf8.first != UInt8(ascii: "$")
            && text.utf8.count { $0 == UInt8(ascii: "/") } < mostResponseLevels
            && !text.unicodeScalars.contains {
                $0.properties.generalCategory == .control || "+#".unicodeScalars.contains($0)
            }
    }
}

/// An announcement that waits for Tacet.
struct HeldAnnouncement: Hashable {
    let payload: AnnouncePayload
    let reply: Reply
    let entry: IDMemory.Entry
    /// When it is too late, by the monotonic clock.
    let deadline: Duration
}

/// What the sender of a request is told.
struct Response: Hashable, CustomStringConvertible {
    let name: String
    var reason: String

    static func refused(_ reason: String) -> Response { Response(name: "refused", reason: reason) }
    static func expired(_ reason: String) -> Response { Response(name: "expired", reason: reason) }

    /// Whether the request is executed, now or later.
    var isSuccess: Bool { [Answer.success.name, Answer.deferred.name].contains(name) }

    /// For the journal.
    var description: String { reason.isEmpty ? name : reason }
}

extension FleetAnswer {
    /// The response to a request; nil if no request is answered.
    var response: Response? {
        switch self {
        case .answer(let name, let reason): Response(name: name, reason: reason)
        case .receipt(let receipt) where receipt.answer == .noSuchContent:
            Response(
                name: receipt.answer.name,
                reason: "this board has no such sound, or cannot read its file: tacetd's journal has the reason")
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
