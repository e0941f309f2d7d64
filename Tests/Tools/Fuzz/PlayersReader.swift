// Fuzzes the protocol of the Music Player Daemon, and the file of paused players, with libFuzzer. `make fuzz` compiles
// this together with `Players`.

import AudioSession
import Files

@_cdecl("LLVMFuzzerTestOneInput")
public func fuzz(_ data: UnsafePointer<UInt8>, _ count: Int) -> CInt {
    let bytes = Array(UnsafeBufferPointer(start: data, count: count))
    guard let kind = bytes.first else { return 0 }
    let rest = Array(bytes.dropFirst())
    if kind % 2 == 0 { readMemory(rest) } else { converse(rest) }
    return 0
}

/// Checks that records that were read are read again as they were written. The checksum of the text is corrected, so that
/// the fuzzer reaches what follows it.
private func readMemory(_ bytes: [UInt8]) {
    _ = try? PlayerMemory.records(in: bytes)
    var sum = Checksum()
    sum.add(bytes)
    let text = bytes + Array("sum \(String(sum.value, radix: 16))\n".utf8)
    guard let records = try? PlayerMemory.records(in: text) else { return }
    precondition((try? PlayerMemory.records(in: PlayerMemory.text(of: records))) == records)
}

/// Has a conversation in which the daemon sends these bytes. A byte of at least 0x80 is something that the shell does.
private func converse(_ bytes: [UInt8]) {
    var conversation = MPDConversation()
    var whole = MPDConversation()
    var isBroken = false
    var sent = 0
    for byte in bytes {
        let outputs: [MPDConversation.Output] =
            switch byte {
            case 0x80...0x8f: conversation.look()
            case 0x90...0x9f: conversation.order(byte % 2 == 0 ? .pause : .play)
            default: conversation.receive([byte])
            }
        // A broken conversation says nothing more.
        precondition(!isBroken || outputs.isEmpty)
        for output in outputs {
            switch output {
            case .broken: isBroken = true
            case .send(let text):
                precondition(text.utf8.count < 100 && text.hasSuffix("\n"))
                sent += 1
            case .began(let sighting, let uptime):
                precondition(sighting.track.utf8.count <= 64 && uptime >= .zero)
            case .sighting(let sighting, _): precondition(sighting.track.utf8.count <= 64)
            case .answered(let refusal): precondition((refusal ?? "").count <= 200)
            }
        }
    }
    // Each line causes at most one message.
    precondition(sent <= bytes.count)
    // The division of the bytes does not matter.
    let plain = bytes.filter { $0 < 0x80 }
    var single = MPDConversation()
    precondition(plain.flatMap { single.receive([$0]) } == whole.receive(plain))
}
