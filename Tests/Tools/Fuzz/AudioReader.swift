// Fuzzes the code that examines the beginnings and tags of audio files with libFuzzer. `make fuzz` compiles this
// together with `Playback`'s readers.

@_cdecl("LLVMFuzzerTestOneInput")
public func fuzz(_ start: UnsafePointer<UInt8>?, _ count: Int) -> Int32 {
    let bytes = Array(UnsafeBufferPointer(start: start, count: count))
    for suffix in ["mp3", "flac", ""] {
        let head = FileHead(suffix: suffix, bytes, size: count)
        precondition(head.start >= 0 && head.bytes.count <= FileHead.length)
        _ = head.unknown("a").description
    }
    for mustBeginAtOnce in [false, true] {
        guard let outline = MPEGOutline(bytes, size: count, mustBeginAtOnce: mustBeginAtOnce) else { continue }
        precondition(outline.start >= 0 && outline.likelyFrames ?? 0 >= 0)
        precondition(outline.info?.silenceAtStart ?? 0 >= 0 && outline.info?.silenceAtEnd ?? 0 >= 0)
    }
    if let wave = WAVOutline(bytes, at: 0, size: count) {
        precondition(wave.data > 0 && wave.data <= count + 8)
        _ = MPEGOutline(bytes, from: wave.data, size: count)
    }
    readChunks(bytes)
    readOgg(bytes)
    let tags = ID3Texts.read(bytes, size: count)
    // In UTF-8, a character of Latin-1 may need two bytes, and a replacement character three.
    for text in [tags.title, tags.artist, tags.album, tags.genre, tags.comment] {
        precondition(text?.utf8.count ?? 0 <= 3 * 1024 + 64)
    }
    return 0
}

/// Fuzzes the code that determines how much of a container is missing.
private func readChunks(_ bytes: [UInt8]) {
    for container in SampleContainer.all { precondition(container.outline(bytes, 0, bytes.count).missing >= 0) }
}

/// Fuzzes the code that locates the sound in a damaged Ogg file.
private func readOgg(_ bytes: [UInt8]) {
    _ = OpusRate.patch(bytes, at: 0)
    let links = OggChain.links(in: bytes, from: 0, size: bytes.count)
    precondition(links.count <= OggChain.most + 1 && links.allSatisfy { $0.upperBound <= bytes.count })
    if var scan = OggScan(bytes, at: 0) {
        while let hole = scan.hole(in: bytes, until: .max) { precondition(hole.end >= hole.start) }
    }
    guard var holes = OggHoles(bytes, at: 0, size: bytes.count, frameCount: 48_000, rate: 48_000) else { return }
    while let hole = holes.next(in: bytes, from: 0, count: 1 << 20) {
        precondition(!hole.frames.isEmpty && hole.frames.upperBound <= 1 << 40)
    }
}
