// Fuzzes what radio stations send, such as headers, titles and playlists, with libFuzzer. `make fuzz` compiles this
// together with the formats of `Stream`.

import Spelling

@_cdecl("LLVMFuzzerTestOneInput")
public func fuzz(_ data: UnsafePointer<UInt8>, _ count: Int) -> CInt {
    let bytes = Array(UnsafeBufferPointer(start: data, count: count))
    guard let kind = bytes.first else { return 0 }
    let rest = Array(bytes.dropFirst())
    switch kind % 3 {
    case 0: readPlaylist(rest)
    case 1: split(rest, interval: Int(kind) + 1)
    default: answer(rest)
    }
    return 0
}

private func readPlaylist(_ bytes: [UInt8]) {
    if let address = try? RadioPlaylist.address(in: bytes) { precondition((1...2000).contains(address.utf8.count)) }
    _ = StreamKind(type: String(decoding: bytes.suffix(40), as: UTF8.self), head: Array(bytes.prefix(64)))
    var redirection = Redirection(from: "http://a/")
    try? redirection.follow(to: String(decoding: bytes, as: UTF8.self))
}

/// Checks that titles and audio do not depend on where the parts end.
private func split(_ bytes: [UInt8], interval: Int) {
    func split(_ length: Int) -> ([UInt8], [String]) {
        guard var splitter = ICYSplitter(interval: "\(interval)") else { return ([], []) }
        var (audio, titles, rest) = ([UInt8](), [String](), bytes[...])
        while !rest.isEmpty {
            Array(rest.prefix(length)).withUnsafeBytes { part in
                splitter.accept(part) {
                    audio += $0
                } title: {
                    titles.append($0)
                }
            }
            rest = rest.dropFirst(length)
        }
        return (audio, titles)
    }
    let whole = split(max(1, bytes.count))
    precondition(whole == split(7))
    precondition(whole.1.allSatisfy { $0.utf8.count <= 300 && $0 == $0.visible })
}

/// Passes lines as headers, and the last one as the body.
private func answer(_ bytes: [UInt8]) {
    var answer = HTTPAnswer()
    let lines = bytes.split(separator: UInt8(ascii: "\n"), omittingEmptySubsequences: false).map(Array.init)
    for line in lines.dropLast() {
        (line + [UInt8(ascii: "\n")]).withUnsafeBytes { _ = answer.acceptHeader($0) }
    }
    (lines.last ?? []).withUnsafeBytes { _ = answer.accept($0) }
    let header = answer.header
    precondition([header.stationName, header.type, header.encoding].allSatisfy { $0.utf8.count <= 300 })
    var buffer = [UInt8](repeating: 0, count: 100)
    while answer.available > 0 {
        let taken = buffer.withUnsafeMutableBytes { bytes in
            bytes.baseAddress.map { answer.take(into: $0, limit: bytes.count).count } ?? 0
        }
        precondition(taken > 0)
    }
}
