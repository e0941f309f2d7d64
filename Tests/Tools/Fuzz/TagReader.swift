// Fuzzes the readers of tags with libFuzzer. `make fuzz` compiles this together with `Playback`'s readers.

@_cdecl("LLVMFuzzerTestOneInput")
public func fuzz(_ data: UnsafePointer<UInt8>, _ count: Int) -> CInt {
    let bytes = Array(UnsafeBufferPointer(start: data, count: count))
    if let picture = EmbeddedPicture.find(in: bytes) {
        precondition(!picture.bytes.isEmpty && picture.bytes.count <= EmbeddedPicture.longest)
    }
    check(String(decoding: bytes, as: UTF8.self))
    return 0
}

/// Checks that any text in a file's tag can be displayed and is short.
private func check(_ text: String) {
    var tags = TrackTags()
    tags.title = text
    tags.artist = text
    tags.add(artist: text + "2")
    tags.comment = text
    for text in [tags.title, tags.album, tags.comment].compactMap({ $0 }) + tags.artists {
        precondition(text.utf8.count <= TrackTags.longest)
        precondition(text.unicodeScalars.allSatisfy { $0.properties.generalCategory != .control })
    }
}
