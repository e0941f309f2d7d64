import AudioSession
import Glibc

/// The payload of Ruter's audio topic: a list of files, heard one after the other.
/// <https://github.com/RuterNo/adt-doc/tree/master/asyncapi/json-schemas/pe/audio>
///
/// Later versions may add members, which are ignored. Earlier ones had one volume for a list of speakers, and no `traceId`.
struct RuterAudioMessage: Hashable {
    struct Part: Hashable {
        enum Content: Hashable {
            case inline(CarriedAudio)
            case url(String)
        }

        var content: Content
        /// Percent, by the group of speakers.
        var volumes: [String: Int]

        /// How loud it is for these speakers: the loudest of their volumes, relative to the sound's own level.
        /// - Returns: nil if it is not for them.
        func level(for speakers: Set<String>) -> Level? {
            let percent = volumes.filter { speakers.contains($0.key) }.map(\.value).max() ?? 0
            return percent == 0 ? nil : Level(decibels: 20 * log10(Double(percent) / 100))
        }
    }

    /// More parts are rejected.
    static let mostParts = 12
    private static let longestURL = 2000

    /// The same message, delivered again, has the same.
    var id: String
    /// Not heard after this; nil: as the sound is configured.
    var expiresAt: Duration?
    /// Not heard before this; nil: at once.
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
                    description: "“contentURL” is a URL of at most \(longestURL) bytes, without blanks")
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
