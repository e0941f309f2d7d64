import AudioSession
import Spelling
import Time

/// The reason why a payload is not executed, for its sender.
struct BadPayload: Error, Hashable, CustomStringConvertible {
    let description: String
}

/// The payload of `command`, which is either words or `{"id", "command", "expires_at"}`.
struct CommandPayload: Hashable {
    /// The id, or nil if the payload has none.
    var id: String?
    var words: String
    var expiresAt: Duration?

    private static let longest = 256

    init(_ payload: [UInt8]) throws(BadPayload) {
        guard payload.first(where: { !$0.isBlank }) == UInt8(ascii: "{") else {
            let text = String(decoding: payload, as: UTF8.self).trimmed
            try self.init(id: nil, words: text, expiresAt: nil)
            return
        }
        let object = try PayloadObject(payload, keys: ["id", "command", "expires_at"])
        try self.init(id: object.id(), words: object.text("command"), expiresAt: object.time("expires_at"))
    }

    private init(id: String?, words: String, expiresAt: Duration?) throws(BadPayload) {
        guard !words.isEmpty, words.utf8.count <= CommandPayload.longest else {
            throw BadPayload(
                description: "a command must be a text of 1 to \(CommandPayload.longest) bytes, such as pause")
        }
        self.id = id
        self.words = words
        self.expiresAt = expiresAt
    }
}

/// The payload of `announce`.
struct AnnouncePayload: Hashable {
    var id: String
    var sound: SoundID
    /// The priority, or nil for the sound's own.
    var priority: Int?
    /// The time after which the announcement must not be played, or nil if the sound's own `Expire` applies from now
    /// on.
    var expiresAt: Duration?
    /// The audio that is played instead of the sound's own file, or nil for that file.
    var audio: CarriedAudio?

    init(_ payload: [UInt8]) throws(BadPayload) {
        let object = try PayloadObject(
            payload, keys: ["id", "sound", "priority", "expires_at", "audio", "audio_sha256"])
        guard let id = try object.id() else {
            throw BadPayload(description: "an announcement needs an “id”, so that it is played only once")
        }
        self.id = id
        let sound = try object.text("sound")
        guard SoundID.canBeName(sound) else {
            throw BadPayload(description: "“sound” must be the name of a sound, such as gong")
        }
        self.sound = SoundID(sound)
        priority = try object.integer("priority", SoundPolicy.priorities)
        expiresAt = try object.time("expires_at")
        audio = try CarriedAudio(base64: object.textIfAny("audio"), hash: object.textIfAny("audio_sha256"))
    }
}

/// The payload of `signal/NAME`, which is `on`, `off` or empty. An empty payload deletes the retained message and means
/// off.
enum SignalPayload {
    static func level(_ payload: [UInt8]) throws(BadPayload) -> Bool {
        switch String(decoding: payload.prefix(8), as: UTF8.self).trimmed.lowercased() {
        case "on": return true
        case "off", "": return false
        default: throw BadPayload(description: "the payload of a signal must be on or off")
        }
    }
}

/// A JSON object.
struct PayloadObject {
    private let members: [String: JSONValue]

    private init(members: [String: JSONValue]) { self.members = members }

    /// Reads an object that may have any keys.
    /// - Parameter example: an example of a payload, for messages.
    init(_ payload: [UInt8], example: String = #"{"id": …}"#) throws(BadPayload) {
        let value: JSONValue
        do throws(JSONValue.Malformed) { value = try JSONValue(payload) } catch {
            throw BadPayload(description: "\(error)")
        }
        guard case .object(let members) = value else {
            throw BadPayload(description: "the payload is \(value.kind), not an object such as \(example)")
        }
        self.members = members
    }

    /// Reads an object that may have only these keys.
    init(_ payload: [UInt8], keys: [String]) throws(BadPayload) {
        try self.init(payload)
        if let unknown = members.keys.filter({ !keys.contains($0) }).min() {
            throw BadPayload(
                description: "“\(unknown.prefix(40).visible)” is unknown: the keys are \(keys.joined(separator: ", "))")
        }
    }

    /// - Returns: the id, or nil if there is none.
    func id() throws(BadPayload) -> String? {
        switch members["id"] {
        case nil, .null?: return nil
        case .integer(let number)?: return String(number)
        case .string(let text)? where (1...128).contains(text.utf8.count): return text
        default: throw BadPayload(description: "“id” must be a text of 1 to 128 bytes, or a whole number")
        }
    }

