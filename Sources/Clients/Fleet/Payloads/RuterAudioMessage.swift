import AudioSession
import Glibc

/// The payload of Ruter's audio topic, which is a list of files that are played one after the other.
/// <https://github.com/RuterNo/adt-doc/tree/master/asyncapi/json-schemas/pe/audio>
///
/// Later versions may add members, which are ignored. Earlier versions had one volume for a list of speakers, and did
/// not have a `traceId`.
struct RuterAudioMessage: Hashable {
    struct Part: Hashable {
        enum Content: Hashable {
            case inline(CarriedAudio)
            case url(String)
        }

        var content: Content
        /// The volumes in percent, by group of speakers.
        var volumes: [String: Int]

        /// Returns the level for these speakers, relative to the sound's own level. It is the loudest of their volumes.
        /// - Returns: nil if the part is not for these speakers.
        func level(for speakers: Set<String>) -> Level? {
            let percent = volumes.filter { speakers.contains($0.key) }.map(\.value).max() ?? 0
            return percent == 0 ? nil : Level(decibels: 20 * log10(Double(percent) / 100))
        }
    }

    /// The maximum number of parts. Messages with more are rejected.
    static let mostParts = 12
    private static let longestURL = 2000

    /// The id of the message, which stays the same when the message is delivered again.
    var id: String
    /// The time after which the message must not be played, or nil if the sound's configuration applies.
    var expiresAt: Duration?
    /// The time before which the message must not be played, or nil to play it at once.
    var startsAt: Duration?
    var parts: [Part]

    init(_ payload: [UInt8]) throws(BadPayload) {
        let object = try PayloadObject(payload, example: #"{"audio": [{"content": …}]}"#)
        let trace = try object.textIfAny("traceId") ?? ""
        guard trace.utf8.count <= 128 else { throw BadPayload(description: "“traceId” has more than 128 bytes") }
        id = trace.isEmpty ? CarriedAudio.hash(of: payload) : trace
        expiresAt = try object.time("expiryDateTime")
        startsAt = try object.time("preferredStartDateTime")
        let items = try object.objects("audio")
        guard items.count <= RuterAudioMessage.mostParts else {
            throw BadPayload(
                description: "“audio” has \(items.count) parts: at most \(RuterAudioMessage.mostParts) are allowed")
        }
        parts = []
        for item in items {
            parts.append(
                Part(
                    content: try RuterAudioMessage.content(of: item), volumes: try RuterAudioMessage.volumes(of: item)))
        }
    }

    private static func content(of item: PayloadObject) throws(BadPayload) -> Part.Content {
        // The schema writes contentURL, and its examples contentUrl.
        var url = try item.textIfAny("contentURL")
        if url == nil { url = try item.textIfAny("contentUrl") }
        switch (try CarriedAudio(base64: item.textIfAny("content"), hash: nil, called: "content"), url) {
        case (let audio?, nil): return .inline(audio)
        case (nil, let url?):
            guard url.utf8.count <= longestURL, url.utf8.allSatisfy({ $0 > 0x20 && $0 != 0x7f }) else {
                throw BadPayload(
                    description: "“contentURL” must be a URL of at most \(longestURL) bytes, without blanks")
            }
            return .url(url)
        default: throw BadPayload(description: "a part of “audio” needs either “content” or “contentURL”")
        }
    }

    private static func volumes(of item: PayloadObject) throws(BadPayload) -> [String: Int] {
        if let speakers = try item.numbers("speakers") { return speakers.mapValues(percent) }
        guard let names = try item.texts("speaker"), let volume = try item.number("volume") else {
            throw BadPayload(description: "a part of “audio” needs “speakers”, such as {\"INTERNAL\": 70}")
        }
        return names.reduce(into: [:]) { $0[$1] = percent(volume) }
    }

    private static func percent(_ volume: Double) -> Int { Int(min(max(volume, 0), 100).rounded()) }
}
