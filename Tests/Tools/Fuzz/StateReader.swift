import Files

// Fuzzes the parser of saved states with libFuzzer. `make fuzz` compiles this together with `ResumeStore`.

/// Checks an input. The first byte selects the format of the other bytes. They are a file, two slots that are padded to
/// their size, the facts of a record without its checksum (which a fuzzer cannot guess), or a file of version 1.
@_cdecl("LLVMFuzzerTestOneInput")
public func fuzz(_ data: UnsafePointer<UInt8>, _ count: Int) -> CInt {
    guard let kind = UnsafeBufferPointer(start: data, count: count).first else { return 0 }
    let bytes = Array(UnsafeBufferPointer(start: data + 1, count: count - 1))
    switch kind % 4 {
    case 0: check(StateImage(bytes))
    case 1:
        let half = bytes.count / 2
        check(StateImage(padded(bytes[..<half]) + padded(bytes[half...])))
    case 2:
        guard let record = StateSlot.record(bytes, sequence: Int(bytes.first ?? 0)) else { return 0 }
        let image = StateImage(padded(record[...]) + padded([]))
        let facts = try? SavedState(facts: bytes[...])
        precondition((try? image.outcome.get().state) == facts)
        check(image)
    default:
        let body = Array("tacet-state 1\n".utf8) + bytes + [0x0a]
        check(StateImage(body + Array("checksum \(Checksum.text(of: body))\n".utf8)))
    }
    return 0
}

/// Checks that a readable state survives writing and reading unchanged.
private func check(_ image: StateImage) {
    guard case .success(let reading) = image.outcome else { return }
    let again: SavedState? =
        if let image = try? StateImage(of: reading.state) { try? image.outcome.get().state } else { nil }
    precondition(again == reading.state || reading.state.facts.count > StateSlot.capacity || reading.state.volume.isNaN)
    precondition(reading.state.position >= .zero)
    precondition(reading.state.held.allSatisfy { $0.age >= .zero && $0.age <= SavedState.longest })
    _ = reading.description
}

private func padded(_ bytes: ArraySlice<UInt8>) -> [UInt8] {
    bytes.prefix(StateSlot.size) + [UInt8](repeating: 0, count: max(0, StateSlot.size - bytes.count))
}
