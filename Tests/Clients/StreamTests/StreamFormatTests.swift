import Chance
import Glibc
import Testing

@testable import Stream

@Suite struct StreamFormatTests {
    // MARK: Titles

    /// Splits a stream in parts of a length.
    private func split(_ bytes: [UInt8], interval: String, parts: Int) -> (audio: [UInt8], titles: [String])? {
        guard var splitter = ICYSplitter(interval: interval) else { return nil }
        var (audio, titles, rest) = ([UInt8](), [String](), bytes[...])
        while !rest.isEmpty {
            Array(rest.prefix(parts)).withUnsafeBytes { part in
                splitter.accept(part) {
                    audio += $0
                } title: {
                    titles.append($0)
                }
            }
            rest = rest.dropFirst(parts)
        }
        return (audio, titles)
    }

    private func block(_ text: String) -> [UInt8] {
        let length = (text.utf8.count + 15) / 16
        return [UInt8(length)] + Array(text.utf8) + [UInt8](repeating: 0, count: length * 16 - text.utf8.count)
    }

    @Test(arguments: [1, 2, 3, 7, 16, 1000])
    func titlesAreRemovedFromTheAudioWhereverThePartsEnd(parts: Int) throws {
        let audio = (0..<30).map { UInt8($0) }
        let titles = [block("StreamTitle='A - It's B';StreamUrl='';"), [0], block("StreamTitle='Second';")]
        let bytes = zip([audio[..<10], audio[10..<20], audio[20...]], titles).flatMap { Array($0) + $1 }
        let result = try #require(split(bytes, interval: "10", parts: parts))
        #expect(result.audio == audio && result.titles == ["A - It's B", "Second"])
    }

    @Test(arguments: ["0", "-1", "", "x", "1048577", "99999999999999999999", "10 "])
    func impossibleIntervalIsRejected(interval: String) {
        #expect(ICYSplitter(interval: interval) == nil)
    }

    @Test func titleIsBoundedVisibleAndInEitherEncoding() throws {
        func title(_ bytes: [UInt8]) -> String? { ICYSplitter.title(in: bytes) }
        #expect(title(Array("StreamTitle='Käse';".utf8)) == "Käse")
        #expect(title(Array("StreamTitle='K".utf8) + [0xe4] + Array("se';".utf8)) == "Käse")
        #expect(title(Array("StreamTitle='a\u{1b}[2J';".utf8)) == "a\\x1b[2J")
        #expect(title(Array("StreamTitle='open".utf8)) == "open")
        #expect(title(Array("StreamUrl='x';".utf8)) == nil && title([]) == nil)
        let long = "StreamTitle='" + String(repeating: "ä", count: 2000) + "';"
        #expect(try #require(title(Array(long.utf8))).utf8.count <= 300)
    }

    @Test func garbageNeitherTrapsNorLosesCount() {
        var chance = SplitMix(seed: 4)
        for _ in 0..<200 {
            let bytes = (0..<Int.random(in: 0...3000, using: &chance)).map { _ in
                UInt8.random(in: 0...255, using: &chance)
            }
            let whole = split(bytes, interval: "100", parts: 5000)
            let parts = split(bytes, interval: "100", parts: Int.random(in: 1...50, using: &chance))
            #expect(whole?.audio == parts?.audio && whole?.titles == parts?.titles)
        }
    }

    // MARK: Playlists

    @Test(arguments: [
        ("#EXTM3U\n#EXTINF:-1,Radio\nhttp://radio.example/live\n", "http://radio.example/live"),
        ("\u{feff}  /live.mp3\r\nother\r\n", "/live.mp3"), ("live.mp3", "live.mp3"),
        ("[playlist]\nNumberOfEntries=1\nTitle1=x\nFile1=http://a/b=c\n", "http://a/b=c"),
        ("[Playlist]\r\nfile2 = x.mp3\r\n", "x.mp3"),
    ])
    func firstAddressOfAPlaylistIsFound(text: String, address: String) throws {
        #expect(try RadioPlaylist.address(in: Array(text.utf8)) == address)
    }

