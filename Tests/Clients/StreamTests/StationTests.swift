import Foundation
import SoundLab
import Testing

@testable import Stream

/// Stations on a real server that behaves badly, over real sockets and a real pipe.
@Suite(.serialized) struct StationTests {
    @Test(arguments: ["music.mp3", "vorbis.ogg", "opus.ogg", "music.flac"]) func playsEachFormat(file: String) throws {
        let lab = try StationLab()
        lab.tune(to: "/file/\(file)")
        lab.expectTone()
        let isTagged = file != "music.mp3"
        #expect(lab.report.description.artist == (isTagged ? "An artist" : "Test Radio"))
        if isTagged { #expect(lab.report.description.title == "A song") }
    }

    @Test(arguments: ["/shoutcast", "/list.pls", "/moved", "/truncated", "/jitter"])
    func playsInSpiteOfOldServersListsRedirectionsAndDamage(path: String) throws {
        let lab = try StationLab()
        lab.tune(to: path)
        // The damaged station leaves out 3,000 of 20,000 bytes.
        lab.expectTone(missing: path == "/truncated" ? 0.15 : 0)
        if path == "/shoutcast" { #expect(lab.report.description.artist == "Old Radio") }
    }

    @Test func titlesAreRemovedFromTheAudioAndReported() throws {
        let lab = try StationLab()
        lab.tune(to: "/icy")
        lab.run("title") { lab.report.description.title == "Artist - It's a song" }
        #expect(lab.report.description.artist == "Test\\x1b Radio")
        lab.expectTone()
    }

    @Test func digitalSilenceIsAudio() throws {
        let lab = try StationLab()
        lab.tune(to: "/silence")
        // This is longer than the stall clock.
        lab.run("silence") { lab.samples.count >= 6 * 48_000 * 2 }
        #expect(lab.tone.peak == 0 && lab.report.problem == nil && lab.station?.isPlaying == true)
    }

    @Test(arguments: [
        ("/404", "status 404 (not found)"), ("/loop", "redirects more than 5 times"),
        ("/to-file", "neither http nor https"), ("/header", "an endless header"),
        ("/html", "a web page (text/html) instead of audio"), ("/disguised", "a page or document instead of audio"),
        ("/noise", "has ended the stream"), ("/self.m3u", "more than 2 playlists refer to each other"),
        ("/long.m3u", "longer than 65536 bytes"), ("/hls.m3u8", "HTTP Live Streaming"),
        ("/list-to-file.m3u", "neither http nor https"), ("/reset", "cannot be reached"),
        ("/flap", "has ended the stream"), ("/stall", "no audio has arrived for 5.0 s"),
        ("/nothing", "no audio has arrived within 15.0 s"),
        ("/gzip", "compressed data (gzip), which was not requested"),
        ("/gzip-twice", "compressed data (gzip, gzip), which was not requested"),
        ("/endless-tag", "sends 4 MiB without any audio"), ("/endless-packet", "sends 4 MiB without any audio"),
        ("/refer/10.0.0.1", "of a private network"), ("/refer/0xa9fe0001", "of a private network"),
        ("/list/192.168.0.1:81", "of a private network"),
    ])
    func failureIsReportedAndNothingIsWritten(path: String, words: String) throws {
        let lab = try StationLab()
        lab.tune(to: path)
        lab.run(words) { lab.problems.contains { $0.contains(words) } }
        #expect(lab.station?.isPlaying == false)
        // Only the stream that has stalled had begun.
        if path != "/stall" { #expect(lab.samples.isEmpty) }
    }

    @Test func serverThatIsAbsentIsReported() throws {
        let lab = try StationLab()
        lab.tune(toURL: "http://user:secret@127.0.0.1:9/live?token=secret")
        lab.run("failure") { !lab.problems.isEmpty }
        #expect(lab.problems[0].hasPrefix("the server cannot be reached: ") && !lab.problems[0].contains("secret"))
    }

    @Test func aacWithoutFFmpegSaysWhatToInstall() throws {
        let lab = try StationLab()
        lab.tune(to: "/file/headers.aac", HTTPOptions(ffmpeg: "/nonexistent/ffmpeg"))
        lab.run("failure") { !lab.problems.isEmpty }
        #expect(lab.problems == ["the stream is AAC, which needs ffmpeg: install the package ffmpeg"])
    }

    @Test func decoderInheritsNoSockets() throws {
        let lab = try StationLab()
        let (program, files) = (lab.folder.appendingPathComponent("ffmpeg"), lab.folder.appendingPathComponent("files"))
        try "#!/bin/sh\nls -l /proc/self/fd >'\(files.path)'\n".write(to: program, atomically: true, encoding: .utf8)
        #expect(chmod(program.path, 0o700) == 0)
        lab.tune(to: "/file/headers.aac", HTTPOptions(ffmpeg: program.path))
        lab.run("failure") { !lab.problems.isEmpty }
        let listing = try String(contentsOf: files, encoding: .utf8)
        // The only one is its standard input.
        #expect(listing.components(separatedBy: "socket:").count == 2, "\(listing)")
        #expect(!listing.contains("pipe:") && !listing.contains("eventfd"), "\(listing)")
    }

    // MARK: Encryption

    /// Makes a certificate for this name, which is its own authority.
    private func certificate(for name: String) throws -> (file: String, key: String) {
        let folder = FileManager.default.temporaryDirectory.appendingPathComponent(
            "tacet-stream-ca-\(UUID().uuidString)")
        try FileManager.default.createDirectory(at: folder, withIntermediateDirectories: true)
        let (file, key) = (folder.appendingPathComponent("a.pem").path, folder.appendingPathComponent("a.key").path)
        let openssl = try Subprocess([
            "openssl", "req", "-x509", "-newkey", "rsa:2048", "-nodes", "-days", "2", "-subj", "/CN=\(name)", "-addext",
            "subjectAltName=\(name.contains("1") ? "IP" : "DNS"):\(name)", "-out", file, "-keyout", key,
        ])
        #expect(openssl.wait() == 0)
        return (file, key)
    }

    @Test func playsOverAnEncryptedConnection() throws {
        let certificate = try certificate(for: "127.0.0.1")
        let lab = try StationLab(certificate: certificate)
        lab.tune(to: "/file/music.mp3", scheme: "https", HTTPOptions(authorities: certificate.file))
        lab.expectTone()
    }

    @Test(arguments: [("radio.example", true), ("127.0.0.1", false)])
    func certificateForAnotherNameOrOfAnUnknownAuthorityIsRefused(name: String, isTrusted: Bool) throws {
        let certificate = try certificate(for: name)
        let lab = try StationLab(certificate: certificate)
        lab.tune(
            to: "/file/music.mp3", scheme: "https",
            isTrusted ? HTTPOptions(authorities: certificate.file) : HTTPOptions())
        lab.run("failure") { !lab.problems.isEmpty }
        #expect(lab.problems[0].contains("SSL"), "\(lab.problems)")
        #expect(lab.samples.isEmpty)
    }

    @Test func encryptedStationIsNotLeftForAnOpenOne() throws {
        let certificate = try certificate(for: "127.0.0.1")
        let lab = try StationLab(certificate: certificate)
        lab.tune(to: "/to-http", scheme: "https", HTTPOptions(authorities: certificate.file))
        lab.run("failure") { !lab.problems.isEmpty }
        #expect(lab.problems[0].contains("without encryption (http)"), "\(lab.problems)")
    }
}
