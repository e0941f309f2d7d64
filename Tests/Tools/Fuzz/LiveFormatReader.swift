import ALSA

// Fuzzes the parser of the formats of live audio, and the decoding of its samples, with libFuzzer. `make fuzz` compiles
// this together with `Playback`.

@_cdecl("LLVMFuzzerTestOneInput")
public func fuzz(_ data: UnsafePointer<UInt8>, _ count: Int) -> CInt {
    let bytes = UnsafeBufferPointer(start: data, count: count)
    parse(String(decoding: bytes, as: UTF8.self))
    for samples in SampleFormat.allCases { decode(bytes, samples) }
    return 0
}

private func parse(_ text: String) {
    guard let format = try? LiveFormat(text) else { return }
    precondition(LiveFormat.rates.contains(format.stream.rate) && LiveFormat.channels.contains(format.stream.channels))
    precondition(1...32 ~= format.bytesPerFrame)
    precondition((try? LiveFormat(format.description)) == format)
}

private func decode(_ bytes: UnsafeBufferPointer<UInt8>, _ samples: SampleFormat) {
    let count = bytes.count / samples.bytesPerSample
    guard count > 0, let start = bytes.baseAddress else { return }
    let output = UnsafeMutablePointer<Float>.allocate(capacity: count)
    defer { output.deallocate() }
    samples.decode(start, to: output, count: count)
    for index in 0..<count { precondition(abs(output[index]) <= (samples == .float ? 16 : 1)) }
}