    @Test(arguments: [
        "", "#EXTM3U\n", "[playlist]\nFile=x\nFileA=y\nTitle1=z\n", "\n\n", String(repeating: "x", count: 2001),
    ])
    func playlistWithoutAnAddressIsRejected(text: String) {
        #expect(throws: RadioPlaylist.Problem.empty) { try RadioPlaylist.address(in: Array(text.utf8)) }
    }

    @Test func partsOfLiveStreamingAreRejected() {
        let text = "#EXTM3U\n#EXT-X-TARGETDURATION:10\nsegment1.ts\n"
        #expect(throws: RadioPlaylist.Problem.parts) { try RadioPlaylist.address(in: Array(text.utf8)) }
    }

    // MARK: Formats

    private func ogg(_ packet: String) -> [UInt8] {
        Array("OggS".utf8) + [UInt8](repeating: 0, count: 24) + Array(packet.utf8)
    }

    @Test func formatIsRecognisedByTheBeginningAndThenByTheType() {
        func kind(_ type: String, _ head: [UInt8]) -> StreamKind { StreamKind(type: type, head: head) }
        #expect(kind("audio/mpeg", Array("fLaC".utf8)) == .flac)
        #expect(kind("", ogg("OpusHead")) == .opus && kind("", ogg("\u{1}vorbis")) == .vorbis)
        #expect(kind("application/ogg", ogg("\u{7f}FLAC")) == .oggFLAC)
        #expect(kind("audio/mpeg; charset=x", [1, 2, 3]) == .mp3 && kind("AUDIO/AACP", [1]) == .aac)
        #expect(
            kind("", [0xff, 0xfb]) == .mp3 && kind("", [0xff, 0xf1]) == .aac && kind("", Array("ID3".utf8)) == .mp3)
        #expect(kind("audio/x-scpls", Array("x".utf8)) == .playlist)
        #expect(kind("text/plain", Array("#EXTM3U".utf8)) == .playlist)
        #expect(kind("audio/mpeg", Array("  <!DOCTYPE html>".utf8)) == .other("a page or document instead of audio"))
        #expect(kind("text/html", Array("x".utf8)) == .other("a web page (text/html) instead of audio"))
        #expect(kind("", []) == .other("data of an unknown format"))
        for kind in [kind("a/\u{1b}b", [1]), kind("", ogg("x"))] {
            guard case .other(let words) = kind else { return #expect(Bool(false)) }
            #expect(!words.contains("\u{1b}"))
        }
    }

    // MARK: Redirections

    @Test func redirectionsAreBoundedAndStaySecure() throws {
        var loop = Redirection(from: "http://a/")
        for _ in 0..<5 { try loop.follow(to: "http://a/") }
        #expect(throws: StreamError.self) { try loop.follow(to: "http://a/") }
        var secure = Redirection(from: "HTTPS://a/")
        #expect(throws: StreamError.self) { try secure.follow(to: "http://a/") }
        // A way to encryption is a way without return.
        var upgraded = Redirection(from: "http://a/")
        try upgraded.follow(to: "https://a/")
        #expect(throws: StreamError.self) { try upgraded.follow(to: "http://a/") }
        for url in ["file:///etc/passwd", "ftp://a/", "", "gopher://a", "javascript:x"] {
            var redirection = Redirection(from: "http://a/")
            #expect(throws: StreamError.self) { try redirection.follow(to: url) }
        }
    }

    // MARK: Headers

