// libFuzzer on what reads a playlist: compiled together with `Playback`'s own files, by `make fuzz`.

@_cdecl("LLVMFuzzerTestOneInput")
public func fuzz(_ data: UnsafePointer<UInt8>, _ count: Int) -> CInt {
    let bytes = Array(UnsafeBufferPointer(start: data, count: count))
    let folder = Array("/list/".utf8)
    let lines = bytes.split { $0 == 0x0a || $0 == 0x0d }
    for answer in [false, true] {
        let tracks = Playlist.entries(in: bytes, from: folder) { _ in answer }
        precondition(tracks.count <= lines.count)
        for track in tracks {
            let path = track.pathBytes
            precondition(path.first == UInt8(ascii: "/") || isForeign(path))
            precondition(Track(bytes: path) == track && !track.name.isEmpty)
            // It ends at a zero byte within, as every C string does.
            let length = track.withPath { start in (0...).first { start[$0] == 0 } }
            precondition(length == path.firstIndex(of: 0) ?? path.count)
            _ = pathExtension(track.path)
        }
    }
    return 0
}
