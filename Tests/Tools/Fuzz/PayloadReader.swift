// Fuzzes the parsers of a broker's payloads and topics with libFuzzer: `make fuzz` compiles this together with `Fleet`'s
// payloads.

import AudioSession

@_cdecl("LLVMFuzzerTestOneInput")
public func fuzz(_ data: UnsafePointer<UInt8>, _ count: Int) -> CInt {
    let bytes = Array(UnsafeBufferPointer(start: data, count: count))
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
    if let time = WallClockTime.parse(text), time >= .zero {
        // What was read is written and read back, to the millisecond.
        let again = WallClockTime.parse(WallClockTime.format(time))
        precondition(again.map { time - $0 < .milliseconds(1) } ?? false, text)
    }
    let topics = FleetTopics(prefix: "tacet", board: "b", groups: ["g"])
    if case .signal(let name, _) = topics.purpose(of: "tacet/b/signal/" + text) { precondition(!name.isEmpty) }
    return 0
}