    @Test(arguments: [
        ("chunked", true), ("identity", true), ("Chunked , chunked", true), ("", true), ("gzip", false),
        ("chunked, gzip", false), ("deflate", false), ("br,chunked", false), ("x", false),
    ])
    func transferEncodingThatLibcurlWouldDecodeIsRefused(value: String, isAccepted: Bool) {
        // The value may follow many others.
        for padding in ["", String(repeating: "chunked,", count: 300)] {
            var answer = HTTPAnswer()
            let line = Array("TRANSFER-Encoding: \(padding)\(value)\r\n".utf8)
            let result = line.withUnsafeBytes { answer.acceptHeader($0) }
            #expect(result == isAccepted)
            #expect((answer.refusal == nil) == isAccepted)
        }
    }

    @Test(arguments: [("gzip", true), ("identity, br", true), ("identity", false), ("utf-8", false), ("", false)])
    func compressedContentIsAProblemOfItsAnswerOnly(value: String, isProblem: Bool) {
        var answer = HTTPAnswer()
        for (line, isProblem) in [("Content-Encoding: \(value)\r\n", isProblem), ("HTTP/1.1 200 OK\r\n", false)] {
            let isAccepted = Array(line.utf8).withUnsafeBytes { answer.acceptHeader($0) }
            #expect(isAccepted && (answer.header.problem != nil) == isProblem)
        }
    }

    // MARK: Addresses

    /// Returns the scope of an address in text form.
    private func scope(_ text: String) -> NetworkScope {
        var bytes = [UInt8](repeating: 0, count: 16)
        if inet_pton(AF_INET6, text, &bytes) == 1 { return NetworkScope(of: bytes) }
        #expect(inet_pton(AF_INET, text, &bytes) == 1)
        return NetworkScope(of: Array(bytes.prefix(4)))
    }

    @Test(arguments: [
        ("127.0.0.1", NetworkScope.loopback), ("127.255.255.254", .loopback), ("0.0.0.0", .loopback),
        ("::1", .loopback), ("::", .loopback), ("::ffff:127.0.0.1", .loopback), ("::127.0.0.1", .loopback),
        ("64:ff9b::7f00:1", .loopback),
        ("2002:7f00:1::", .loopback), ("169.254.169.254", .linkLocal), ("fe80::1", .linkLocal),
        ("::ffff:169.254.0.1", .linkLocal), ("10.255.0.1", .privateNetwork), ("172.16.0.1", .privateNetwork),
        ("172.31.255.255", .privateNetwork), ("192.168.1.1", .privateNetwork), ("100.64.0.1", .privateNetwork),
        ("fd00::1", .privateNetwork), ("fc00::1", .privateNetwork), ("fec0::1", .privateNetwork),
        ("::ffff:10.0.0.1", .privateNetwork), ("64:ff9b::192.168.1.1", .privateNetwork),
        ("64:ff9b:1::1", .privateNetwork), ("224.0.0.1", .reserved), ("255.255.255.255", .reserved),
        ("192.0.0.1", .reserved), ("ff02::1", .reserved), ("172.15.0.1", .global), ("172.32.0.1", .global),
        ("8.8.8.8", .global), ("100.128.0.1", .global), ("192.0.1.1", .global), ("2001:db8::1", .global),
        ("::ffff:8.8.8.8", .global), ("64:ff9b::8.8.8.8", .global), ("2002:808:808::1", .global),
    ])
    func scopeOfAnAddressIsThatOfItsNetwork(address: String, expected: NetworkScope) {
        #expect(scope(address) == expected)
    }

    @Test func onlyTheConfigurationLeadsIntoAPrivatePartOfTheNetwork() {
        let parts: [NetworkScope] = [.global, .loopback, .linkLocal, .privateNetwork, .reserved]
        for configured in parts {
            var redirection = Redirection(from: "http://radio.example/")
            #expect(redirection.permits(configured))
            redirection.handleAnswer(from: configured)
            for other in parts { #expect(redirection.permits(other) == (other == .global || other == configured)) }
            redirection.handleAnswer(from: .global)
            for other in parts { #expect(redirection.permits(other) == (other == .global)) }
        }
    }
}
