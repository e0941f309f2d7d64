// Fuzzes the parsers for payloads and topics from a broker with libFuzzer. `make fuzz` compiles this together with
// `Fleet`'s payloads.

import AudioSession
import Time

@_cdecl("LLVMFuzzerTestOneInput")
public func fuzz(_ data: UnsafePointer<UInt8>, _ count: Int) -> CInt {
    let bytes = Array(UnsafeBufferPointer(start: data, count: count))
    checkBounds(bytes)
    checkURL(bytes)
    if let payload = try? AnnouncePayload(bytes) {
        precondition((1...128).contains(payload.id.utf8.count))
        precondition((1...100).contains(payload.sound.rawValue.utf8.count))
        precondition(payload.priority.map(SoundPolicy.priorities.contains) ?? true)
        precondition(payload.expiresAt.map { $0 >= .zero } ?? true)
    }
    if let message = try? RuterAudioMessage(bytes) {
        precondition((1...128).contains(message.id.utf8.count) && message.parts.count <= RuterAudioMessage.mostParts)
        precondition(message.parts.allSatisfy { $0.volumes.values.allSatisfy((0...100).contains) })
        for part in message.parts { precondition(part.level(for: ["INTERNAL"]).map { $0 != .mute } ?? true) }
    }
    if let payload = try? CommandPayload(bytes) {
        precondition((1...256).contains(payload.words.utf8.count))
    }
    _ = try? SignalPayload.level(bytes)
    let text = String(decoding: bytes, as: UTF8.self)
    if let time = Timestamp.parse(text), time >= .zero {
        // The time that was read is written and read back with the precision of a millisecond.
        let again = Timestamp.parse(Timestamp.format(time, decimals: 3))
        precondition(again.map { time - $0 < .milliseconds(1) } ?? false, text)
    }
    let topics = FleetTopics(prefix: "tacet", board: "b", groups: ["g"])
    if case .signal(let name, _) = topics.purpose(of: "tacet/b/signal/" + text) { precondition(!name.isEmpty) }
    return 0
}

/// Checks that a text that the scan accepts is within the bounds, independent of the parser's result.
private func checkBounds(_ bytes: [UInt8]) {
    guard let value = try? JSONValue(bytes) else { return }
    let (depth, count) = size(of: value)
    precondition(depth <= JSONBounds.deepest && count <= JSONBounds.mostValues, "\(depth) deep, \(count) values")
}

/// Checks that a URL that may be downloaded stays below the server's folder.
private func checkURL(_ bytes: [UInt8]) {
    let path = bytes.prefix(2000)
    let server = "http://a/"
    guard AudioURL.problem(with: server + String(decoding: path, as: UTF8.self), server: server) == nil else { return }
    let segments = path.prefix { !"?#".utf8.contains($0) }.split(separator: UInt8(ascii: "/"))
    precondition(!segments.contains { Array($0) == Array(".".utf8) || Array($0) == Array("..".utf8) })
}

/// Returns how deep a value is nested, and how many values and names it contains.
private func size(of value: JSONValue) -> (depth: Int, count: Int) {
    let parts: [JSONValue]
    let names: Int
    switch value {
    case .array(let values): (parts, names) = (values, 0)
    case .object(let members): (parts, names) = (Array(members.values), members.count)
    default: return (0, 1)
    }
    let sizes = parts.map(size)
    return (1 + (sizes.map(\.depth).max() ?? 0), 1 + names + sizes.reduce(0) { $0 + $1.count })
}
