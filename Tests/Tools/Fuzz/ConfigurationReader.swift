import Files

// Fuzzes the parser of configuration files with libFuzzer. `make fuzz` compiles this together with `Configuration`.

/// Checks an input. The first byte selects the format of the other bytes. They are either a file and, after a NUL, its
/// drop-in, or a kept configuration without its checksum, which a fuzzer cannot guess.
@_cdecl("LLVMFuzzerTestOneInput")
public func fuzz(_ data: UnsafePointer<UInt8>, _ count: Int) -> CInt {
    guard let kind = UnsafeBufferPointer(start: data, count: count).first else { return 0 }
    let bytes = Array(UnsafeBufferPointer(start: data + 1, count: count - 1))
    if kind % 2 == 0 {
        let files = bytes.split(separator: 0, maxSplits: 1, omittingEmptySubsequences: false)
        check(ConfigurationAttempt(files.map { ConfigurationText(path: "/etc/my.conf", bytes: Array($0)) }))
    } else if let kept = KeptConfiguration(
        bytes: Array("tacet configuration 1 \(Checksum.text(of: bytes))\n".utf8) + bytes)
    {
        precondition(KeptConfiguration(bytes: kept.bytes) == kept)
        check(ConfigurationAttempt(kept.texts))
    }
    return 0
}

/// Checks the result. A valid configuration must survive keeping and reading unchanged, and an invalid one must be
/// described.
private func check(_ attempt: ConfigurationAttempt) {
    do {
        let loaded = try attempt.get()
        _ = loaded.configuration.summary
        let kept = KeptConfiguration(loaded, from: .system, at: .zero)
        precondition(KeptConfiguration(bytes: kept.bytes) == kept)
        precondition((try? kept.load().configuration) == loaded.configuration)
    } catch {
        precondition(!error.description.isEmpty)
    }
}
