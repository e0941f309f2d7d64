// Fuzzes the parser of playlists with libFuzzer: `make fuzz` compiles this together with `Playback`.

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
            // Like every C string, it ends at its first zero byte.
            let length = track.withPath { start in (0...).first { start[$0] == 0 } }
            precondition(length == path.firstIndex(of: 0) ?? path.count)
            _ = pathExtension(track.path)
        }
    }
    return 0
}

/// Stands in for the class of `Playback`, which needs decoders: a playlist's tracks have no content of their own.
final class FileContent: Sendable, Hashable {
    static func == (a: FileContent, b: FileContent) -> Bool { a === b }
    func hash(into hasher: inout Hasher) { hasher.combine(ObjectIdentifier(self)) }
}
