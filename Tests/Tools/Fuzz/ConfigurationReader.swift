import Files

// libFuzzer on what reads a configuration: compiled together with `Configuration`'s own files, by `make fuzz`.

/// The first byte says what the others are: a file and, behind a NUL, its drop-in; or what is behind the checksum of a kept
/// configuration, as a fuzzer does not guess checksums.
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

/// What can be used can be shown and kept, and then is the same; what cannot be says why.
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
