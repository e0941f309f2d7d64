import Spelling

// Fuzzes the parser of playlists with libFuzzer. `make fuzz` compiles this together with `Playback`.

@_cdecl("LLVMFuzzerTestOneInput")
public func fuzz(_ data: UnsafePointer<UInt8>, _ count: Int) -> CInt {
    let bytes = Array(UnsafeBufferPointer(start: data, count: count))
    let folder = Array("/list/".utf8)
    // Even in UTF-16, a playlist cannot have more lines than bytes.
    for answer in Disk.Answer.allCases {
        var disk = Disk(answer: answer)
        var entries = Playlist.Entries(of: bytes, from: folder, longestLine: 300)
        var count = 0
        while let track = entries.next(&disk) {
            check(track)
            count += 1
        }
        precondition(count + entries.longLines <= bytes.count)
    }
    return 0
}

private func check(_ track: Track) {
    let path = track.pathBytes
    precondition(path.first == UInt8(ascii: "/") || isForeign(path))
    precondition(Track(bytes: path) == track && !track.name.isEmpty)
    precondition(track.path == track.path.visible && track.name.utf8.count <= 1024)
    // Like every C string, the path ends at its first zero byte.
    let length = track.withPath { start in (0...).first { start[$0] == 0 } }
    precondition(length == path.firstIndex(of: 0) ?? path.count)
    _ = pathExtension(track.path)
}

private struct Disk: PathLookup {
    enum Answer: CaseIterable { case nothing, asWritten, inAnotherCase }

    let answer: Answer

    func exists(_ path: [UInt8]) -> Bool { answer == .asWritten }

    func paths(like path: [UInt8], after base: Int, ignoringCase: Bool) -> [[UInt8]] {
        precondition((0...path.count).contains(base))
        return answer == .inAnotherCase && ignoringCase ? [path] : []
    }
}