    func text(_ key: String) throws(BadPayload) -> String {
        switch members[key] {
        case .string(let text)?: return text
        case nil: throw BadPayload(description: "“\(key)” is missing")
        case let other?: throw BadPayload(description: "“\(key)” is \(other.kind), not a string")
        }
    }

    /// - Returns: the text, or nil if there is none.
    func textIfAny(_ key: String) throws(BadPayload) -> String? {
        switch members[key] {
        case nil, .null?: nil
        default: try text(key)
        }
    }

    /// - Returns: the number, or nil if there is none.
    func integer(_ key: String, _ range: ClosedRange<Int>) throws(BadPayload) -> Int? {
        switch members[key] {
        case nil, .null?: return nil
        case .integer(let number)? where range.contains(Int(number)): return Int(number)
        default:
            throw BadPayload(
                description: "“\(key)” must be a whole number from \(range.lowerBound) to \(range.upperBound)")
        }
    }

    /// Returns a list of objects.
    func objects(_ key: String) throws(BadPayload) -> [PayloadObject] {
        guard let value = members[key] else { throw BadPayload(description: "“\(key)” is missing") }
        guard case .array(let values) = value else {
            throw BadPayload(description: "“\(key)” must be a list of objects")
        }
        var objects: [PayloadObject] = []
        for value in values {
            guard case .object(let members) = value else {
                throw BadPayload(description: "“\(key)” must be a list of objects, but one is \(value.kind)")
            }
            objects.append(PayloadObject(members: members))
        }
        return objects
    }

    /// Returns a list of strings, or nil if there is none. A single string is returned as a list of one.
    func texts(_ key: String) throws(BadPayload) -> [String]? {
        switch members[key] {
        case nil, .null?: return nil
        case .string(let text)?: return [text]
        case .array(let values)?:
            let texts = values.compactMap { if case .string(let text) = $0 { text } else { nil } }
            if texts.count == values.count { return texts }
            fallthrough
        default: throw BadPayload(description: "“\(key)” must be a string or a list of strings")
        }
    }

    /// Returns the number, or nil if there is none.
    func number(_ key: String) throws(BadPayload) -> Double? {
        switch members[key] {
        case nil, .null?: nil
        case let value?: try PayloadObject.number(value, key)
        }
    }

    /// Returns an object whose values are numbers, or nil if there is none.
    func numbers(_ key: String) throws(BadPayload) -> [String: Double]? {
        switch members[key] {
        case nil, .null?: return nil
        case .object(let members)?:
            var numbers: [String: Double] = [:]
            for (name, value) in members { numbers[name] = try PayloadObject.number(value, key) }
            return numbers
        case let other?:
            throw BadPayload(description: "“\(key)” is \(other.kind), not an object such as {\"INTERNAL\": 70}")
        }
    }

    private static func number(_ value: JSONValue, _ key: String) throws(BadPayload) -> Double {
        switch value {
        case .integer(let number): Double(number)
        case .number(let number): number
        default: throw BadPayload(description: "“\(key)” has \(value.kind) instead of a number")
        }
    }

    /// Returns a time since 1970, or nil if there is none.
    func time(_ key: String) throws(BadPayload) -> Duration? {
        switch members[key] {
        case nil, .null?: return nil
        case .integer(let seconds)? where (0...253_402_300_799).contains(seconds): return .seconds(seconds)
        case .number(let seconds)? where (0...253_402_300_799).contains(seconds):
            return .microseconds(Int64(seconds * 1e6))
        case .string(let text)?:
            if let time = Timestamp.parse(text) { return time }
            fallthrough
        default:
            throw BadPayload(
                description: "“\(key)” must be a number of seconds since 1970, or a time such as 2026-11-25T13:03:12Z")
        }
    }
}

extension UInt8 {
    var isBlank: Bool { self == 0x20 || (0x09...0x0d).contains(self) }
}

extension String {
    /// The text without blanks and line breaks at both ends.
    var trimmed: String {
        let bytes = utf8
        guard let start = bytes.firstIndex(where: { !$0.isBlank }), let last = bytes.lastIndex(where: { !$0.isBlank })
        else { return "" }
        return String(self[start...last])
    }
}
